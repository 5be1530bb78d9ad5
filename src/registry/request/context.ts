import type { AdmissionObserver } from '../../admission/index.ts';
import type { TrackLayer, UserInfo } from '../../meta/index.ts';

/** What every verb needs to know of the request that it serves. */
export interface RequestContext extends RequestEffects {
  readonly user: UserInfo;
  /** Who owns what the request writes: as it names itself, else its User-Agent up to the first slash. May be empty. */
  readonly fieldManager: string;
  /** Aborted when the client is gone or the time is up. */
  readonly signal: AbortSignal;
  /** Told of what admission does about the write, if somebody asked for it. */
  readonly explain?: AdmissionObserver | undefined;
  /** Adds an annotation to the audit event of the request, if it has one. */
  readonly annotate?: ((key: string, value: string) => void) | undefined;
  /** Counts how long parts of the server take for the request, if that is asked for. */
  readonly track?: TrackLayer | undefined;
}

/** What a request does besides its write. */
export interface RequestEffects {
  /** Texts for the client; each becomes a `Warning` header. Equal texts are sent once. */
  readonly warnings: Warnings;
  /** Runs an effect once it is certain that the attempt counts; left out where there is only one attempt. */
  readonly defer?: ((effect: () => void) => void) | undefined;
}

/** Runs an effect of a request: at once, or when the attempt is known to count. */
export function takeEffect({ defer }: RequestEffects, effect: () => void): void {
  if (defer === undefined) effect();
  else defer(effect);
}

/** Warnings collected on the way of one request, in order, each text once. */
export class Warnings {
  /** Undefined until there is one, as most requests have none. */
  #texts: Set<string> | undefined;

  add(...texts: readonly string[]): void {
    this.#texts ??= new Set();
    for (const text of texts) this.#texts.add(text);
  }

  /** Whether there is such a text already. */
  has(text: string): boolean {
    return this.#texts?.has(text) === true;
  }

  list(): readonly string[] {
    return this.#texts === undefined ? none : [...this.#texts];
  }
}

const none: readonly string[] = Object.freeze([]);
