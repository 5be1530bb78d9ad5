import { closedError, closedWatch } from './closed.ts';
import { GroupCommit, type PendingCommit } from './group-commit.ts';
import { requireKey } from './key-order.ts';
import type { Log } from './log.ts';
import {
  type Commit,
  type CommitResult,
  type KeyRange,
  type ListOptions,
  type ListResult,
  type Revision,
  type Store,
  type StoredRecord,
  StoreError,
  type StoreWatch,
  type WatchOptions,
} from './store.ts';
import { WatchHub } from './watch-hub.ts';

interface LogStoreOptions {
  /** Whether the commits of one turn of the event loop share one `append`: worth it where an append has a price. */
  readonly groupCommits: boolean;
}

/** A `Store` on top of a synchronous {@link Log}: what the embedded drivers have in common. */
export class LogStore implements Store {
  readonly tellsTrueProgress = true;
  readonly #log: Log;
  readonly #hub: WatchHub;
  readonly #group: GroupCommit | undefined;
  /** Before this revision nothing may be asked, though the log may still be busy forgetting it. */
  #compacted: Revision;
  #compacting: Promise<void> | undefined;
  #closed = false;

  constructor(log: Log, options: LogStoreOptions) {
    this.#log = log;
    this.#hub = new WatchHub(log);
    this.#compacted = log.compacted;
    this.#group = options.groupCommits ? new GroupCommit((batch) => this.#write(batch)) : undefined;
  }

  get knownRevision(): Revision | undefined {
    return this.#closed ? undefined : this.#log.head;
  }

  async revision(): Promise<Revision> {
    this.#checkOpen();
    return this.#log.head;
  }

  async compactRevision(): Promise<Revision> {
    this.#checkOpen();
    return this.#compacted;
  }

  async get(
    key: string,
    options: { readonly revision?: Revision } = {},
  ): Promise<{ record: StoredRecord | undefined; revision: Revision }> {
    const revision = this.#readable(options.revision);
    if (revision === this.#log.head) return { record: this.#log.get(key), revision };
    const { records } = this.#log.list(
      { start: key, end: `${key}\0` },
      { at: revision, limit: 1, counted: false },
    );
    return { record: records[0], revision };
  }

  async list(range: KeyRange, options: ListOptions = {}): Promise<ListResult> {
    options.signal?.throwIfAborted();
    const revision = this.#readable(options.revision);
    const { limit = Number.POSITIVE_INFINITY, counted = true } = options;
    const { records, count } = this.#log.list(range, { at: revision, limit, counted });
    return { records, revision, count, more: records.length < count };
  }

  commit(commit: Commit): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#checkOpen();
      requireKey(commit.key);
      const pending = { commit, resolve, reject };
      if (this.#group === undefined) this.#write([pending]);
      else this.#group.add(pending);
    });
  }

  watch(range: KeyRange, options: WatchOptions): StoreWatch {
    return this.#closed ? closedWatch : this.#hub.watch(range, options);
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen();
    if (revision > this.#log.head) throw this.#future(revision);
    if (revision > this.#compacted) {
      this.#compacted = revision;
      this.#hub.forget(revision);
    }
    this.#compacting ??= this.#compactInTurns().finally(() => {
      this.#compacting = undefined;
    });
    await this.#compacting;
  }

  /**
   * Resolves where the store can do its work.
   *
   * @throws {StoreError} `no-space`, `damaged`: what ails it
   */
  async health(): Promise<void> {
    this.#checkOpen();
    this.#log.health?.();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#group?.flush();
    this.#closed = true;
    this.#hub.close();
    this.#log.close();
  }

  #write(batch: readonly PendingCommit[]): void {
    const before = this.#log.head;
    try {
      const { results, events } = this.#log.append(batch.map(({ commit }) => commit));
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined) reject(new Error('the log gave fewer results than it was given commits'));
        else resolve(result);
      });
      if (events.length > 0) this.#hub.publish(events, before);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** A small piece in each turn of the event loop, so that requests are served in between. */
  async #compactInTurns(): Promise<void> {
    while (!this.#closed && this.#log.compactSome(this.#compacted)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #readable(revision: Revision = this.#log.head): Revision {
    this.#checkOpen();
    if (revision > this.#log.head) throw this.#future(revision);
    if (revision < this.#compacted) {
      throw new StoreError(
        'compacted',
        `revision ${revision} was compacted, the oldest left is ${this.#compacted}`,
        {
          revision: this.#compacted,
        },
      );
    }
    return revision;
  }

  #future(revision: Revision): StoreError {
    const { head } = this.#log;
    return new StoreError(
      'future-revision',
      `revision ${revision} has not happened yet, the store is at ${head}`,
      {
        revision: head,
      },
    );
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }
}
