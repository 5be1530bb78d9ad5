export { EncryptionConfigurationError } from './configuration-error.ts';
export { readEncryptionConfiguration } from './encryption-configuration.ts';
export { type EncryptedStore, encryptedStore } from './encrypted-store.ts';
export type { KeyServiceParts } from './kms/key-service.ts';
export { KmsMetrics } from './kms/kms-metrics.ts';
export { isBoundToKey } from './is-bound-to-key.ts';
export { ReplaceableRules } from './replaceable-rules.ts';
export { type EncryptionRules, type KeyServices, noEncryption } from './encryption-rules.ts';
