import type { AuthorizationAttributes, Authenticator, Authorizer } from '../../auth/index.ts';
import { type Clock, limits, type Timers } from '../../meta/index.ts';
import type { HttpResponse } from '../message.ts';
import { isStream } from '../message.ts';

interface WatchRightsParts {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** The user of a watch. */
interface WatchRight {
  readonly attributes: AuthorizationAttributes;
  /** When the credentials expire, in ms since 1970. */
  readonly expiresAtMs: number | undefined;
  /** Throws if the credentials are no longer valid. */
  readonly authenticate: () => unknown;
}

/** An open watch. */
interface OpenWatch extends WatchRight {
  readonly end: () => void;
}

/**
 * Ends watches whose user loses the right to them, or whose credentials expire. After rules or credentials change, all
 * open watches are checked within `limits.watchRightsMsMax`. Upstream lets such watches run until they end.
 */
export class WatchRights {
  readonly #parts: WatchRightsParts;
  readonly #open = new Set<OpenWatch>();
  #due: (() => void) | undefined;

  constructor(parts: WatchRightsParts) {
    this.#parts = parts;
    for (const part of [parts.authenticator, parts.authorizer]) part.onChange?.(() => this.#recheckSoon());
  }

  /** The response of a watch; it ends when the user loses the right. */
  guard(response: HttpResponse, right: WatchRight): HttpResponse {
    const { body } = response;
    if (!isStream(body)) return response;
    return {
      ...response,
      body: { [Symbol.asyncIterator]: () => this.#guarded(body, right) },
    };
  }

  #guarded(body: AsyncIterable<Uint8Array>, right: WatchRight): AsyncIterator<Uint8Array> {
    const source = body[Symbol.asyncIterator]();
    const { expiresAtMs } = right;
    const watch = { ...right, end: () => void source.return?.() };
    const cancel = expiresAtMs === undefined ? () => {} : this.#endAt(expiresAtMs, watch.end);
    const closed = () => {
      this.#open.delete(watch);
      cancel();
    };
    this.#open.add(watch);
    return {
      next: async () => {
        try {
          const result = await source.next();
          if (result.done === true) closed();
          return result;
        } catch (error) {
          // A consumer does not call `return` after an error.
          closed();
          throw error;
        }
      },
      return: async () => {
        closed();
        return (await source.return?.()) ?? { done: true, value: undefined };
      },
    };
  }

  /** Timers have a maximum delay: later expiries are rescheduled. */
  #endAt(expiresAtMs: number, end: () => void): () => void {
    const { clock, timers } = this.#parts;
    let cancel: () => void = () => {};
    const wait = () => {
      const leftMs = expiresAtMs - clock.now();
      if (leftMs <= 0) end();
      else cancel = timers.after(leftMs, wait);
    };
    wait();
    return () => cancel();
  }

  #recheckSoon(): void {
    if (this.#open.size === 0 || this.#due !== undefined) return;
    this.#due = this.#parts.timers.after(limits.watchRightsMsMax / 2, () => {
      this.#due = undefined;
      void this.#recheck();
    });
  }

  async #recheck(): Promise<void> {
    const { authorizer } = this.#parts;
    for (const watch of [...this.#open]) {
      if (!(await isAllowed(authorizer, watch))) watch.end();
    }
  }
}

/** An error of an authorizer or authenticator counts as a denial. */
async function isAllowed(authorizer: Authorizer, { attributes, authenticate }: WatchRight): Promise<boolean> {
  try {
    await authenticate();
    return (await authorizer.authorize(attributes)).verdict === 'allow';
  } catch {
    return false;
  }
}
