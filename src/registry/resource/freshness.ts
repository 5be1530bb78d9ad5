import type { Precondition } from '../../storage/index.ts';

/** How fresh the state must be that a request works with. */
export interface Freshness {
  /**
   * The state must show this revision and all before it; undefined: the latest, which takes a question to the storage.
   * A revision that the storage told after the request had come stands for the latest.
   */
  readonly minRevision: number | undefined;
  /**
   * Given where the state is cached and may be old: a write is committed only if all of these still hold, and is a
   * conflict otherwise. So is one that would change nothing, as far as the cached state tells.
   */
  readonly preconditions: readonly Precondition[] | undefined;
}

/** Everything that was acknowledged before; the storage is asked. */
export const latest: Freshness = Object.freeze({ minRevision: undefined, preconditions: undefined });

/** A revision at least. */
export function atLeast(minRevision: number): Freshness {
  return { minRevision, preconditions: undefined };
}

/** Whatever is cached, for a write that is committed only if its preconditions hold. */
export function cached(preconditions: readonly Precondition[]): Freshness {
  return { minRevision: 1, preconditions };
}
