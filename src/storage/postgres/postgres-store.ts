import { setTimeout as sleep } from 'node:timers/promises';
import { closedError } from '../closed.ts';
import type { PendingCommit } from '../group-commit.ts';
import { requireKey } from '../key-order.ts';
import type { RemoteLog } from '../remote/remote-log.ts';
import { RemoteWatches } from '../remote/remote-watches.ts';
import {
  type Commit,
  type CommitResult,
  type KeyRange,
  type ListOptions,
  type ListResult,
  type Revision,
  type Store,
  StoreError,
  type StoredRecord,
  type StoreWatch,
  type WatchOptions,
} from '../store.ts';
import { batchParameters, resultOf } from './commit-batch.ts';
import { CommitQueue } from './commit-queue.ts';
import { type Connection, Connections, type Row, type Statement } from './connections.ts';
import { KnownPast } from './known-past.ts';
import { openFeed, openRangeStream, type StreamParts } from './open-stream.ts';
import {
  defaultLimits,
  defaultTiming,
  type PostgresLimits,
  type PostgresOptions,
  type PostgresTiming,
} from './options.ts';
import { isWrongHost, judge, storeErrorOf, unknownOutcome } from './postgres-error.ts';
import { prepareSchema } from './prepare-schema.ts';
import { integer, recordOf } from './row.ts';
import { SharedCompaction } from './shared-compaction.ts';
import { Statements } from './statements.ts';
import { isName, tablesOf } from './tables.ts';

/** The number of revisions that one compaction step examines. */
const cleanRevisions = 500;
/** Connections for writes: the number of concurrent transactions. */
const writers = 2;

type Run = (statement: Statement) => Promise<Row[]>;

/** A store in PostgreSQL, which many servers share. */
export class PostgresStore implements Store {
  readonly #timing: PostgresTiming;
  readonly #limits: PostgresLimits;
  readonly #reads: Connections;
  readonly #writes: Connections;
  readonly #statements: Statements;
  readonly #streams: StreamParts;
  readonly #watches: RemoteWatches;
  readonly #queue: CommitQueue;
  readonly #random: () => number;
  readonly #past: KnownPast;
  /** The last write found no room. */
  #full: StoreError | undefined;
  /** One removal of what was forgotten follows the other. */
  #cleaned = Promise.resolve();
  #closed = false;

  /** @throws {StoreError} `refused` for an invalid address or name */
  constructor(options: PostgresOptions, random: () => number) {
    const { schema = 'ilk', tablePrefix = '', poolMax = 4, onTrouble = () => {} } = options;
    for (const name of [schema, tablePrefix]) {
      if (!isName(name)) throw new StoreError('refused', `${JSON.stringify(name)} is too long for a name`);
    }
    this.#timing = { ...defaultTiming, ...options.timing };
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#random = random;
    const tables = tablesOf(schema, tablePrefix);
    this.#statements = new Statements(tables);
    this.#past = new KnownPast(this.#statements);
    const check = (run: Run) => this.#past.check(run);
    const timing = this.#timing;
    this.#reads = new Connections(options, { timing, check, max: Math.max(poolMax, 1) });
    this.#writes = new Connections(options, { timing, check, max: writers });
    this.#streams = {
      tables,
      timing: this.#timing,
      connections: this.#reads,
      statements: this.#statements,
      pageEventsMax: this.#limits.pageRecordsMax,
      onPutBack: (known) => this.#past.raise(this.#read, known),
      onChange: (revision, stamp) => this.#past.noteChange(revision, stamp),
    };
    this.#watches = new RemoteWatches(this.#remoteLog(), { limits: this.#limits, onTrouble });
    this.#queue = new CommitQueue((batch) => this.#writeBatch(batch));
  }

  /** Makes the tables where they are missing or old. @throws {StoreError} */
  async prepare(): Promise<void> {
    const { tables, timing } = this.#streams;
    try {
      await this.#writes.with((connection) => prepareSchema(connection, tables, timing.callMsMax));
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const verdict = judge(error);
      throw storeErrorOf(error, verdict.kind === 'final' ? verdict.code : 'unavailable');
    }
  }

  get tellsTrueProgress(): boolean {
    return this.#watches.tellsTrueProgress;
  }

  async revision(): Promise<Revision> {
    this.#checkOpen();
    return this.#revision();
  }

  async compactRevision(): Promise<Revision> {
    this.#checkOpen();
    return (await this.#past.head(this.#read)).compacted;
  }

  async get(
    key: string,
    { revision }: { readonly revision?: Revision } = {},
  ): Promise<{ record: StoredRecord | undefined; revision: Revision }> {
    this.#checkOpen();
    if (revision !== undefined) {
      const { records } = await this.list({ start: key, end: `${key}\0` }, { revision, limit: 1 });
      return { record: records[0], revision };
    }
    const [row] = await this.#present(this.#statements.get(key));
    const head = integer(row, 0);
    return { record: row === undefined || row[2] === null ? undefined : recordOf(row, 2), revision: head };
  }

  async list(range: KeyRange, options: ListOptions = {}): Promise<ListResult> {
    this.#checkOpen();
    const { revision: at, limit, counted = true, signal } = options;
    signal?.throwIfAborted();
    const statement = this.#statements.list({ range, at, limit, counted });
    const [first, ...rows] = await this.#present(statement, signal);
    const head = integer(first, 0);
    if (at !== undefined) checkReadable(at, { head, compacted: integer(first, 1) });
    const records = rows.slice(0, limit).map((row) => recordOf(row, 3));
    const count = counted ? integer(first, 2) : rows.length;
    return { records, revision: at ?? head, count, more: records.length < count };
  }

  commit(commit: Commit): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#checkOpen();
      requireKey(commit.key);
      this.#queue.add({ commit, resolve, reject });
    });
  }

  watch(range: KeyRange, options: WatchOptions): StoreWatch {
    return this.#watches.watch(range, options);
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen();
    const head = await this.#revision();
    if (revision > head) throw future(revision, head);
    await this.#reads.read(this.#statements.compact(revision));
    this.#watches.forget(revision);
    const cleaning = this.#cleaned.then(() => this.#clean());
    this.#cleaned = cleaning.catch(() => {});
    await cleaning;
  }

  /** The part of one server in forgetting the past together with the other servers of this database. */
  compaction(): SharedCompaction {
    return new SharedCompaction({
      statements: this.#statements,
      read: (statement) => this.#reads.read(statement),
      compact: (revision) => this.compact(revision),
    });
  }

  /**
   * Resolves where the database can be read and written.
   *
   * @throws {StoreError} `unavailable`, `no-space`: what ails it
   */
  async health(): Promise<void> {
    await this.revision();
    if (this.#full === undefined) return;
    await this.#reads.read(this.#statements.probe());
    this.#full = undefined;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#queue.drained();
    await this.#watches.close();
    await Promise.all([this.#reads.close(), this.#writes.close()]);
  }

  #remoteLog(): RemoteLog {
    return {
      several: false,
      timing: { ...this.#timing, stallMsMax: this.#timing.silenceMsMax },
      revision: () => this.#revision(),
      known: () => this.#past.revision,
      open: async (options) =>
        options.range === undefined
          ? openFeed(this.#streams, options)
          : openRangeStream(this.#streams, options),
    };
  }

  async #writeBatch(batch: readonly PendingCommit[]): Promise<void> {
    try {
      const stamp = Math.floor(this.#random() * Number.MAX_SAFE_INTEGER);
      const rows = await this.#send(batch, stamp);
      for (const [index, { commit, resolve, reject }] of batch.entries()) {
        const row = rows[index];
        if (row === undefined) reject(new Error('the database gave fewer results than it was given commits'));
        else resolve(resultOf(row, commit.key));
      }
      const revision = this.#past.note(integer(rows.at(-1), 1));
      if (rows.some(([ok]) => ok === true)) this.#past.noteChange(revision, stamp);
      this.#full = undefined;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'no-space') this.#full = error;
      for (const { reject } of batch) reject(error);
    }
  }

  /** Sends a batch once; again only where the database said that it was not done. */
  async #send(batch: readonly PendingCommit[], stamp: number): Promise<Row[]> {
    const statement = this.#statements.commitBatch(batchParameters(batch, stamp));
    const giveUpMs = Date.now() + this.#timing.patienceMs;
    const attempt = async (connection: Connection) => {
      const known = this.#past.revision;
      const rows = await connection.query(statement, this.#timing.callMsMax);
      // Committed here, but perhaps not on a standby: the wait for synchronous replication was cancelled.
      const { warning } = connection;
      if (warning !== undefined) throw unknownOutcome(`PostgreSQL warned while it committed: ${warning}`);
      if (integer(rows.at(-1), 1) >= known) return rows;
      await this.#revision();
      throw unknownOutcome('the database was put back to an earlier state');
    };
    for (;;) {
      try {
        return await this.#writes.with(attempt);
      } catch (error) {
        if (error instanceof StoreError) throw error;
        const verdict = judge(error);
        if (verdict.kind === 'final') throw storeErrorOf(error, verdict.code);
        if (verdict.kind === 'broken') throw unknownOutcome(error);
        if (Date.now() >= giveUpMs || !isWrongHost(error)) throw storeErrorOf(error, 'unavailable');
      }
      await new Promise((resolve) => setTimeout(resolve, this.#timing.retryMsMin));
    }
  }

  async #clean(): Promise<void> {
    for (;;) {
      const [[row], { compacted }] = await Promise.all([
        this.#reads.read(this.#statements.cleaned()),
        this.#past.head(this.#read),
      ]);
      const from = integer(row, 0);
      if (from >= compacted || this.#closed) return;
      const startedMs = performance.now();
      await this.#reads.read(this.#statements.clean(from, Math.min(compacted, from + cleanRevisions)));
      // After each removal step, writers get the disk for as long as the step took.
      await sleep(performance.now() - startedMs);
    }
  }

  readonly #read: Run = (statement) => this.#reads.read(statement);

  /** A read whose first row begins with the revision; repeated if that shows that the database was restored. */
  async #present(statement: Statement, signal?: AbortSignal): Promise<Row[]> {
    const known = this.#past.revision;
    const rows = await this.#reads.read(statement, signal);
    if (this.#past.note(integer(rows[0], 0)) >= known) return rows;
    await this.#revision();
    return this.#reads.read(statement, signal);
  }

  async #revision(): Promise<Revision> {
    return (await this.#past.head(this.#read)).head;
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }
}

function checkReadable(
  at: Revision,
  { head, compacted }: { readonly head: Revision; readonly compacted: Revision },
): void {
  if (at > head) throw future(at, head);
  if (at >= compacted) return;
  const text = `revision ${at} was compacted, the oldest left is ${compacted}`;
  throw new StoreError('compacted', text, { revision: compacted });
}

const future = (asked: Revision, head: Revision): StoreError =>
  new StoreError('future-revision', `revision ${asked} has not happened yet, the store is at ${head}`, {
    revision: head,
  });
