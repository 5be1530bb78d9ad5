import { contains, sortKey, sortRange } from '../key-order.ts';
import type { Window } from '../log.ts';
import type { KeyRange, Revision, StoreEvent } from '../store.ts';
import type { WatchedLog } from '../watch-hub.ts';
import type { WindowLimits } from './remote-log.ts';

interface Kept {
  readonly event: StoreEvent;
  readonly sortKey: string;
  readonly bytes: number;
}

/** The latest changes of the database, for watches that begin a little in the past or lag. */
export class RecentEvents implements WatchedLog {
  readonly #limits: WindowLimits;
  #events: Kept[] = [];
  #bytes = 0;
  #head: Revision = 0;
  #compacted: Revision = 1;

  constructor(limits: WindowLimits) {
    this.#limits = limits;
  }

  /** All changes up to this revision have arrived. */
  get head(): Revision {
    return this.#head;
  }

  /** The oldest revision whose changes are here. */
  get compacted(): Revision {
    return this.#compacted;
  }

  /** Clears the events, and continues after a revision. */
  restart(revision: Revision): void {
    this.#events = [];
    this.#bytes = 0;
    this.#head = revision;
    this.#compacted = revision + 1;
  }

  /** Takes the changes up to a revision, in their order. */
  add(events: readonly StoreEvent[], revision: Revision): void {
    for (const event of events) {
      const bytes = (event.value?.byteLength ?? 0) + (event.previous?.value.byteLength ?? 0);
      this.#events.push({ event, sortKey: sortKey(event.key), bytes });
      this.#bytes += bytes;
    }
    this.#head = Math.max(this.#head, revision);
    this.#trim();
  }

  /** Forgets what is before a revision. */
  forget(revision: Revision): void {
    if (revision <= this.#compacted) return;
    this.#drop(this.#indexAfter(revision - 1));
    this.#compacted = revision;
  }

  history(range: KeyRange, { after, upTo, limit }: Window): readonly StoreEvent[] {
    const wanted = sortRange(range);
    const found: StoreEvent[] = [];
    for (let index = this.#indexAfter(after); index < this.#events.length; index++) {
      const kept = this.#events[index];
      if (kept === undefined || kept.event.revision > upTo) break;
      if (found.length >= limit && kept.event.revision !== found.at(-1)?.revision) break;
      if (contains(wanted, kept.sortKey)) found.push(kept.event);
    }
    return found;
  }

  /** Half of them at once, so that it costs nothing for each. */
  #trim(): void {
    const { windowEventsMax, windowBytesMax } = this.#limits;
    if (this.#events.length <= windowEventsMax && this.#bytes <= windowBytesMax) return;
    let bytes = this.#bytes;
    let gone = 0;
    while (this.#events.length - gone > windowEventsMax / 2 || bytes > windowBytesMax / 2) {
      bytes -= this.#events[gone]?.bytes ?? 0;
      gone += 1;
    }
    const last = this.#events[gone - 1];
    if (last === undefined) return;
    this.forget(last.event.revision + 1);
  }

  #drop(count: number): void {
    for (const { bytes } of this.#events.splice(0, count)) this.#bytes -= bytes;
  }

  /** The place of the first change after a revision. */
  #indexAfter(revision: Revision): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.event.revision ?? 0) > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
