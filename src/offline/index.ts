/** The server itself without a port, and what it says of objects that are in no cluster. */
export { type CheckResult, type Finding, summarize } from './check-result.ts';
export { isCrd } from './crd-installer.ts';
export { duplicateFindings, fieldSteps } from './findings.ts';
export { failed, unreadable } from './make-result.ts';
export { OfflineServer } from './offline-server.ts';
export { prepareServer } from './prepare-server.ts';
