export type { AuditBackend, AuditEvent } from './backend.ts';
export { Auditor, type AuditorOptions, type AuditTrail } from './auditor.ts';
export { AuditPolicy, AuditPolicyError } from './policy.ts';
// Where events go
export { BatchedBackend, type BatchOptions } from './backends/batched.ts';
export { forgiving } from './backends/forgiving.ts';
export { LogFile, type LogFileOptions } from './backends/log-file.ts';
export { StandardOutput } from './backends/standard-output.ts';
export { auditWebhook } from './backends/webhook.ts';
