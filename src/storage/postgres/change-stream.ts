import type { RemoteStream } from '../remote/remote-log.ts';
import { StoreError, type WatchMessage } from '../store.ts';
import type { ChangeReader } from './change-reader.ts';

interface ChangeStreamParts {
  readonly reader: ChangeReader;
  readonly signal: AbortSignal;
  /** Polling interval for changes that were not announced; undefined: never. */
  readonly pollMs: number | undefined;
  /** Lets go of the connection. */
  readonly onEnd: () => void;
}

/** The changes of a database from a revision on, read when changes are announced or progress is requested. */
export class ChangeStream implements RemoteStream {
  readonly tellsTrueProgress = true;
  readonly #parts: ChangeStreamParts;
  #due = true;
  #wake: (() => void) | undefined;
  #failure: Error | undefined;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(parts: ChangeStreamParts) {
    this.#parts = parts;
    const { pollMs, signal } = parts;
    this.#timer = pollMs === undefined ? undefined : setInterval(() => this.requestProgress(), pollMs);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.cancel();
  }

  /** Has the stream read again; every reading ends with a message. */
  requestProgress(): void {
    this.#due = true;
    this.#wake?.();
  }

  /** The connection broke. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.requestProgress();
  }

  cancel(): void {
    clearInterval(this.#timer);
    this.#parts.signal.removeEventListener('abort', this.#onAbort);
    if (this.#failure === undefined) this.#parts.onEnd();
    this.fail(new StoreError('unavailable', 'the watch was ended'));
  }

  async *messages(): AsyncGenerator<WatchMessage, undefined, undefined> {
    try {
      for (;;) {
        if (!this.#due) await this.#woken();
        this.#due = false;
        if (this.#failure !== undefined) throw this.#failure;
        const { message, more } = await this.#parts.reader.next();
        this.#due ||= more;
        yield message;
      }
    } finally {
      this.cancel();
    }
  }

  async follow(take: (message: WatchMessage) => void): Promise<never> {
    for await (const message of this.messages()) take(message);
    throw new StoreError('unavailable', 'the watch was ended');
  }

  readonly #onAbort = (): void => this.cancel();

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
