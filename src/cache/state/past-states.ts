import type { Revision } from '../../storage/index.ts';
import type { EventWindow } from './event-window.ts';
import { Snapshot } from './snapshot.ts';

/** A state is kept every this many changes: the maximum that one reconstruction undoes. */
const changesBetweenMarks = 4_096;
/** Requested states are kept for the next page of the same list. */
const askedMax = 8;

/**
 * Exact past states. A state is reconstructed from the nearest later one by undoing the window's changes;
 * docs/decisions/0003-live-view.md says why there is no copy for every change. States that are kept long have no
 * indexes, which would be copied completely between two marks; states near the newest one get theirs by the same
 * undoing.
 */
export class PastStates<M> {
  readonly #window: EventWindow<M>;
  #marks: Snapshot<M>[] = [];
  #asked: Snapshot<M>[] = [];
  #sinceMark = 0;

  constructor(window: EventWindow<M>) {
    this.#window = window;
  }

  reset(): void {
    this.#marks = [];
    this.#asked = [];
    this.#sinceMark = 0;
  }

  /** Must be called after changes were added to the window, with the state after them. */
  advance(changes: number, state: () => Snapshot<M>): void {
    this.#sinceMark += changes;
    if (this.#sinceMark >= changesBetweenMarks) {
      this.#marks.push(state().withoutIndexes());
      this.#sinceMark = 0;
    }
    this.trim();
  }

  /** Must be called when the window dropped changes: states before its start are dropped too. */
  trim(): void {
    const kept = (state: Snapshot<M>) => state.revision >= this.#window.start;
    if (!this.#marks.every(kept)) this.#marks = this.#marks.filter(kept);
    if (!this.#asked.every(kept)) this.#asked = this.#asked.filter(kept);
  }

  /** The state at a revision between the window's start and the given newest state. */
  at(revision: Revision, newest: Snapshot<M>): Snapshot<M> {
    const base = this.#base(revision, newest);
    if (base.revision === revision) return base;
    const { tree, indexes } = base.fork();
    for (const change of this.#window.backwards(revision, base.revision)) {
      if (change.previous === undefined) tree.delete(change.key);
      else tree.put(change.previous);
      indexes.undo(change);
    }
    const snapshot = new Snapshot(revision, tree, indexes);
    this.#asked.push(snapshot);
    if (this.#asked.length > askedMax) this.#asked.shift();
    return snapshot;
  }

  /** The nearest state with indexes, unless it is farther than the distance of marks; otherwise the nearest state. */
  #base(revision: Revision, newest: Snapshot<M>): Snapshot<M> {
    const indexed = nearest(revision, newest, this.#asked);
    if (this.#window.count(revision, indexed.revision) <= changesBetweenMarks) return indexed;
    return nearest(revision, indexed, this.#marks);
  }
}

/** The earliest of the states after a revision. */
function nearest<M>(revision: Revision, newest: Snapshot<M>, states: readonly Snapshot<M>[]): Snapshot<M> {
  let found = newest;
  for (const state of states) {
    if (state.revision >= revision && state.revision < found.revision) found = state;
  }
  return found;
}
