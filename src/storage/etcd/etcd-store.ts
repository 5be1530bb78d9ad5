import { closedError } from '../closed.ts';
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
import { lastShared, SharedCompaction } from './shared-compaction.ts';
import { CompactedRevision } from './compacted-revision.ts';
import { type CallPolicy, EtcdClient } from './etcd-client.ts';
import { KeyMap } from './key-map.ts';
import {
  compactRpc,
  type RangeRequest,
  type RangeResponse,
  rangeRpc,
  statusRpc,
  type TxnRequest,
  type TxnResponse,
  txnRpc,
} from './messages.ts';
import { defaultLimits, type EtcdLimits, type EtcdOptions } from './options.ts';
import { PageReader } from './page-reader.ts';
import { recordOf, WatchStream } from './watch-stream.ts';

const briefly = Object.freeze({ repeatable: true, brief: true });
const once = Object.freeze({ repeatable: false });

/** A store in etcd: its revisions are etcd's own, and its watches are one watch of etcd. */
export class EtcdStore implements Store {
  readonly #client: EtcdClient;
  /** For errors. */
  readonly #endpoints: readonly string[];
  readonly #keys: KeyMap;
  readonly #limits: EtcdLimits;
  readonly #compacted: CompactedRevision;
  readonly #watches: RemoteWatches;
  readonly #writing = new Set<Promise<unknown>>();
  /** The latest revision of any response. */
  #known: Revision = 0;
  #closed = false;

  /** @throws {StoreError} `refused` for an endpoint that is no address */
  constructor(options: EtcdOptions, random: () => number) {
    this.#client = new EtcdClient(options, random);
    this.#endpoints = options.endpoints;
    this.#keys = new KeyMap({ root: options.root ?? '', prefix: options.prefix });
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#compacted = new CompactedRevision({
      likelyRevision: () => lastShared(this.#client),
      canRead: (revision) => this.#canRead(revision),
      head: () => this.#revision(),
    });
    const { several, timing } = this.#client;
    const log: RemoteLog = {
      several,
      timing,
      revision: () => this.#revision(),
      known: () => this.#known,
      open: (stream) => WatchStream.open({ client: this.#client, keys: this.#keys, ...stream }),
    };
    const { onTrouble = () => {} } = options;
    this.#watches = new RemoteWatches(log, { limits: this.#limits, onTrouble });
  }

  /**
   * Tries to read and to watch, so that missing permissions are reported at start.
   *
   * @throws {StoreError}
   */
  async check(): Promise<void> {
    const after = await this.#revision();
    const abort = new AbortController();
    const { callMsMax } = this.#client.timing;
    const timer = setTimeout(() => abort.abort(), callMsMax);
    try {
      const { signal } = abort;
      const options = { client: this.#client, keys: this.#keys, range: undefined, after, signal };
      const stream = await WatchStream.open(options);
      for await (const _ of stream.messages()) return;
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      const text = `etcd at ${this.#endpoints.join(', ')} did not answer a watch within ${callMsMax / 1000} s`;
      throw new StoreError('unavailable', text);
    } finally {
      clearTimeout(timer);
    }
  }

  /** As of the member that the watch is at, or was last. */
  get tellsTrueProgress(): boolean {
    return this.#watches.tellsTrueProgress;
  }

  async revision(): Promise<Revision> {
    this.#checkOpen();
    return this.#revision();
  }

  /**
   * Resolves where etcd can be read and written.
   *
   * @throws {StoreError} `unavailable`; `no-space` if an alarm is set
   */
  async health(): Promise<void> {
    await this.revision();
    const { errors } = await this.#client.call(statusRpc, null, briefly);
    const full = errors.find((text) => text.includes('NOSPACE'));
    if (full !== undefined) throw new StoreError('no-space', `etcd has no room left: ${full}`);
  }

  async compactRevision(): Promise<Revision> {
    this.#checkOpen();
    return this.#compacted.find();
  }

  async get(
    key: string,
    { revision }: { readonly revision?: Revision } = {},
  ): Promise<{ record: StoredRecord | undefined; revision: Revision }> {
    this.#checkOpen();
    const response = await this.#range({ key: this.#keys.toEtcd(key), revision: revision ?? 0 }, briefly);
    const [found] = response.keyValues;
    return { record: found && recordOf(key, found), revision: revision ?? response.revision };
  }

  async list(range: KeyRange, options: ListOptions = {}): Promise<ListResult> {
    this.#checkOpen();
    options.signal?.throwIfAborted();
    const bytes = this.#keys.rangeToEtcd(range);
    // What etcd would take for a single key, or for everything.
    if (Buffer.compare(bytes.key, bytes.rangeEnd) >= 0) return this.#emptyList(options.revision);
    const reader = new PageReader({
      read: (request) => this.#range(request, { repeatable: true, signal: options.signal }),
      pageRecordsMax: this.#limits.pageRecordsMax,
    });
    const { keyValues, revision, count } = await reader.read(bytes, options);
    const records = keyValues.flatMap((found) => {
      const key = this.#keys.fromEtcd(found.key);
      return key === undefined ? [] : [recordOf(key, found)];
    });
    return { records, revision, count, more: keyValues.length < count };
  }

  async commit(commit: Commit): Promise<CommitResult> {
    this.#checkOpen();
    const { key, value, expect } = commit;
    const preconditions = commit.preconditions?.map((one) => ({ ...one, key: this.#keys.toEtcd(one.key) }));
    requireKey(key);
    const writing = this.#commit(commit, {
      key: this.#keys.toEtcd(key),
      value,
      modRevision: expect,
      preconditions,
    });
    this.#writing.add(writing);
    try {
      return await writing;
    } finally {
      this.#writing.delete(writing);
    }
  }

  watch(range: KeyRange, options: WatchOptions): StoreWatch {
    return this.#watches.watch(range, options);
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen();
    try {
      const timeoutMs = this.#client.timing.compactMsMax;
      await this.#client.call(compactRpc, { revision, physical: true }, { repeatable: true, timeoutMs });
    } catch (error) {
      // It was already compacted, by this server or another one.
      if (!(error instanceof StoreError) || error.code !== 'compacted')
        throw await this.#withRevision(error, revision);
    }
    this.#watches.forget(revision);
  }

  /** The part of one server in forgetting the past together with the other servers of this etcd. */
  compaction(): SharedCompaction {
    return new SharedCompaction({ client: this.#client, compact: (revision) => this.compact(revision) });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#watches.close();
    await Promise.allSettled(this.#writing);
    this.#client.close();
  }

  async #commit({ key, value, expect }: Commit, request: TxnRequest): Promise<CommitResult> {
    // A key that must be absent cannot be deleted.
    if (value === null && expect === 0) {
      const { record, revision } = await this.get(key);
      return { ok: false, current: record, revision };
    }
    const response = await this.#txn(request);
    this.#note(response.revision);
    const { succeeded, current, revision } = response;
    if (succeeded) return { ok: true, revision };
    return { ok: false, current: current && recordOf(key, current), revision };
  }

  /**
   * A write that reaches etcd's quota is done, but answered with `no-space`: a read finds out whether
   * it took effect. If the key has changed, this write or another one may have done it.
   */
  async #txn(request: TxnRequest): Promise<TxnResponse> {
    try {
      return await this.#client.call(txnRpc, request, once);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'no-space') throw error;
      const { keyValues } = await this.#range({ key: request.key }, briefly);
      if ((keyValues[0]?.modRevision ?? 0) === request.modRevision) throw error;
      throw new StoreError('outcome-unknown', `whether the write happened is unknown: ${error.message}`, {
        cause: error,
      });
    }
  }

  async #emptyList(revision: Revision | undefined): Promise<ListResult> {
    return { records: [], revision: revision ?? (await this.#revision()), count: 0, more: false };
  }

  async #range(request: RangeRequest, policy: CallPolicy): Promise<RangeResponse> {
    try {
      const response = await this.#client.call(rangeRpc, request, policy);
      this.#note(response.revision);
      return response;
    } catch (error) {
      throw await this.#withRevision(error, request.revision ?? 0);
    }
  }

  /** etcd reports that a revision is too old or too new, but not which ones it has. */
  async #withRevision(error: unknown, asked: Revision): Promise<unknown> {
    if (!(error instanceof StoreError)) return error;
    const options = { cause: error.cause };
    if (error.code === 'compacted') {
      const oldest = await this.#compacted.find();
      const text = `revision ${asked} was compacted, the oldest left is ${oldest}`;
      return new StoreError('compacted', text, { ...options, revision: oldest });
    }
    if (error.code !== 'future-revision') return error;
    const now = await this.#revision();
    const text = `revision ${asked} has not happened yet, the store is at ${now}`;
    return new StoreError('future-revision', text, { ...options, revision: now });
  }

  /** The smallest linearizable read there is: of nothing. */
  async #revision(): Promise<Revision> {
    const request = { key: this.#keys.all.key, countOnly: true };
    const { revision } = await this.#client.call(rangeRpc, request, briefly);
    this.#note(revision);
    return revision;
  }

  async #canRead(revision: Revision): Promise<boolean> {
    try {
      await this.#client.call(rangeRpc, { key: this.#keys.all.key, countOnly: true, revision }, briefly);
      return true;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'compacted') return false;
      throw error;
    }
  }

  #note(revision: Revision): void {
    if (revision > this.#known) this.#known = revision;
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }
}
