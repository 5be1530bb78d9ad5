import { closedError, closedWatch } from '../closed.ts';
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
  type StoredRecord,
  StoreError,
  type StoreWatch,
  type WatchOptions,
} from '../store.ts';
import type { BatchReader } from './batch.ts';
import { threadLimits } from './limits.ts';
import { type Call, OwnerPort } from './owner-port.ts';
import { readPages } from './page-reader.ts';
import type { StoreShare } from './share-store.ts';
import { SharedRevision } from './shared-revision.ts';
import { readRecord, request, writeCommit } from './wire.ts';

/** A store that another thread owns. */
export interface SharedStore extends Store {
  /** Resolves where the owner's store can do its work; rejects with what ails it. */
  health(): Promise<void>;
}

interface SharedStoreOptions {
  /** Called with every interruption of the stream of changes, for the log. */
  readonly onTrouble?: (error: unknown) => void;
}

/**
 * Opens a store that another thread owns. Closing it closes this share; the owner's store stays open, and when that is
 * closed, or its thread ends, everything here fails with `closed`.
 */
export function openSharedStore(share: StoreShare, options: SharedStoreOptions = {}): SharedStore {
  return new ThreadStore(share, options);
}

/** The stream of changes comes from the same process: it cannot stall, so nothing is asked repeatedly. */
const timing = Object.freeze({
  retryMsMin: 1,
  retryMsMax: 1_000,
  stallMsMax: Number.POSITIVE_INFINITY,
  progressMs: 3_600_000,
  silenceMsMax: Number.POSITIVE_INFINITY,
});

class ThreadStore implements SharedStore {
  readonly tellsTrueProgress = true;
  readonly #port: OwnerPort;
  readonly #revision: SharedRevision;
  readonly #watches: RemoteWatches;
  readonly #writing = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor({ port, revision }: StoreShare, { onTrouble = () => {} }: SharedStoreOptions) {
    this.#revision = new SharedRevision(revision);
    this.#port = new OwnerPort(port, () => this.#lost());
    const log: RemoteLog = {
      timing,
      several: false,
      revision: () => this.revision(),
      known: () => this.#revision.revision ?? 0,
      open: async (stream) => this.#port.open(stream),
    };
    this.#watches = new RemoteWatches(log, { limits: threadLimits, onTrouble });
  }

  get knownRevision(): Revision | undefined {
    return this.#isClosed ? undefined : this.#revision.revision;
  }

  async revision(): Promise<Revision> {
    const revision = this.knownRevision;
    if (revision === undefined) throw closedError();
    return revision;
  }

  compactRevision(): Promise<Revision> {
    return this.#call({ kind: request.compactRevision, read: (reply) => reply.number() });
  }

  health(): Promise<void> {
    return this.#call({ kind: request.health, read: () => undefined });
  }

  get(
    key: string,
    { revision }: { readonly revision?: Revision } = {},
  ): Promise<{ record: StoredRecord | undefined; revision: Revision }> {
    return this.#call({
      kind: request.get,
      write: (batch) => batch.add(key, revision ?? null),
      read: (reply) => {
        const at = reply.number();
        return { record: readRecord(reply), revision: at };
      },
    });
  }

  /** In pages of one revision, so that no thread is held by a long list. */
  async list(range: KeyRange, options: ListOptions = {}): Promise<ListResult> {
    options.signal?.throwIfAborted();
    return readPages((page) => this.#call(page), range, options);
  }

  async commit(commit: Commit): Promise<CommitResult> {
    if (this.#isClosed) throw closedError();
    requireKey(commit.key);
    const writing = this.#call({
      kind: request.commit,
      write: (batch) => writeCommit(batch, commit),
      read: readCommitResult,
      unanswered,
    });
    this.#writing.add(writing);
    try {
      return await writing;
    } finally {
      this.#writing.delete(writing);
    }
  }

  watch(range: KeyRange, options: WatchOptions): StoreWatch {
    if (this.#isClosed) return closedWatch;
    // Whoever compacted the store: this thread may still have the changes.
    this.#watches.forget(this.#revision.compacted);
    return this.#watches.watch(range, options);
  }

  async compact(revision: Revision): Promise<void> {
    await this.#call({
      kind: request.compact,
      write: (batch) => batch.add(revision),
      read: () => undefined,
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.allSettled(this.#writing);
    await this.#watches.close();
    this.#port.close();
  }

  #call<T>(call: Call<T>): Promise<T> {
    return this.#isClosed ? Promise.reject(closedError()) : this.#port.call(call);
  }

  #lost(): void {
    this.#isClosed = true;
    void this.#watches.close();
  }
}

function readCommitResult(reply: BatchReader): CommitResult {
  const ok = reply.number() === 1;
  const revision = reply.number();
  return ok ? { ok, revision } : { ok, current: readRecord(reply), revision };
}

const unanswered = (): StoreError =>
  new StoreError('outcome-unknown', 'the thread that owns the store ended before it answered the write');
