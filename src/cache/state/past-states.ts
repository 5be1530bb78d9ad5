import type { Revision } from '../../storage/index.ts';
import type { EventWindow } from './event-window.ts';
import { Snapshot } from './snapshot.ts';

/** A state is kept after so many changes: the most that one reconstruction has to undo. */
const changesBetweenMarks = 4_096;
/** States that were asked for are kept for the next page of the same list. */
const askedMax = 8;

/**
 * Exact states of the past. A state is made from the nearest later one by undoing the window's changes; why not a copy
 * for every change is in docs/decisions/0003-live-view.md. What is kept for long is kept without indexes, which would
 * be copied as a whole between two marks; states that are near the newest get theirs by the same undoing.
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

  /** Must be called after changes went into the window, with the state after them. */
  advance(changes: number, state: () => Snapshot<M>): void {
    this.#sinceMark += changes;
    if (this.#sinceMark >= changesBetweenMarks) {
      this.#marks.push(state().withoutIndexes());
      this.#sinceMark = 0;
    }
    this.trim();
  }

  /** Must be called when the window dropped changes: states before its start go too. */
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

  /** One that has indexes where that is not farther than marks are apart, else whichever is nearest. */
  #base(revision: Revision, newest: Snapshot<M>): Snapshot<M> {
    const indexed = nearest(revision, newest, this.#asked);
    if (this.#window.count(revision, indexed.revision) <= changesBetweenMarks) return indexed;
    return nearest(revision, indexed, this.#marks);
  }
}

/** The one of the states that is least after a revision. */
function nearest<M>(revision: Revision, newest: Snapshot<M>, states: readonly Snapshot<M>[]): Snapshot<M> {
  let found = newest;
  for (const state of states) {
    if (state.revision >= revision && state.revision < found.revision) found = state;
  }
  return found;
}
