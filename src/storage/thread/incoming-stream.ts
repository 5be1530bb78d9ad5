import { closedError } from '../closed.ts';
import type { RemoteStream } from '../remote/remote-log.ts';
import type { WatchMessage } from '../store.ts';
import { threadLimits } from './limits.ts';
import { bytesOf } from './outgoing-stream.ts';

interface IncomingStreamOptions {
  /** Tells the owner how much was taken. */
  readonly onTaken: (events: number, bytes: number) => void;
  readonly onProgressWanted: () => void;
  readonly onCancel: () => void;
  readonly signal: AbortSignal;
}

/** What is taken is reported when it is a quarter of what may be unread. */
const reportedEvents = threadLimits.unreadEventsMax / 4;
const reportedBytes = threadLimits.unreadBytesMax / 4;

/** A stream of changes from the owner's thread. */
export class IncomingStream implements RemoteStream {
  readonly tellsTrueProgress = true;
  readonly #options: IncomingStreamOptions;
  #queue: WatchMessage[] = [];
  #follower: ((message: WatchMessage) => void) | undefined;
  #isEnded = false;
  #error: unknown;
  #wake: (() => void) | undefined;
  #takenEvents = 0;
  #takenBytes = 0;

  constructor(options: IncomingStreamOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (options.signal.aborted) this.cancel();
  }

  /** Takes a message from the port. */
  deliver(message: WatchMessage): void {
    if (this.#isEnded) return;
    if (this.#follower === undefined) {
      this.#queue.push(message);
      this.#wake?.();
      return;
    }
    this.#follower(message);
    this.#report(message);
  }

  /** Nothing follows. */
  end(error: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#error = error;
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#wake?.();
  }

  requestProgress(): void {
    if (!this.#isEnded) this.#options.onProgressWanted();
  }

  async *messages(): AsyncGenerator<WatchMessage, undefined, undefined> {
    for (;;) {
      const message = this.#queue.shift();
      if (message !== undefined) {
        this.#report(message);
        yield message;
      } else if (!this.#isEnded) await this.#woken();
      else if (this.#error === undefined) return undefined;
      else throw this.#error;
    }
  }

  async follow(take: (message: WatchMessage) => void): Promise<never> {
    this.#follower = take;
    for (const message of this.#queue.splice(0)) {
      take(message);
      this.#report(message);
    }
    while (!this.#isEnded) await this.#woken();
    throw this.#error ?? closedError();
  }

  cancel(): void {
    if (this.#isEnded) return;
    this.#queue = [];
    this.end(undefined);
    this.#options.onCancel();
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

  #report(message: WatchMessage): void {
    this.#takenEvents += message.events.length;
    this.#takenBytes += bytesOf(message);
    if (this.#isEnded || (this.#takenEvents < reportedEvents && this.#takenBytes < reportedBytes)) return;
    this.#options.onTaken(this.#takenEvents, this.#takenBytes);
    this.#takenEvents = 0;
    this.#takenBytes = 0;
  }
}
