/** An invalid configuration file; the message is the reason, in one line. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
