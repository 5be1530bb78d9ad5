import type { Change } from '../entries/change.ts';
import type { DispatchIndex, Interest } from './dispatch-index.ts';

/** A subscription with a waiting reader. */
interface Wakeable {
  wake(): void;
}

/** Each woken subscription writes at once: with thousands of them, other requests run in between. */
const wokenInOneTurn = 500;

/** Delivers changes to the synced watchers, and wakes the waiting ones, all at the end of the turn. */
export class Dispatcher<M> {
  readonly #indexes: readonly DispatchIndex<M>[];
  readonly #takenBy = new Map<Interest<M>, DispatchIndex<M>>();
  readonly #toWake: Wakeable[] = [];
  #flush: NodeJS.Immediate | undefined;

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
    this.#flush ??= setImmediate(() => this.#wakeSome());
  }

  #wakeSome(): void {
    const readers = this.#toWake.splice(0, wokenInOneTurn);
    this.#flush = this.#toWake.length === 0 ? undefined : setImmediate(() => this.#wakeSome());
    for (const reader of readers) reader.wake();
  }
}
