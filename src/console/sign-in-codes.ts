import { randomBytes } from 'node:crypto';
import { type Clock, limits } from '../meta/index.ts';
import { digestOf } from './sessions.ts';
import type { SignedIn } from './signed-in.ts';

interface WaitingCode {
  readonly signedIn: SignedIn;
  readonly expiresAtMs: number;
}

/** A new code, and its end. */
export interface IssuedCode {
  readonly code: string;
  readonly expiresAtMs: number;
}

/** Codes of sign-in links: each opens one session, once, and expires soon. */
export class SignInCodes {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #byDigest = new Map<string, WaitingCode>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Creates a code. Above the limit, the oldest one is dropped. */
  issue(signedIn: SignedIn): IssuedCode {
    const code = randomBytes(24).toString('base64url');
    const expiresAtMs = this.#clock.now() + limits.consoleCodeMs;
    const [oldest] = this.#byDigest.keys();
    if (oldest !== undefined && this.#byDigest.size >= limits.consoleCodesMax) this.#byDigest.delete(oldest);
    this.#byDigest.set(digestOf(code), { signedIn, expiresAtMs });
    return { code, expiresAtMs };
  }

  /** Redeems a code, which cannot be used again; undefined if it is unknown, used or expired. */
  take(code: string): SignedIn | undefined {
    const digest = digestOf(code);
    const waiting = this.#byDigest.get(digest);
    this.#byDigest.delete(digest);
    return waiting !== undefined && waiting.expiresAtMs > this.#clock.now() ? waiting.signedIn : undefined;
  }
}
