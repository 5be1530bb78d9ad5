import { createHash, randomBytes } from 'node:crypto';
import type { Authentication } from '../auth/index.ts';
import { type Clock, limits } from '../meta/index.ts';

/** Who signed in, judged anew for each request: what becomes of the credentials becomes of the session. */
export interface SignedIn {
  readonly userName: string;
  /** @throws {BadCredentialsError} where the credentials count no longer; also as a rejection */
  readonly judge: () => Authentication | undefined | Promise<Authentication | undefined>;
}

/** A session that is open. */
export interface Session extends SignedIn {
  readonly expiresAtMs: number;
}

/**
 * The sessions of browsers, in memory: they end with the server. They are kept under digests of their ids, so that neither a
 * dump of memory nor the time of a look-up tells an id.
 */
export class Sessions {
  readonly #clock: Clock;
  /** The oldest first. */
  readonly #byDigest = new Map<string, Session>();
  readonly #listeners = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Opens one. A user who has too many loses the oldest of them; undefined where all users together have too many. */
  open(signedIn: SignedIn): { readonly id: string; readonly session: Session } | undefined {
    this.#forgetExpired();
    const own = [...this.#byDigest].filter(([, { userName }]) => userName === signedIn.userName);
    const [oldest] = own;
    if (oldest !== undefined && own.length >= limits.consoleSessionsPerUserMax) this.#end(oldest[0]);
    if (this.#byDigest.size >= limits.consoleSessionsMax) return undefined;
    const id = randomBytes(32).toString('base64url');
    const session = Object.freeze({
      ...signedIn,
      expiresAtMs: this.#clock.now() + limits.consoleSessionMs,
    });
    this.#byDigest.set(digestOf(id), session);
    return { id, session };
  }

  /** The session of an id; undefined for one that is unknown, closed or expired. */
  find(id: string): Session | undefined {
    const session = this.#byDigest.get(digestOf(id));
    return session !== undefined && session.expiresAtMs > this.#clock.now() ? session : undefined;
  }

  close(id: string): void {
    this.#end(digestOf(id));
  }

  /** Calls back when a session was closed. Gives what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #end(digest: string): void {
    if (!this.#byDigest.delete(digest)) return;
    for (const listener of this.#listeners) listener();
  }

  /** All live for the same time, so the first that has not expired ends the search. */
  #forgetExpired(): void {
    for (const [digest, { expiresAtMs }] of this.#byDigest) {
      if (expiresAtMs > this.#clock.now()) return;
      this.#byDigest.delete(digest);
    }
  }
}

/** What a secret is kept under. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
