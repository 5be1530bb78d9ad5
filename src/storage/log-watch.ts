import { closingIterator } from './closing-iterator.ts';
import { type SortRange, sortRange } from './key-order.ts';
import {
  type KeyRange,
  type Revision,
  StoreError,
  type StoreEvent,
  type StoreWatch,
  type WatchMessage,
  type WatchOptions,
} from './store.ts';

/** What a watch asks of the hub it belongs to. */
export interface WatchSource {
  readonly head: Revision;
  /** The oldest revision whose change is still known. */
  readonly compacted: Revision;
  /** Reads on in the log; `revision` is how far it looked, `head` at most. */
  read(range: KeyRange, after: Revision): WatchMessage;
  /** From now on `deliver` is called for each batch of changes in the range. */
  join(watch: LogWatch): void;
  /** No more calls of `deliver`. */
  leave(watch: LogWatch): void;
  /** The watch is over. */
  ended(watch: LogWatch): void;
}

/** How many events may wait in one watch before it must read the log again. */
export const maxQueuedEvents = 1_000;

/** Lets everything else have its turn. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * One watch of a log. It is `live` (events are pushed into its queue as they happen) or behind (it reads the log as
 * its reader asks for more), what etcd calls synced and unsynced. A live watch whose reader does not keep up falls
 * behind: it costs a bounded queue and then nothing, until its reader reads again or the log is compacted.
 */
export class LogWatch implements StoreWatch {
  readonly range: KeyRange;
  readonly sortRange: SortRange;
  readonly #source: WatchSource;
  readonly #signal: AbortSignal | undefined;
  #queue: WatchMessage[] = [];
  #queuedEvents = 0;
  #live = false;
  #ended = false;
  /** The next revision to read while the watch is behind. */
  #seen: Revision;
  #progressDue = false;
  #wake: (() => void) | undefined;

  constructor(source: WatchSource, range: KeyRange, options: WatchOptions) {
    this.#source = source;
    this.range = range;
    this.sortRange = sortRange(range);
    this.#seen = options.after;
    this.#signal = options.signal;
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (this.#signal?.aborted) this.close();
    else if (options.after === source.head) this.#goLive();
  }

  /** Takes a batch of changes of the range, the first since `before`. Called by the hub while the watch is live. */
  deliver(message: WatchMessage, before: Revision): void {
    const overflows = this.#queue.length > 0 && this.#queuedEvents + message.events.length > maxQueuedEvents;
    if (overflows) this.#fallBehind(before);
    else this.#push(message);
  }

  /** The next revision to read, for a watch that is behind. */
  get seen(): Revision {
    return this.#seen;
  }

  /** Called by the hub: what was pushed goes up to a revision, and from there on the log must be read. */
  interrupt(revision: Revision): void {
    if (!this.#live) return;
    this.#fallBehind(revision);
    this.#wake?.();
  }

  requestProgress(): void {
    if (this.#ended) return;
    if (this.#live) this.#pushProgress();
    else this.#progressDue = true;
  }

  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#queue = [];
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (this.#live) this.#source.leave(this);
    this.#source.ended(this);
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchMessage> {
    return closingIterator(this.#messages(), () => this.close());
  }

  readonly #onAbort = (): void => this.close();

  async *#messages(): AsyncGenerator<WatchMessage, undefined, undefined> {
    while (!this.#ended) {
      const message = this.#shift();
      if (message !== undefined) yield message;
      else if (this.#live) await this.#pushed();
      else if (!this.#readOn()) await nextTurn();
    }
    return undefined;
  }

  #shift(): WatchMessage | undefined {
    const message = this.#queue.shift();
    if (message !== undefined) this.#queuedEvents -= message.events.length;
    return message;
  }

  #pushed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  #push(message: WatchMessage): void {
    this.#queue.push(message);
    this.#queuedEvents += message.events.length;
    this.#wake?.();
  }

  /** Newer progress replaces unread progress, so frequent requests cost nothing. */
  #pushProgress(): void {
    if (this.#queue.at(-1)?.events.length === 0) this.#queue.pop();
    this.#push({ events: [], revision: this.#source.head });
  }

  /** Reads one window of the log. Says whether the reader has something to do. */
  #readOn(): boolean {
    this.#checkStart();
    const message = this.#source.read(this.range, this.#seen);
    this.#seen = message.revision;
    if (message.events.length > 0) this.#push(message);
    if (this.#seen === this.#source.head) this.#goLive();
    return message.events.length > 0 || this.#live;
  }

  /** Nothing can happen between the look at the head and this call: the log is read and written synchronously. */
  #goLive(): void {
    this.#live = true;
    this.#source.join(this);
    if (this.#progressDue) this.#pushProgress();
    this.#progressDue = false;
  }

  #fallBehind(before: Revision): void {
    this.#live = false;
    this.#seen = before;
    this.#source.leave(this);
  }

  #checkStart(): void {
    const { head, compacted } = this.#source;
    if (this.#seen + 1 < compacted) this.#fail('compacted', 'were compacted', compacted);
    if (this.#seen > head)
      this.#fail('future-revision', `have not happened yet, the store is at ${head}`, head);
  }

  #fail(code: 'compacted' | 'future-revision', what: string, revision: Revision): never {
    const after = this.#seen;
    this.close();
    throw new StoreError(code, `the changes after revision ${after} ${what}`, { revision });
  }
}

/** One message for all watches of a range. */
export const watchMessage = (events: readonly StoreEvent[], revision: Revision): WatchMessage =>
  Object.freeze({ events: Object.freeze(events), revision });
