import { closingIterator } from '../closing-iterator.ts';
import type { LogWatch } from '../log-watch.ts';
import {
  type KeyRange,
  type Revision,
  StoreError,
  type StoreWatch,
  type WatchMessage,
  type WatchOptions,
} from '../store.ts';
import type { WatchRelay } from './watch-relay.ts';

export interface RemoteWatchSource {
  readonly relay: WatchRelay;
  /** The current revision, asked of the database. */
  readonly revision: () => Promise<Revision>;
  /** The watch is over. */
  readonly ended: (watch: RemoteWatch) => void;
}

/**
 * One watch. It reads from the database while it is behind the relay's event window, and from the relay afterwards. A
 * slow reader falls behind again, where it costs no memory.
 */
export class RemoteWatch implements StoreWatch {
  readonly #source: RemoteWatchSource;
  readonly #range: KeyRange;
  readonly #abort = new AbortController();
  readonly #signal: AbortSignal | undefined;
  #seen: Revision;
  #live: LogWatch | undefined;
  #progressDue = false;
  /** True while a request for progress waits for the relay, and if another one arrived meanwhile. */
  #waits = false;
  #waitsAgain = false;

  constructor(source: RemoteWatchSource, range: KeyRange, { after, signal }: WatchOptions) {
    this.#source = source;
    this.#range = range;
    this.#seen = after;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted) this.close();
  }

  requestProgress(): void {
    if (this.#ended) return;
    this.#waitsAgain = this.#waits;
    if (!this.#waits) void this.#tellProgress();
  }

  /** Requests that arrive while one waits are merged: they repeat while the database is silent. */
  async #tellProgress(): Promise<void> {
    this.#waits = true;
    await this.#source.relay.caughtUp();
    this.#waits = false;
    if (this.#live === undefined) this.#progressDue = true;
    else this.#live.requestProgress();
    if (this.#waitsAgain) this.requestProgress();
  }

  close(): void {
    if (this.#ended) return;
    this.#abort.abort();
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#live?.close();
    this.#source.ended(this);
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchMessage> {
    return closingIterator(this.#messages(), () => this.close());
  }

  readonly #onAbort = (): void => this.close();

  get #ended(): boolean {
    return this.#abort.signal.aborted;
  }

  async *#messages(): AsyncGenerator<WatchMessage, undefined, undefined> {
    try {
      if (!this.#ended) await this.#unlessClosed(this.#begin());
      while (!this.#ended) {
        const { relay } = this.#source;
        if (this.#seen + 1 < relay.oldest) yield* this.#past();
        // Another stream may have delivered it before the relay's.
        else if (this.#seen > relay.head) await this.#unlessClosed(relay.reached(this.#seen));
        else yield* this.#present();
      }
    } catch (error) {
      if (!this.#ended) throw error;
    } finally {
      this.close();
    }
    return undefined;
  }

  async #begin(): Promise<void> {
    const { relay, revision } = this.#source;
    await relay.start(this.#seen);
    if (this.#seen <= relay.head) return;
    const now = await revision();
    if (this.#seen > now) {
      const text = `the changes after revision ${this.#seen} have not happened yet, the store is at ${now}`;
      throw new StoreError('future-revision', text, { revision: now });
    }
    await relay.reached(this.#seen);
  }

  async *#past(): AsyncGenerator<WatchMessage> {
    const messages = this.#source.relay.replay(this.#range, this.#seen, this.#abort.signal);
    for await (const message of messages) {
      this.#seen = message.revision;
      if (message.events.length > 0) yield message;
    }
  }

  async *#present(): AsyncGenerator<WatchMessage> {
    const live = this.#source.relay.watch(this.#range, this.#seen);
    this.#live = live;
    if (this.#progressDue) live.requestProgress();
    this.#progressDue = false;
    try {
      for await (const message of live) {
        this.#seen = message.revision;
        yield message;
      }
      // The relay ends its watches only when the store is closed.
      this.close();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'compacted') throw error;
      this.#seen = Math.max(this.#seen, live.seen);
    } finally {
      this.#live = undefined;
      live.close();
    }
  }

  /** What is waited for may take longer than the watch lives. */
  #unlessClosed(promise: Promise<void>): Promise<void> {
    const { signal } = this.#abort;
    return new Promise((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', end);
        resolve();
      };
      signal.addEventListener('abort', end);
      promise.then(end, (error: unknown) => {
        signal.removeEventListener('abort', end);
        reject(error);
      });
    });
  }
}
