import type { Authentication } from './authentication.ts';
import type { Credentials } from './credentials.ts';

/** Finds the user behind credentials of one kind. */
export interface Authenticator {
  /**
   * The user of the credentials; undefined where the request has none of this kind. Answers without a promise where it can.
   *
   * @throws {BadCredentialsError} for credentials of this kind that are bad; also as a rejection
   */
  authenticate(credentials: Credentials): Authentication | undefined | Promise<Authentication | undefined>;
  /** Calls back when credentials may have become bad, so that watches are judged anew. Gives what ends that. */
  onChange?(listener: () => void): () => void;
}
