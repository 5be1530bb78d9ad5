import { type Clock, limits, type Steps, systemTimers, type Timers } from '../meta/index.ts';
import {
  type KeyRange,
  prefixRange,
  type Revision,
  type Store,
  type StoreError,
  type WatchMessage,
} from '../storage/index.ts';
import type { DispatchIndex } from './dispatch/dispatch-index.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { Freshness, type WaitOptions } from './freshness.ts';
import { readHistory } from './dispatch/history.ts';
import type { IndexDefinition } from './index/index-source.ts';
import type { IndexSize } from './index/value-index.ts';
import { Indexes } from './state/indexes.ts';
import { scopeRange } from './dispatch/scope.ts';
import { ScopeIndex } from './dispatch/scope-index.ts';
import { SharedRead } from './shared-read.ts';
import type { Snapshot } from './state/snapshot.ts';
import { type LoadedList, StoreFeed } from './feed/store-feed.ts';
import { type SubscribeOptions, Subscription, type SubscriptionSource } from './dispatch/subscription.ts';
import type { ViewEntry } from './entries/view-entry.ts';
import { ValueDispatchIndex } from './dispatch/value-dispatch-index.ts';
import { ViewError } from './view-error.ts';
import { ViewState } from './state/view-state.ts';

/** The initial state of a view that does not have to load. */
export interface ViewStart<M> {
  /** Its entries are shared, including what the layer above caches on them. */
  readonly snapshot: Snapshot<M>;
  /** The storage's revision; the view catches up from its snapshot. */
  readonly current: Revision;
}

export interface LiveViewOptions<M> {
  /** The common prefix of the resource's keys; ends in `/`. */
  readonly prefix: string;
  readonly clock: Clock;
  /** The timers of the heartbeat. */
  readonly timers?: Timers;
  /** An initial state instead of a list: that of the parent's view, in a fork of the store. */
  readonly start?: ViewStart<M> | undefined;
  readonly windowMs?: number;
  readonly windowEventsMax?: number;
  /** The maximum size of replaced contents that the window keeps, in bytes. */
  readonly windowBytesMax?: number;
  /** The queue size of a subscription; beyond it, it reads from the window. */
  readonly queueEventsMax?: number;
  /** How many revisions the first list goes back, so that watches that resume after a restart find their events. */
  readonly warmRevisionsMax?: number;
  readonly listPageRecords?: number;
  /** The interval at which a quiet view asks the storage for its progress, so that bookmarks advance. */
  readonly heartbeatMs?: number;
  readonly retryMsMin?: number;
  readonly retryMsMax?: number;
  /** A smaller view is scanned instead of indexed. */
  readonly indexedEntriesMin?: number;
  /** The maximum number of undeclared indexes; the least recently used are evicted. */
  readonly undeclaredIndexesMax?: number;
  /** Tried in this order, before those by value and by scope. */
  readonly dispatchIndexes?: readonly DispatchIndex<M>[];
  /** Called with every interruption of the feed, for the log. */
  readonly onTrouble?: (error: unknown) => void;
}

const defaults = Object.freeze({
  timers: systemTimers,
  start: undefined,
  windowMs: limits.watchWindowMs,
  windowEventsMax: limits.watchWindowEventsMax,
  windowBytesMax: 256 * 1024 * 1024,
  queueEventsMax: limits.watchQueueEventsMax,
  warmRevisionsMax: 4_096,
  listPageRecords: 500,
  heartbeatMs: 5_000,
  retryMsMin: 50,
  retryMsMax: 5_000,
  indexedEntriesMin: 128,
  undeclaredIndexesMax: limits.labelIndexesMax,
  dispatchIndexes: [],
  onTrouble: () => {},
});

/** The interval at which the storage is asked for its progress while a reader waits; upstream's value. */
const askProgressEveryMs = 100;

/**
 * The live view of one resource: all objects stored under a prefix, in memory and in order, following the storage;
 * with its recent past, and watches.
 *
 * Reads are synchronous and never fail; a reader first requires a freshness with {@link atLeast} or
 * {@link consistent}. `M` is what the layer above caches on an entry.
 */
export class LiveView<M> {
  readonly #store: Store;
  readonly #range: KeyRange;
  readonly #queueEventsMax: number;
  readonly #state: ViewState<M>;
  readonly #indexes: Indexes<M>;
  readonly #dispatcher: Dispatcher<M>;
  readonly #freshness: Freshness;
  readonly #storeRevision: SharedRead<Revision>;
  readonly #subscriptions = new Set<Subscription<M>>();
  readonly #source: SubscriptionSource<M>;
  readonly #feed: StoreFeed;
  readonly #endHeartbeat: () => void;
  /** The storage's revision when the view was opened; undefined until the first list. */
  #readyFrom: Revision | undefined;
  /** The reason why the range cannot be read at present. */
  #failure: StoreError | undefined;
  #closed = false;

  /** Opens the view; it starts to load at once. */
  static open<M>(store: Store, options: LiveViewOptions<M>): LiveView<M> {
    return new LiveView(store, { ...defaults, ...options });
  }

  private constructor(store: Store, options: Required<LiveViewOptions<M>>) {
    this.#store = store;
    this.#range = prefixRange(options.prefix);
    this.#queueEventsMax = options.queueEventsMax;
    this.#state = new ViewState(options.clock, { ...options, warmEventsMax: options.queueEventsMax });
    if (options.start !== undefined) this.#state.begin(options.start.snapshot);
    this.#readyFrom = options.start?.current;
    this.#indexes = new Indexes(this.#state, options);
    const dispatchIndexes = [...options.dispatchIndexes, new ValueDispatchIndex<M>(), new ScopeIndex<M>()];
    this.#dispatcher = new Dispatcher(dispatchIndexes);
    this.#storeRevision = new SharedRead(() => store.revision());
    this.#source = this.#makeSource();
    this.#feed = this.#makeFeed(options);
    this.#freshness = new Freshness({
      current: () => this.revision,
      loading: { isUnderWay: () => !this.isReady, msMax: limits.viewLoadMsMax },
      askProgress: () => this.#feed.askProgress(),
      askEveryMs: askProgressEveryMs,
    });
    this.#endHeartbeat = options.timers.every(options.heartbeatMs, () => this.#beat());
  }

  /** The applied revision; 0 until the first list. */
  get revision(): Revision {
    return this.#state.revision;
  }

  /** Increases with every change of an entry; data read from the view is valid while it is the same. */
  get changes(): number {
    return this.#state.changes;
  }

  /** The oldest revision of {@link snapshotAt}; later subscriptions need no other history. */
  get oldestRevision(): Revision {
    return this.#state.window.start;
  }

  /** The number of open subscriptions. */
  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  /**
   * Resolves when the view includes everything that the storage had when the view was opened.
   *
   * @throws {ViewError} `closed`, or the reason of the signal.
   */
  async ready(options: WaitOptions = {}): Promise<void> {
    await this.atLeast(1, options);
    await this.atLeast(this.#readyFrom ?? 1, options);
  }

  /** Whether {@link ready} would not wait. */
  get isReady(): boolean {
    return this.shows(this.#readyFrom ?? 1);
  }

  /** Whether {@link atLeast} would not wait. */
  shows(revision: Revision): boolean {
    return !this.#closed && this.revision >= Math.max(revision, 1);
  }

  /** The result of {@link consistent}, if it is available without a request or a wait. */
  get consistentNow(): Revision | undefined {
    const revision = this.#store.knownRevision;
    return revision !== undefined && this.shows(revision) ? revision : undefined;
  }

  /** The current entry of a key. */
  get(key: string): ViewEntry<M> | undefined {
    return this.#state.get(key);
  }

  /** The current state. Taking it is free; holding it costs memory for what changes afterwards. */
  snapshot(): Snapshot<M> {
    return this.#state.snapshot();
  }

  /**
   * The exact state at a revision in the window.
   *
   * @throws {ViewError} `expired` before the window's start, `future` beyond the view's revision.
   */
  snapshotAt(revision: Revision): Snapshot<M> {
    return this.#state.snapshotAt(revision);
  }

  /**
   * Waits until the view has applied a revision.
   *
   * @throws {ViewError} `timeout` or `closed`, or the reason of the signal.
   */
  async atLeast(revision: Revision, options: WaitOptions): Promise<void> {
    if (this.#closed) throw new ViewError('closed', { requested: revision, current: this.revision });
    if (this.#failure !== undefined && this.revision < revision) throw this.#failure;
    await this.#freshness.wait(revision, options);
  }

  /**
   * Waits until the view includes everything acknowledged before the call, and returns the storage's revision.
   *
   * @throws {ViewError} `timeout` or `closed`, the reason of the signal, or the storage's error.
   */
  async consistent(options: WaitOptions): Promise<Revision> {
    const revision = await this.#storeRevision.get();
    await this.atLeast(revision, options);
    return revision;
  }

  /**
   * Resolves when snapshots have these indexes; indexes that cannot be built, or are not worthwhile, are left out.
   * They are maintained from then on.
   */
  prepareIndexes(definitions: readonly IndexDefinition<M>[]): Promise<void> {
    return this.#indexes.prepare(definitions);
  }

  /** The size of each index, by field or label. */
  indexSizes(): (IndexSize & { readonly field: string })[] {
    return this.#state.indexSizes();
  }

  /** Drops all indexes, because their definitions have changed. */
  dropIndexes(): void {
    this.#indexes.drop();
  }

  /** Watches a scope. May be called before the view is ready. */
  subscribe(options: SubscribeOptions<M>): Subscription<M> {
    const queueEventsMax = this.#queueEventsMax;
    const subscription = new Subscription(this.#source, { ...options, queueEventsMax });
    if (this.#closed) subscription.close();
    return subscription;
  }

  /**
   * Ends all subscriptions and waits, and closes the storage watch. The view can still be read, but no longer
   * changes.
   */
  async close(): Promise<void> {
    this.#stop();
    await this.#feed.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #makeSource(): SubscriptionSource<M> {
    const state = this.#state;
    return {
      window: state.window,
      get revision() {
        return state.revision;
      },
      get started() {
        return state.revision > 0;
      },
      history: (scope, options) => readHistory(this.#store, scopeRange(scope, this.#range), options),
      join: (subscription) => this.#dispatcher.join(subscription),
      leave: (subscription) => this.#dispatcher.leave(subscription),
      began: (subscription) => this.#subscriptions.add(subscription),
      ended: (subscription) => this.#subscriptions.delete(subscription),
      wakeSoon: (subscription) => this.#dispatcher.wakeSoon(subscription),
    };
  }

  #makeFeed(options: Required<LiveViewOptions<M>>): StoreFeed {
    const sink = {
      revision: () => this.revision,
      load: (list: LoadedList) => this.#load(list),
      apply: (message: WatchMessage) => this.#apply(message),
      failed: (error: StoreError) => this.#fail(error),
      lost: () => this.#stop(),
    };
    return new StoreFeed({ ...options, store: this.#store, range: this.#range, sink });
  }

  #fail(error: StoreError): void {
    this.#failure = error;
    this.#freshness.fail(error);
  }

  *#load(list: LoadedList): Steps<void> {
    this.#failure = undefined;
    const goesBack = list.revision < this.revision;
    yield* this.#state.load(list.records, list.revision);
    this.#readyFrom ??= list.current;
    for (const subscription of [...this.#subscriptions]) {
      if (goesBack) subscription.expire();
      else subscription.restartedAt(list.revision);
    }
    this.#freshness.advanced(this.revision);
  }

  #apply(message: WatchMessage): void {
    this.#state.apply(message, (change) => this.#dispatcher.dispatch(change));
    this.#freshness.advanced(this.revision);
  }

  #beat(): void {
    this.#state.trim();
    if (this.#subscriptions.size > 0) this.#feed.askProgress();
  }

  #stop(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#endHeartbeat();
    this.#freshness.fail(new ViewError('closed', { current: this.revision }));
    for (const subscription of [...this.#subscriptions]) subscription.close();
  }
}
