import { preconditionsHold } from '../preconditions-hold.ts';
import { contains, sortKey, sortRange } from '../key-order.ts';
import type { Appended, Log, Page, PageOptions, Window } from '../log.ts';
import { ownBytes } from '../own-bytes.ts';
import {
  type Commit,
  type CommitResult,
  type KeyRange,
  type Revision,
  type StoredRecord,
  StoreError,
  type StoreEvent,
} from '../store.ts';
import { EventHistory } from './event-history.ts';
import { type SortedMap, sortedMap } from './sorted-map.ts';

/** What a log starts with. */
interface Start {
  /** By sort key. */
  readonly current: SortedMap<StoredRecord>;
  readonly history: EventHistory;
  readonly head: Revision;
  readonly compacted: Revision;
}

const nothing = (): Start => ({
  current: sortedMap(),
  history: new EventHistory(2),
  head: 1,
  compacted: 1,
});

/** A log in memory. Values are not copied; all readers share the same bytes. */
export class MemoryLog implements Log {
  /** By sort key. */
  readonly #current: SortedMap<StoredRecord>;
  #history: EventHistory;
  #head: Revision;
  #compacted: Revision;
  #closed = false;

  constructor(start: Start = nothing()) {
    this.#current = start.current;
    this.#history = start.history;
    this.#head = start.head;
    this.#compacted = start.compacted;
  }

  /** A log with records as of a revision, without their history. */
  static holding(records: readonly StoredRecord[], revision: Revision): MemoryLog {
    const current = sortedMap<StoredRecord>();
    for (const record of records) current.set(sortKey(record.key), record);
    const history = new EventHistory(revision + 1);
    return new MemoryLog({ current, history, head: revision, compacted: revision });
  }

  /**
   * A log with the same past, which goes its own way from here; no record is copied.
   *
   * @throws {StoreError} `closed` after {@link close}
   */
  fork(): MemoryLog {
    if (this.#closed) throw new StoreError('closed', 'the store was closed');
    const history = this.#history.copy();
    const current = this.#current.clone();
    return new MemoryLog({ current, history, head: this.#head, compacted: this.#compacted });
  }

  get head(): Revision {
    return this.#head;
  }

  get compacted(): Revision {
    return this.#compacted;
  }

  get(key: string): StoredRecord | undefined {
    return this.#current.get(sortKey(key));
  }

  list(range: KeyRange, { at, limit }: PageOptions): Page {
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
    const last = Math.min(this.#history.last, window.upTo);
    for (let revision = Math.max(this.#history.first, window.after + 1); revision <= last; revision++) {
      const logged = this.#history.at(revision);
      if (logged === undefined || events.length === window.limit) break;
      if (contains(wanted, logged.sortKey)) events.push(logged.event);
    }
    return events;
  }

  compactSome(revision: Revision): boolean {
    // The event of the revision itself is kept: a watch may begin with it.
    this.#history.forget(revision);
    this.#compacted = Math.max(this.#compacted, revision);
    return false;
  }

  close(): void {
    this.#closed = true;
    this.#history = new EventHistory(this.#head + 1);
    this.#current.clear();
  }

  #appendOne(commit: Commit, events: StoreEvent[]): CommitResult {
    const place = sortKey(commit.key);
    const previous = this.#current.get(place);
    const asExpected = (previous?.modRevision ?? 0) === commit.expect;
    const deletesNothing = commit.value === null && previous === undefined;
    if (!asExpected || deletesNothing || !preconditionsHold(commit, this))
      return { ok: false, current: previous, revision: this.#head };
    const revision = ++this.#head;
    const event = this.#apply(commit, place, previous, revision);
    this.#history.push({ event, sortKey: place });
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

  /**
   * The current state with everything after `at` undone, up to the end of the page: a reader of 100 pages does not sort
   * the whole range 100 times.
   */
  #listPast(range: KeyRange, at: Revision, limit: number): Page {
    const { start, end } = sortRange(range);
    const undone = this.#undoneAfter(at, { start, end });
    const replaced = [...undone.keys()].filter((place) => this.#current.get(place) !== undefined).length;
    const previous = withRecords(undone);
    const records: StoredRecord[] = [];
    let next = 0;
    const takePrevious = (before: string | undefined) => {
      for (; next < previous.length && records.length < limit; next++) {
        const found = previous[next];
        if (found === undefined || (before !== undefined && found[0] > before)) return;
        records.push(found[1]);
      }
    };
    this.#current.forRange(start, end, false, (place, record) => {
      takePrevious(place);
      if (records.length >= limit) return { break: 0 };
      if (record.modRevision <= at) records.push(record);
      return undefined;
    });
    takePrevious(undefined);
    return { records, count: this.#current.forRange(start, end, false) - replaced + previous.length };
  }

  /** What was at each place that has changed since: its first change knows. */
  #undoneAfter(at: Revision, { start, end }: KeyRange): Map<string, StoredRecord | undefined> {
    const undone = new Map<string, StoredRecord | undefined>();
    for (let revision = at + 1; revision <= this.#head; revision++) {
      const logged = this.#history.at(revision);
      const place = logged?.sortKey ?? '';
      if (place >= start && place < end && !undone.has(place)) undone.set(place, logged?.event.previous);
    }
    return undone;
  }
}

function withRecords(undone: ReadonlyMap<string, StoredRecord | undefined>): [string, StoredRecord][] {
  const found: [string, StoredRecord][] = [];
  for (const [place, record] of undone) if (record !== undefined) found.push([place, record]);
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}
