import type { Precondition } from '../../storage/index.ts';

/** The minimum freshness of the state for a request. */
export interface Freshness {
  /**
   * The state must include this revision; undefined: the latest, which needs a request to the storage. A revision
   * that the storage reported after the request arrived counts as the latest.
   */
  readonly minRevision: number | undefined;
  /**
   * Set if the state is cached and may be old: a write is committed only if all of these still hold, and is a
   * conflict otherwise. So is a write that would change nothing in the cached state.
   */
  readonly preconditions: readonly Precondition[] | undefined;
}

/** Everything acknowledged before the call; the storage is asked. */
export const latest: Freshness = Object.freeze({ minRevision: undefined, preconditions: undefined });

/** A minimum revision. */
export function atLeast(minRevision: number): Freshness {
  return { minRevision, preconditions: undefined };
}

/** The cached state, for a write that is committed only if its preconditions hold. */
export function cached(preconditions: readonly Precondition[]): Freshness {
  return { minRevision: 1, preconditions };
}
