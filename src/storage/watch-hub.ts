import { sortKey } from './key-order.ts';
import type { Log } from './log.ts';
import { LogWatch, type WatchSource, watchMessage } from './log-watch.ts';
import { RangeIndex } from './range-index.ts';
import type { KeyRange, Revision, StoreEvent, WatchMessage, WatchOptions } from './store.ts';

/** The number of revisions that a lagging watch scans at once, inside or outside its range. */
const windowRevisions = 2_000;
/** How many events it takes from there: with its queue empty, it never holds more. */
const windowEvents = 500;

/** What a hub asks of a log. */
export type WatchedLog = Pick<Log, 'head' | 'compacted' | 'history'>;

/** Carries the changes of a log to the watches whose range they are in. */
export class WatchHub implements WatchSource {
  readonly #log: WatchedLog;
  readonly #live = new RangeIndex<LogWatch>();
  readonly #open = new Set<LogWatch>();
  #compacted: Revision;

  constructor(log: WatchedLog) {
    this.#log = log;
    this.#compacted = log.compacted;
  }

  get head(): Revision {
    return this.#log.head;
  }

  get compacted(): Revision {
    return this.#compacted;
  }

  watch(range: KeyRange, options: WatchOptions): LogWatch {
    const watch = new LogWatch(this, range, options);
    if (!options.signal?.aborted) this.#open.add(watch);
    return watch;
  }

  /** Tells all watches that changes before a revision are forgotten. Those that still need them end at their next step. */
  forget(revision: Revision): void {
    this.#compacted = revision;
  }

  /** No more changes follow after a revision: every watch must continue from the log. */
  interrupt(revision: Revision): void {
    for (const watch of [...this.#open]) watch.interrupt(revision);
  }

  /** Takes the changes just written to the log, the first of them the successor of `before`. */
  publish(events: readonly StoreEvent[], before: Revision): void {
    const byMembers = new Map<ReadonlySet<LogWatch>, StoreEvent[]>();
    for (const event of events) {
      for (const members of this.#live.at(sortKey(event.key))) {
        const list = byMembers.get(members);
        if (list === undefined) byMembers.set(members, [event]);
        else list.push(event);
      }
    }
    for (const [members, list] of byMembers) {
      const message = watchMessage(list, this.head);
      // A copy, for a watch that falls behind leaves the set.
      for (const watch of [...members]) watch.deliver(message, before);
    }
  }

  read(range: KeyRange, after: Revision): WatchMessage {
    const upTo = Math.min(this.head, after + windowRevisions);
    const events = this.#log.history(range, { after, upTo, limit: windowEvents });
    const last = events.at(-1);
    const cut = last !== undefined && events.length >= windowEvents;
    return watchMessage(events, cut ? last.revision : upTo);
  }

  join(watch: LogWatch): void {
    this.#live.add(watch.sortRange, watch);
  }

  leave(watch: LogWatch): void {
    this.#live.delete(watch.sortRange, watch);
  }

  ended(watch: LogWatch): void {
    this.#open.delete(watch);
  }

  close(): void {
    for (const watch of [...this.#open]) watch.close();
  }
}
