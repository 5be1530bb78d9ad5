import type { Authentication } from './authentication.ts';
import type { Credentials } from './credentials.ts';

/** Authenticates one kind of credentials. */
export interface Authenticator {
  /**
   * The user of the credentials; undefined if the request has none of this kind. Returns a plain value where possible.
   *
   * @throws {BadCredentialsError} for invalid credentials of this kind; also as a rejection
   */
  authenticate(credentials: Credentials): Authentication | undefined | Promise<Authentication | undefined>;
  /**
   * Calls back when credentials may have become invalid, so that watches are authenticated again. Returns the
   * unsubscribe function.
   */
  onChange?(listener: () => void): () => void;
}
