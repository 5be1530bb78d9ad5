import type { Revision } from '../../storage/index.ts';
import type { Change } from '../entries/change.ts';

export interface EventWindowOptions {
  /** Changes older than this are dropped. */
  readonly windowMs: number;
  /** The maximum number; the oldest are dropped. */
  readonly windowEventsMax: number;
  /** The maximum size of contents that only the window still holds; the oldest are dropped. */
  readonly windowBytesMax: number;
  /** The number of latest changes that keep their encoded bytes. */
  readonly warmEventsMax: number;
}

/** The latest changes of a resource, in revision order: limited by age, number and size. */
export class EventWindow<M> {
  readonly #options: EventWindowOptions;
  #changes: (Change<M> | undefined)[] = [];
  /** The index of the oldest change in `#changes`; changes before it were dropped. */
  #head = 0;
  #bytes = 0;
  #start: Revision = 0;

  constructor(options: EventWindowOptions) {
    this.#options = options;
  }

  /** All changes after this revision are in the window, and so is every state from it on. */
  get start(): Revision {
    return this.#start;
  }

  get size(): number {
    return this.#changes.length - this.#head;
  }

  /** Empties the window; it starts at the given revision. */
  reset(start: Revision): void {
    this.#changes = [];
    this.#head = 0;
    this.#bytes = 0;
    this.#start = start;
  }

  push(change: Change<M>): void {
    this.#changes.push(change);
    this.#bytes += heldBytes(change);
    this.#changes[this.#changes.length - 1 - this.#options.warmEventsMax]?.dropEvents();
  }

  /** Drops changes beyond the limits. */
  trim(nowMs: number): void {
    const { windowMs, windowEventsMax, windowBytesMax } = this.#options;
    for (let oldest = this.#changes[this.#head]; oldest !== undefined; oldest = this.#changes[this.#head]) {
      const fits = this.size <= windowEventsMax && this.#bytes <= windowBytesMax;
      if (fits && nowMs - oldest.atMs <= windowMs) break;
      this.#dropOldest(oldest);
    }
    if (this.#head > 1_024 && this.#head * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#head);
      this.#head = 0;
    }
  }

  /** The changes after a revision, oldest first; limited in number, but never a part of a revision. */
  after(revision: Revision, limit: number): readonly Change<M>[] {
    const from = this.#firstAfter(revision);
    let to = Math.min(from + limit, this.#changes.length);
    while (to < this.#changes.length && this.#changes[to]?.revision === this.#changes[to - 1]?.revision)
      to += 1;
    return this.#changes.slice(from, to).filter((change) => change !== undefined);
  }

  /** The number of changes after `from` up to and including `to`. */
  count(from: Revision, to: Revision): number {
    return this.#firstAfter(to) - this.#firstAfter(from);
  }

  /** The changes after `from` up to and including `to`, newest first. */
  *backwards(from: Revision, to: Revision): Generator<Change<M>, void, undefined> {
    for (let index = this.#firstAfter(to) - 1; index >= this.#head; index -= 1) {
      const change = this.#changes[index];
      if (change === undefined || change.revision <= from) return;
      yield change;
    }
  }

  #dropOldest(oldest: Change<M>): void {
    this.#changes[this.#head] = undefined;
    this.#head += 1;
    this.#bytes -= heldBytes(oldest);
    this.#start = oldest.revision;
    oldest.dropEvents();
  }

  /** The index of the first change after a revision, by bisection. */
  #firstAfter(revision: Revision): number {
    let low = this.#head;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The old content is what only the window holds; the new one is (or was) in the tree. */
function heldBytes<M>(change: Change<M>): number {
  return change.previous?.value.byteLength ?? 0;
}
