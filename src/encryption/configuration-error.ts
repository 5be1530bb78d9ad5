/** An invalid EncryptionConfiguration; the message is the reason, in one line, without secrets. */
export class EncryptionConfigurationError extends Error {
  override readonly name = 'EncryptionConfigurationError';
}
