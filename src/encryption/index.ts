export { EncryptionConfigurationError } from './configuration-error.ts';
export { readEncryptionConfiguration } from './encryption-configuration.ts';
export { type EncryptedStore, encryptedStore } from './encrypted-store.ts';
export { ReplaceableRules } from './replaceable-rules.ts';
export { type EncryptionRules, noEncryption } from './encryption-rules.ts';
