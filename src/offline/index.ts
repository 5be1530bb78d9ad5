/** A server without a port, and its results for objects outside of a cluster. */
export { type CheckResult, type Finding, summarize } from './check-result.ts';
export { isCrd } from './crd-installer.ts';
export { duplicateFindings, fieldSteps } from './findings.ts';
export { failed, unreadable } from './make-result.ts';
export { OfflineServer } from './offline-server.ts';
export { prepareServer } from './prepare-server.ts';
