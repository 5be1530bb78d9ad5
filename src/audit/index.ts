export type { AuditBackend, AuditEvent } from './backend.ts';
export { Auditor, type AuditTrail } from './auditor.ts';
export { objectNames } from './object-names.ts';
export { AuditPolicy } from './policy.ts';
// Backends
export { BatchedBackend } from './backends/batched.ts';
export { forgiving } from './backends/forgiving.ts';
export { LogFile } from './backends/log-file.ts';
export { StandardOutput } from './backends/standard-output.ts';
export { truncating } from './backends/truncating.ts';
export { auditWebhook } from './backends/webhook.ts';
