import type { AdmissionObserver } from '../../admission/index.ts';
import type { KubeObject, TrackLayer, UserInfo } from '../../meta/index.ts';

/** The context of a request for all verbs. */
export interface RequestContext extends RequestEffects {
  readonly user: UserInfo;
  /** The field manager of the request: its parameter, or the User-Agent up to the first slash. May be empty. */
  readonly fieldManager: string;
  /** Aborted when the client disconnects or the deadline expires. */
  readonly signal: AbortSignal;
  /** Called with each step of admission, if there is an observer. */
  readonly explain?: AdmissionObserver | undefined;
  /** Adds an annotation to the audit event of the request, if there is one. */
  readonly annotate?: ((key: string, value: string) => void) | undefined;
  /** Called with the decoded object of a create, which may be changed afterwards. */
  readonly onObject?: ((object: KubeObject) => void) | undefined;
  /** Whether objects are put back as they were stored before; see {@link AdmissionAttributes.isRestored}. */
  readonly isRestoring?: boolean | undefined;
  /** Records the durations of parts of the server, if enabled. */
  readonly track?: TrackLayer | undefined;
}

/** The effects of a request besides its write. */
export interface RequestEffects {
  /** Warnings for the client; each becomes a `Warning` header. Duplicates are sent once. */
  readonly warnings: Warnings;
  /** Runs an effect once the attempt is certain to count; absent if there is only one attempt. */
  readonly defer?: ((effect: () => void) => void) | undefined;
}

/** Runs an effect of a request: at once, or when the attempt is certain to count. */
export function takeEffect({ defer }: RequestEffects, effect: () => void): void {
  if (defer === undefined) effect();
  else defer(effect);
}

/** The warnings of one request, in order, without duplicates. */
export class Warnings {
  /** Undefined until the first one; most requests have none. */
  #texts: Set<string> | undefined;

  add(...texts: readonly string[]): void {
    this.#texts ??= new Set();
    for (const text of texts) this.#texts.add(text);
  }

  /** Whether there is such a warning already. */
  has(text: string): boolean {
    return this.#texts?.has(text) === true;
  }

  list(): readonly string[] {
    return this.#texts === undefined ? none : [...this.#texts];
  }
}

const none: readonly string[] = Object.freeze([]);
