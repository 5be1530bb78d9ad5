import type { StoreEvent, StoreWatch, WatchMessage } from '../store.ts';
import { threadLimits } from './limits.ts';

interface OutgoingStreamOptions {
  /** There is something to take. */
  readonly onMessages: () => void;
  /** The watch ended by itself; undefined if its store was closed. */
  readonly onEnd: (error: unknown) => void;
}

/**
 * Reads a watch for a worker. It stops reading where the worker has not taken what was sent: the watch then falls behind
 * and reads the store's log later, and ends if that is compacted, so a worker that stalls costs bounded memory.
 */
export class OutgoingStream {
  readonly #watch: StoreWatch;
  readonly #options: OutgoingStreamOptions;
  #messages: WatchMessage[] = [];
  #unreadEvents = 0;
  #unreadBytes = 0;
  #isCancelled = false;
  #resume: (() => void) | undefined;

  constructor(watch: StoreWatch, options: OutgoingStreamOptions) {
    this.#watch = watch;
    this.#options = options;
    void this.#read();
  }

  /** The messages that arrived since the last call. */
  take(): readonly WatchMessage[] {
    if (this.#messages.length === 0) return this.#messages;
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }

  /** The worker has taken events with so many bytes. */
  taken(events: number, bytes: number): void {
    this.#unreadEvents -= events;
    this.#unreadBytes -= bytes;
    if (!this.#isFull) this.#resume?.();
  }

  requestProgress(): void {
    this.#watch.requestProgress();
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#messages = [];
    this.#watch.close();
    this.#resume?.();
  }

  get #isFull(): boolean {
    return (
      this.#unreadEvents > threadLimits.unreadEventsMax || this.#unreadBytes > threadLimits.unreadBytesMax
    );
  }

  async #read(): Promise<void> {
    let failure: unknown;
    try {
      for await (const message of this.#watch) {
        for (const piece of piecesOf(message)) {
          if (this.#isCancelled) return;
          this.#messages.push(piece);
          this.#unreadEvents += piece.events.length;
          this.#unreadBytes += bytesOf(piece);
          this.#options.onMessages();
          while (this.#isFull && !this.#isCancelled) await this.#room();
        }
      }
    } catch (error) {
      failure = error;
    }
    if (!this.#isCancelled) this.#options.onEnd(failure);
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = () => {
        this.#resume = undefined;
        resolve();
      };
    });
  }
}

/** The bytes of the values of a message. */
export function bytesOf({ events }: WatchMessage): number {
  let bytes = 0;
  for (const event of events) bytes += bytesOfEvent(event);
  return bytes;
}

const bytesOfEvent = ({ value, previous }: StoreEvent): number =>
  (value?.byteLength ?? 0) + (previous?.value.byteLength ?? 0);

/** A message as it is, or in pieces where its values are large: the log gives hundreds of events at once. */
function* piecesOf(message: WatchMessage): Generator<WatchMessage> {
  const { events, revision } = message;
  let start = 0;
  let bytes = 0;
  for (const [index, event] of events.entries()) {
    bytes += bytesOfEvent(event);
    // The changes of one revision stay together.
    const isCut = bytes >= threadLimits.pageBytesMax && events[index + 1]?.revision !== event.revision;
    if (!isCut || index + 1 === events.length) continue;
    yield { events: events.slice(start, index + 1), revision: event.revision };
    start = index + 1;
    bytes = 0;
  }
  yield start === 0 ? message : { events: events.slice(start), revision };
}
