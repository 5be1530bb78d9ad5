import type { Change, Matches } from '../entries/change.ts';
import type { Scope } from './scope.ts';

/** A watcher, as indexes see it. */
export interface Interest<M> {
  readonly scope: Scope;
  readonly matches: Matches<M> | undefined;
  /** The values that the subscriber declared for value indexes; see `SubscribeOptions.indexedValues`. */
  readonly indexedValues: unknown;
  /** Passes on a change that may concern the watcher. */
  offer(change: Change<M>): void;
}

/**
 * Finds the watchers that a change may concern, so that a change costs nothing for all others. False positives are
 * allowed, false negatives are not: both the old and the new content count, because a watcher is also told of an
 * object that stops matching.
 */
export interface DispatchIndex<M> {
  /** Adds the watcher; false leaves it to the next index, because this one cannot index it. */
  add(interest: Interest<M>): boolean;
  delete(interest: Interest<M>): void;
  /** Calls `offer` once for each interested watcher. Watchers may be deleted meanwhile. */
  dispatch(change: Change<M>): void;
}
