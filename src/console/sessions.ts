import { createHash, randomBytes } from 'node:crypto';
import { type Clock, limits } from '../meta/index.ts';
import type { SignedIn } from './signed-in.ts';

/** An open session. */
export interface Session extends SignedIn {
  readonly expiresAtMs: number;
}

/** A new session, and the secret that finds it. */
export interface OpenedSession {
  readonly id: string;
  readonly session: Session;
}

/**
 * The sessions of browsers, in memory: they end with the server. Keys are digests of the IDs, so that neither a memory
 * dump nor the time of a look-up reveals an ID.
 */
export class Sessions {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #byDigest = new Map<string, Session>();
  readonly #listeners = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Opens a session. A user above the limit loses the oldest one; undefined if all users together reach their limit.
   */
  open(signedIn: SignedIn): OpenedSession | undefined {
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

  /** The session of an ID; undefined if it is unknown, closed or expired. */
  find(id: string): Session | undefined {
    const session = this.#byDigest.get(digestOf(id));
    return session !== undefined && session.expiresAtMs > this.#clock.now() ? session : undefined;
  }

  close(id: string): void {
    this.#end(digestOf(id));
  }

  /** Calls back when a session is closed. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #end(digest: string): void {
    if (!this.#byDigest.delete(digest)) return;
    for (const listener of this.#listeners) listener();
  }

  /** All have the same lifetime, so the first that has not expired ends the search. */
  #forgetExpired(): void {
    for (const [digest, { expiresAtMs }] of this.#byDigest) {
      if (expiresAtMs > this.#clock.now()) return;
      this.#byDigest.delete(digest);
    }
  }
}

/** The key of a secret. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
