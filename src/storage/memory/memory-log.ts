import { contains, sortKey, sortRange } from '../key-order.ts';
import type { Appended, Log, Page, Window } from '../log.ts';
import { ownBytes } from '../own-bytes.ts';
import type { Commit, CommitResult, KeyRange, Revision, StoredRecord, StoreEvent } from '../store.ts';
import { sortedMap } from './sorted-map.ts';

interface LoggedEvent {
  readonly event: StoreEvent;
  readonly sortKey: string;
}

/** A log in memory. Values are kept as they were given; everybody who reads one holds the same bytes. */
export class MemoryLog implements Log {
  /** By sort key. */
  readonly #current = sortedMap<StoredRecord>();
  /** The event of revision r stands at `r - #first`. */
  #events: LoggedEvent[] = [];
  #first: Revision = 2;
  #head: Revision = 1;
  #compacted: Revision = 1;

  get head(): Revision {
    return this.#head;
  }

  get compacted(): Revision {
    return this.#compacted;
  }

  get(key: string): StoredRecord | undefined {
    return this.#current.get(sortKey(key));
  }

  list(range: KeyRange, at: Revision, limit: number): Page {
    const { start, end } = sortRange(range);
    if (start >= end) return { records: [], count: 0 };
    if (at < this.#head) return this.#listPast(range, at, limit);
    const records: StoredRecord[] = [];
    this.#current.forRange(start, end, false, (_, record) => {
      if (records.length >= limit) return { break: 0 };
      records.push(record);
      return undefined;
    });
    const count = records.length < limit ? records.length : this.#current.forRange(start, end, false);
    return { records, count };
  }

  append(commits: readonly Commit[]): Appended {
    const events: StoreEvent[] = [];
    const results = commits.map((commit) => this.#appendOne(commit, events));
    return { results, events };
  }

  history(range: KeyRange, window: Window): readonly StoreEvent[] {
    const wanted = sortRange(range);
    const events: StoreEvent[] = [];
    const end = Math.min(this.#events.length, window.upTo - this.#first + 1);
    for (let index = Math.max(0, window.after + 1 - this.#first); index < end; index++) {
      const logged = this.#events[index];
      if (logged === undefined || events.length === window.limit) break;
      if (contains(wanted, logged.sortKey)) events.push(logged.event);
    }
    return events;
  }

  compactSome(revision: Revision): boolean {
    const gone = Math.min(revision - this.#first, this.#events.length);
    if (gone > 0) {
      // One copy of the pointers that stay: a million take a few milliseconds.
      this.#events = this.#events.slice(gone);
      this.#first += gone;
    }
    this.#compacted = Math.max(this.#compacted, revision);
    return false;
  }

  close(): void {
    this.#events = [];
    this.#current.clear();
  }

  #appendOne(commit: Commit, events: StoreEvent[]): CommitResult {
    const place = sortKey(commit.key);
    const previous = this.#current.get(place);
    const asExpected = (previous?.modRevision ?? 0) === commit.expect;
    const deletesNothing = commit.value === null && previous === undefined;
    if (!asExpected || deletesNothing) return { ok: false, current: previous, revision: this.#head };
    const revision = ++this.#head;
    const event = this.#apply(commit, place, previous, revision);
    this.#events.push({ event, sortKey: place });
    events.push(event);
    return { ok: true, revision };
  }

  #apply(commit: Commit, place: string, previous: StoredRecord | undefined, revision: Revision): StoreEvent {
    const { key } = commit;
    if (commit.value === null) {
      this.#current.delete(place);
      return { type: 'delete', key, revision, value: undefined, previous };
    }
    const value = ownBytes(commit.value);
    this.#current.set(place, { key, value, modRevision: revision });
    return { type: 'put', key, revision, value, previous };
  }

  /** The current state with everything after `at` undone: of each changed key, the first change knows what was there. */
  #listPast(range: KeyRange, at: Revision, limit: number): Page {
    const { start, end } = sortRange(range);
    const undone = new Map<string, StoredRecord | undefined>();
    for (const { event, sortKey: place } of this.#events.slice(at + 1 - this.#first)) {
      if (place >= start && place < end && !undone.has(place)) undone.set(place, event.previous);
    }
    const past: [string, StoredRecord][] = [];
    for (const [place, record] of undone) if (record !== undefined) past.push([place, record]);
    this.#current.forRange(start, end, false, (place, record) => {
      if (record.modRevision <= at) past.push([place, record]);
      return undefined;
    });
    past.sort(([a], [b]) => (a < b ? -1 : 1));
    return { records: past.slice(0, limit).map(([, record]) => record), count: past.length };
  }
}
