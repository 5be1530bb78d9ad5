import type { DatabaseSync } from 'node:sqlite';
import { preconditionsHold } from '../preconditions-hold.ts';
import type { Appended, Log, Page, PageOptions, Window } from '../log.ts';
import { ownBytes } from '../own-bytes.ts';
import type {
  Commit,
  CommitResult,
  KeyRange,
  Revision,
  StoredRecord,
  StoreError,
  StoreEvent,
} from '../store.ts';
import { bytes, eventOf, integer, recordOf } from './row.ts';
import { damaged, storeError } from './sqlite-error.ts';
import { prepareStatements, type Statements } from './statements.ts';
import { checkpoint, checkpointForClose } from './wal-mark.ts';

/** How many revisions one step of a compaction forgets: a few milliseconds. */
const compactStepRevisions = 500;
/** The write-ahead log is copied into the database when it has grown by about this many bytes. */
const checkpointBytes = 4 * 1024 * 1024;
/** What a transaction writes into the log at least: a page of each table, and of its index. */
const transactionBytes = 16 * 1024;
/** What is written to find out whether a disk that was full still is: more than SQLite may have kept in reserve. */
const probeBytes = 64 * 1024;

export interface SqliteLogOptions {
  /** The file, for errors. */
  readonly path: string;
  readonly onClose: () => void;
  /** Told once, when the database turns out to be damaged. */
  readonly onDamage?: ((error: StoreError) => void) | undefined;
}

/** A batch under way: nothing of it counts before its transaction is committed. */
interface Batch {
  head: Revision;
  readonly events: StoreEvent[];
}

/** A log in a SQLite database that is open and has our tables. */
export class SqliteLog implements Log {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #options: SqliteLogOptions;
  #damage: StoreError | undefined;
  /** The last write found no room. */
  #full: StoreError | undefined;
  /** The approximate size of the write-ahead log since the last checkpoint. */
  #walBytes = 0;
  #head: Revision;
  #compacted: Revision;

  constructor(database: DatabaseSync, options: SqliteLogOptions) {
    this.#database = database;
    this.#statements = prepareStatements(database);
    this.#options = options;
    // The newest change is never compacted away, so the log knows the revision.
    this.#head = integer(this.#statements.head.get(), 'revision');
    this.#compacted = integer(this.#statements.compactRevision.get(), 'value');
  }

  get head(): Revision {
    return this.#head;
  }

  get compacted(): Revision {
    return this.#compacted;
  }

  get(key: string): StoredRecord | undefined {
    return this.#reading(() => {
      const row = this.#statements.get.get(key);
      return row === undefined ? undefined : recordOf(row);
    });
  }

  list(range: KeyRange, { at, limit, counted }: PageOptions): Page {
    // One row more says whether there are more.
    const most = Number.isFinite(limit) ? limit + 1 : -1;
    return this.#reading(() => {
      const rows = this.#rows(range, at, most);
      const records = rows.slice(0, limit).map(recordOf);
      const isCounted = rows.length <= limit || !counted;
      return { records, count: isCounted ? rows.length : this.#count(range, at) };
    });
  }

  #rows(range: KeyRange, at: Revision, most: number) {
    const [start, end] = bounds(range);
    const { list, listPast } = this.#statements;
    if (at >= this.#head) return list.all(start, end, most);
    return listPast.all(start, end, at, most, at, start, end, most, most);
  }

  #count(range: KeyRange, at: Revision): number {
    const [start, end] = bounds(range);
    const { count, countPast } = this.#statements;
    const row =
      at >= this.#head ? count.get(start, end) : countPast.get(start, end, at, -1, at, start, end, -1);
    return integer(row, 'count');
  }

  history(range: KeyRange, { after, upTo, limit }: Window): readonly StoreEvent[] {
    const [start, end] = bounds(range);
    return this.#reading(() => this.#statements.history.all(after, upTo, start, end, limit).map(eventOf));
  }

  append(commits: readonly Commit[]): Appended {
    const batch: Batch = { head: this.#head, events: [] };
    const results = this.#transaction('cannot write', () =>
      commits.map((commit) => this.#appendOne(commit, batch)),
    );
    this.#head = batch.head;
    for (const { value } of batch.events) this.#walBytes += value?.byteLength ?? 0;
    if (this.#walBytes > checkpointBytes) this.#checkpoint();
    return { results, events: batch.events };
  }

  compactSome(revision: Revision): boolean {
    const from = this.#compacted;
    const to = Math.min(revision, from + compactStepRevisions);
    if (from >= to) return false;
    const { forgetReplaced, forgetDeletes, setCompactRevision } = this.#statements;
    this.#transaction('cannot compact', () => {
      forgetReplaced.run(from, to);
      forgetDeletes.run(from, to);
      setCompactRevision.run(to);
    });
    this.#compacted = to;
    if (to === revision) this.#checkpoint();
    return to < revision;
  }

  health(): void {
    if (this.#damage !== undefined) throw this.#damage;
    if (this.#full === undefined) return;
    const { probe, endProbe } = this.#statements;
    this.#transaction('cannot write', () => probe.run(new Uint8Array(probeBytes)));
    this.#transaction('cannot write', () => endProbe.run());
  }

  close(): void {
    try {
      checkpointForClose(this.#database);
    } catch {
      // The log is kept: nothing is lost, and the next start uses both files.
    }
    this.#database.close();
    this.#options.onClose();
  }

  /** The writes are in the log already: a failure here does not fail them. */
  #checkpoint(): void {
    this.#walBytes = 0;
    try {
      checkpoint(this.#database);
    } catch (error) {
      this.#failure(error, 'cannot copy the write-ahead log');
    }
  }

  /** What a failure means to the user of the store; damage and a full disk are kept for {@link health}. */
  #failure(error: unknown, doing: string): StoreError {
    const known = storeError(error, doing);
    if (known.code === 'no-space') this.#full = known;
    if (known.code !== 'damaged') return known;
    const { path, onDamage } = this.#options;
    if (this.#damage === undefined) {
      this.#damage = damaged(path, known);
      onDamage?.(this.#damage);
    }
    return this.#damage;
  }

  #appendOne(commit: Commit, batch: Batch): CommitResult {
    const revision = batch.head + 1;
    if (!preconditionsHold(commit, this) || !this.#setLatest(commit, revision)) {
      return { ok: false, current: this.get(commit.key), revision: batch.head };
    }
    const { key, expect } = commit;
    const value = commit.value === null ? undefined : ownBytes(commit.value);
    this.#statements.append.run(revision, key, expect, value === undefined ? 1 : 0, value ?? null);
    batch.head = revision;
    batch.events.push({
      type: value === undefined ? 'delete' : 'put',
      key,
      revision,
      value,
      previous: this.#recordAt(key, expect),
    });
    return { ok: true, revision };
  }

  /** The condition and its effect in one statement; false where the key is not as expected. */
  #setLatest({ key, value, expect }: Commit, revision: Revision): boolean {
    const { createLatest, updateLatest, deleteLatest } = this.#statements;
    if (value === null) return deleteLatest.run(key, expect).changes === 1;
    if (expect === 0) return createLatest.run(key, revision).changes === 1;
    return updateLatest.run(revision, key, expect).changes === 1;
  }

  #recordAt(key: string, modRevision: Revision): StoredRecord | undefined {
    if (modRevision === 0) return undefined;
    return { key, value: bytes(this.#statements.value.get(modRevision), 'value'), modRevision };
  }

  #transaction<T>(doing: string, work: () => T): T {
    const { begin, commit } = this.#statements;
    try {
      begin.run();
      const result = work();
      commit.run();
      this.#full = undefined;
      this.#walBytes += transactionBytes;
      return result;
    } catch (error) {
      this.#rollBack();
      throw this.#failure(error, doing);
    }
  }

  /** After some failures, a full disk among them, SQLite has rolled back already and there is nothing left to undo. */
  #rollBack(): void {
    try {
      this.#statements.rollback.run();
    } catch {}
  }

  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#failure(error, 'cannot read');
    }
  }
}

const bounds = ({ start, end }: KeyRange): [Uint8Array, Uint8Array] => [Buffer.from(start), Buffer.from(end)];
