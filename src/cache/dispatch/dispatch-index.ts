import type { Change, Matches } from '../entries/change.ts';
import type { Scope } from './scope.ts';

/** A watcher as an index sees it. */
export interface Interest<M> {
  readonly scope: Scope;
  readonly matches: Matches<M> | undefined;
  /** What the subscriber said for indexes of its own; see `SubscribeOptions.indexedValues`. */
  readonly indexedValues: unknown;
  /** Hands over a change that may concern the watcher. */
  offer(change: Change<M>): void;
}

/**
 * Finds the watchers that a change may concern, so that a change costs nothing for all others. An index may find too
 * many, never too few: it must look at the old and at the new content, because a watcher also hears of an object that
 * stops to match.
 */
export interface DispatchIndex<M> {
  /** Takes the watcher in; false leaves it to the next index, because this one could not find it again. */
  add(interest: Interest<M>): boolean;
  delete(interest: Interest<M>): void;
  /** Calls `offer` of each interested watcher, once. Watchers may be deleted meanwhile. */
  dispatch(change: Change<M>): void;
}
