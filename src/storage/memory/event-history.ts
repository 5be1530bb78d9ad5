import type { Revision, StoreEvent } from '../store.ts';

/** An event with the sort key of its key. */
interface LoggedEvent {
  readonly event: StoreEvent;
  readonly sortKey: string;
}

/**
 * The events of a log, one for each revision. A copy shares what there was when it was made: what is shared is never
 * changed, each side adds to a tail of its own.
 */
export class EventHistory {
  #shared: readonly LoggedEvent[];
  #tail: LoggedEvent[] = [];
  /** The revision of the first event. */
  #first: Revision;

  constructor(first: Revision, shared: readonly LoggedEvent[] = []) {
    this.#first = first;
    this.#shared = shared;
  }

  /** The event of a revision; undefined before the first and after the last. */
  at(revision: Revision): LoggedEvent | undefined {
    const index = revision - this.#first;
    return index < this.#shared.length ? this.#shared[index] : this.#tail[index - this.#shared.length];
  }

  /** The revision of the first event that is left; of the next one where there is none. */
  get first(): Revision {
    return this.#first;
  }

  /** The revision of the last event; one before the first where there is none. */
  get last(): Revision {
    return this.#first + this.#shared.length + this.#tail.length - 1;
  }

  push(event: LoggedEvent): void {
    this.#tail.push(event);
  }

  /** Drops the events before a revision: one copy of the pointers that stay, a few milliseconds for a million. */
  forget(revision: Revision): void {
    const gone = Math.min(revision, this.last + 1) - this.#first;
    if (gone <= 0) return;
    this.#tail = this.#tail.slice(Math.max(0, gone - this.#shared.length));
    this.#shared = this.#shared.slice(gone);
    this.#first += gone;
  }

  /** The same history, which goes its own way from here. A second copy without events in between costs nothing. */
  copy(): EventHistory {
    if (this.#tail.length > 0) {
      this.#shared = [...this.#shared, ...this.#tail];
      this.#tail = [];
    }
    return new EventHistory(this.#first, this.#shared);
  }
}
