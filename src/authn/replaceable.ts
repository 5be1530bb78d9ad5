import type { Authentication, Authenticator, Credentials } from '../auth/index.ts';
import type { OpenAuthenticator } from './oidc/make-issuers.ts';

type Outcome = Authentication | undefined | Promise<Authentication | undefined>;

/**
 * Authenticators that can be replaced at run time, for example by a new configuration file. The first that knows a
 * token decides; each knows only the tokens of its own issuer.
 */
export class ReplaceableAuthenticators implements Authenticator {
  #current: readonly OpenAuthenticator[];
  readonly #listeners = new Set<() => void>();

  constructor(first: readonly OpenAuthenticator[]) {
    this.#current = first;
  }

  authenticate(credentials: Credentials): Outcome {
    for (const authenticator of this.#current) {
      const found = authenticator.authenticate(credentials);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Ends the watches of users that no authenticator knows any more. */
  replace(next: readonly OpenAuthenticator[]): void {
    const before = this.#current;
    this.#current = next;
    for (const authenticator of before) authenticator.close();
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    for (const authenticator of this.#current) authenticator.close();
  }
}
