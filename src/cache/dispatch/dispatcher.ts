import type { Change } from '../entries/change.ts';
import type { DispatchIndex, Interest } from './dispatch-index.ts';

/** A subscription with a waiting reader. */
interface Wakeable {
  wake(): void;
}

/**
 * Each woken subscription writes at once: with thousands of them, other requests run in between. A reader takes its events when it is
 * woken, not before: in a burst, fewer and larger batches. As many as a turn of the watches takes (`http/watch/turns.ts`).
 */
const wokenInOneTurn = 64;

/** After many were woken: what comes in a burst meanwhile is written with the next events. */
const pauseMs = 15;

/** Delivers changes to the synced watchers, and wakes the waiting ones, all at the end of the turn. */
export class Dispatcher<M> {
  readonly #indexes: readonly DispatchIndex<M>[];
  readonly #takenBy = new Map<Interest<M>, DispatchIndex<M>>();
  readonly #toWake: Wakeable[] = [];
  /** Whether waiting readers will be woken: in a later turn, or after the pause. */
  #scheduled = false;
  /** Whether the readers that were woken without a pause were more than a turn takes. */
  #many = false;

  /** @param indexes tried in this order; the last one must accept every watcher. */
  constructor(indexes: readonly DispatchIndex<M>[]) {
    this.#indexes = indexes;
  }

  /** The number of synced watchers. */
  get size(): number {
    return this.#takenBy.size;
  }

  join(interest: Interest<M>): void {
    const index = this.#indexes.find((candidate) => candidate.add(interest));
    if (index !== undefined) this.#takenBy.set(interest, index);
  }

  leave(interest: Interest<M>): void {
    this.#takenBy.get(interest)?.delete(interest);
    this.#takenBy.delete(interest);
  }

  dispatch(change: Change<M>): void {
    if (this.#takenBy.size === 0) return;
    for (const index of this.#indexes) index.dispatch(change);
  }

  /** Wakes a reader at the end of this event loop turn, or in a later one if there are many. */
  wakeSoon(reader: Wakeable): void {
    this.#toWake.push(reader);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#wakeSome);
  }

  readonly #wakeSome = (): void => {
    const readers = this.#toWake.splice(0, wokenInOneTurn);
    for (const reader of readers) reader.wake();
    if (this.#toWake.length > 0) {
      this.#many = true;
      setImmediate(this.#wakeSome);
    } else if (this.#many) {
      this.#many = false;
      setTimeout(this.#wakeSome, pauseMs);
    } else this.#scheduled = false;
  };
}
