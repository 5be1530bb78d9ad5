import { type Clock, limits } from '../meta/index.ts';

/** Identifies a login: digests of its state and of the browser's cookie. */
export interface LoginKey {
  readonly state: string;
  readonly browser: string;
}

/** A login that waits for the callback. */
export interface WaitingLogin extends LoginKey {
  readonly redirectUri: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The page to open after the login. */
  readonly to: string;
  readonly expiresAtMs: number;
}

/** The logins at the provider that have not come back. */
export class WaitingLogins {
  readonly #clock: Clock;
  /** By the digest of the state, the oldest first. */
  readonly #byState = new Map<string, WaitingLogin>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Above the limit, the oldest one is dropped. */
  keep(login: WaitingLogin): void {
    const [oldest] = this.#byState.keys();
    if (oldest !== undefined && this.#byState.size >= limits.consoleCodesMax) this.#byState.delete(oldest);
    this.#byState.set(login.state, login);
  }

  /** Removes and returns a login; undefined if another browser began it, or after its time. */
  take({ state, browser }: LoginKey): WaitingLogin | undefined {
    const waiting = this.#byState.get(state);
    if (waiting === undefined || waiting.browser !== browser) return undefined;
    this.#byState.delete(state);
    return waiting.expiresAtMs > this.#clock.now() ? waiting : undefined;
  }
}
