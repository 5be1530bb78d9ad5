/** An AuthorizationConfiguration that cannot be used; the message says why, in one line. */
export class AuthorizationConfigurationError extends Error {
  override readonly name = 'AuthorizationConfigurationError';
}
