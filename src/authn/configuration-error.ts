/** A configuration file that cannot be used; the message says why, in one line. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
