import type { Steps } from '../../meta/index.ts';
import {
  type KeyRange,
  type ListResult,
  type Revision,
  type Store,
  StoreError,
  type StoredRecord,
  type StoreWatch,
  type WatchMessage,
} from '../../storage/index.ts';
import { packValues } from './pack-values.ts';

/** The receiver of the feed. */
interface FeedSink {
  /** All changes up to here have arrived. */
  revision(): Revision;
  /**
   * Replaces the state by a list of the whole range at a revision. The storage itself was at `current`, which may be
   * later than the first list. In steps; the state changes only in the last one.
   */
  load(list: LoadedList): Steps<void>;
  apply(message: WatchMessage): void;
  /** The range cannot be read until a value is removed or repaired; the feed retries. */
  failed(error: StoreError): void;
  /** The storage was closed: there are no further calls. */
  lost(): void;
}

export interface LoadedList {
  readonly records: readonly StoredRecord[];
  readonly revision: Revision;
  readonly current: Revision;
}

interface StoreFeedOptions {
  readonly store: Store;
  readonly range: KeyRange;
  readonly sink: FeedSink;
  /** How many revisions before the current one the first list is taken, so that their events are in the window. */
  readonly warmRevisionsMax: number;
  readonly listPageRecords: number;
  readonly retryMsMin: number;
  readonly retryMsMax: number;
  /** Called with every interruption, for the log. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * After a message with this many events, other tasks run: the log of a storage in the same process is read without
 * any wait.
 */
const manyEvents = 256;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Reads one range of the storage continuously: a list, if the receiver is empty, then a watch from there. An
 * interrupted watch continues where it was; only if that revision is compacted, or the events were inconsistent, is
 * the range listed again.
 */
export class StoreFeed {
  readonly #options: StoreFeedOptions;
  readonly #abort = new AbortController();
  #watch: StoreWatch | undefined;
  #loaded = false;
  #failures = 0;
  readonly #done: Promise<void>;

  constructor(options: StoreFeedOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  /** Asks the storage for its progress; the answer is a message without events. */
  askProgress(): void {
    this.#watch?.requestProgress();
  }

  /** Stops reading; resolves when nothing more will be passed to the receiver. */
  async close(): Promise<void> {
    this.#abort.abort();
    this.#watch?.close();
    await this.#done;
  }

  async #run(): Promise<void> {
    // The creator of the feed finishes its own construction first.
    await Promise.resolve();
    this.#loaded = this.#options.sink.revision() > 0;
    while (!this.#closed) {
      try {
        if (!this.#loaded) await this.#load();
        if (!this.#closed) await this.#follow();
      } catch (error) {
        if (this.#closed) return;
        if (error instanceof StoreError && error.code === 'closed') return this.#options.sink.lost();
        // A watch may fail because of unreadable old values: the list tells.
        if (!this.#loaded && isUnreadable(error)) this.#options.sink.failed(error);
        if (!canContinue(error)) this.#loaded = false;
        this.#options.onTrouble(error);
      }
      if (!this.#closed) await this.#pause();
    }
  }

  get #closed(): boolean {
    return this.#abort.signal.aborted;
  }

  async #load(): Promise<void> {
    const { store, sink, warmRevisionsMax } = this.#options;
    const current = await store.revision();
    const first = sink.revision() === 0;
    const warm = first ? Math.max(await store.compactRevision(), current - warmRevisionsMax) : current;
    const list = await this.#listOr(Math.min(Math.max(warm, 1), current), current);
    if (this.#closed) return;
    for (const steps = sink.load({ ...list, current }); steps.next().done !== true; ) {
      await nextTurn();
      if (this.#closed) return;
    }
    this.#loaded = true;
  }

  /**
   * The list at the wanted revision, or at the second one if the first is compacted or its values cannot be
   * decrypted.
   */
  async #listOr(revision: Revision, otherwise: Revision) {
    try {
      return await this.#list(revision);
    } catch (error) {
      if (revision === otherwise || !isPastGone(error)) throw error;
      return this.#list(otherwise);
    }
  }

  async #list(revision: Revision) {
    const { store, range, listPageRecords } = this.#options;
    const records: StoredRecord[] = [];
    let start = range.start;
    let page: ListResult;
    do {
      const options = { revision, limit: listPageRecords, counted: false, signal: this.#abort.signal };
      page = await store.list({ start, end: range.end }, options);
      for (const record of packValues(page.records)) records.push(record);
      start = `${page.records.at(-1)?.key ?? ''}\0`;
      if (page.more) await nextTurn();
    } while (page.more && page.records.length > 0);
    return { records, revision };
  }

  async #follow(): Promise<void> {
    const { store, range, sink } = this.#options;
    const watch = store.watch(range, { after: sink.revision(), signal: this.#abort.signal });
    this.#watch = watch;
    try {
      // The first answer tells how far the log goes back, even if this range was quiet.
      watch.requestProgress();
      for await (const message of watch) {
        if (this.#closed) return;
        sink.apply(message);
        this.#failures = 0;
        if (message.events.length >= manyEvents) await nextTurn();
      }
    } finally {
      this.#watch = undefined;
      watch.close();
    }
  }

  /** The delay doubles with each consecutive failure. */
  #pause(): Promise<void> {
    const { retryMsMin, retryMsMax } = this.#options;
    const delayMs = Math.min(retryMsMin * 2 ** Math.min(this.#failures, 30), retryMsMax);
    this.#failures += 1;
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#abort.signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, delayMs);
      this.#abort.signal.addEventListener('abort', finish, { once: true });
    });
  }
}

/** True if the watch may continue from where it was interrupted; not after a bug or if that revision is compacted. */
function canContinue(error: unknown): boolean {
  return error instanceof StoreError && !isPastGone(error) && error.code !== 'future-revision';
}

const isPastGone = (error: unknown) =>
  error instanceof StoreError && (error.code === 'compacted' || error.code === 'unreadable');

const isUnreadable = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.code === 'unreadable';
