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

/** Where the feed puts what it reads. */
interface FeedSink {
  /** Everything up to here has arrived. */
  revision(): Revision;
  /**
   * The whole range as of a revision; what was known before is no longer continued. The storage itself was at
   * `current`, which the first list may lie behind of. In steps; nothing changes before the last one.
   */
  load(list: LoadedList): Steps<void>;
  apply(message: WatchMessage): void;
  /** Nothing can be read until somebody removes or repairs a value, which is tried again and again. */
  failed(error: StoreError): void;
  /** The storage was closed: nothing will come any more. */
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
  /** So many revisions before the current one the first list is taken, to have their events in the window. */
  readonly warmRevisionsMax: number;
  readonly listPageRecords: number;
  readonly retryMsMin: number;
  readonly retryMsMax: number;
  /** Told of every interruption, for the log. */
  readonly onTrouble: (error: unknown) => void;
}

/** After a message of so many events others have their turn: the past of a storage in the same process comes without a wait. */
const manyEvents = 256;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Reads one range of the storage for ever: a list, where the sink has nothing yet, then a watch from there. A watch that breaks is taken up again
 * where it was; only when that is compacted, or the events made no sense, the range is listed anew.
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

  /** Asks the storage to tell how far it is; answered as a message without events. */
  askProgress(): void {
    this.#watch?.requestProgress();
  }

  /** Stops reading; resolves once nothing will be put into the sink any more. */
  async close(): Promise<void> {
    this.#abort.abort();
    this.#watch?.close();
    await this.#done;
  }

  async #run(): Promise<void> {
    // Whoever makes the feed finishes its own construction first.
    await Promise.resolve();
    this.#loaded = this.#options.sink.revision() > 0;
    while (!this.#closed) {
      try {
        if (!this.#loaded) await this.#load();
        if (!this.#closed) await this.#follow();
      } catch (error) {
        if (this.#closed) return;
        if (error instanceof StoreError && error.code === 'closed') return this.#options.sink.lost();
        // Of a watch, only the past may be unreadable: the list tells.
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

  /** The list at the revision wished for, or at the second where the first is compacted or its values have lost their keys. */
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
      const options = { revision, limit: listPageRecords, signal: this.#abort.signal };
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
      // The first answer tells how far the past goes, also where this range was quiet.
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

  /** Twice as long after each failure in a row. */
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

/** True where the watch may go on from where it broke; not after a bug or when its past or its future is gone. */
function canContinue(error: unknown): boolean {
  return error instanceof StoreError && !isPastGone(error) && error.code !== 'future-revision';
}

const isPastGone = (error: unknown) =>
  error instanceof StoreError && (error.code === 'compacted' || error.code === 'unreadable');

const isUnreadable = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.code === 'unreadable';
