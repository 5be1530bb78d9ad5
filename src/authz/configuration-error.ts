/** An invalid AuthorizationConfiguration; the message is the reason, in one line. */
export class AuthorizationConfigurationError extends Error {
  override readonly name = 'AuthorizationConfigurationError';
}
