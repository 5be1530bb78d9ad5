/** An EncryptionConfiguration that cannot be used; the message says why, in one line, and has no secrets. */
export class EncryptionConfigurationError extends Error {
  override readonly name = 'EncryptionConfigurationError';
}
