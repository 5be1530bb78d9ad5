import { limits, type Timers, tooManyRequestsError } from '../../meta/index.ts';
import type { MetricFamily } from '../metrics/index.ts';

interface AnswerBuffersOptions {
  /** What all answers together may hold. */
  readonly bytesMax: number;
  /** How long a list waits for room. */
  readonly waitMsMax: number;
  readonly timers: Timers;
}

/** After so many seconds a client that was refused may ask again. */
const retryAfterSeconds = 1;

/**
 * What answers hold until their clients have read them, all together. Lists wait while there is no room; what is made in
 * one piece, as a large object or a list in protobuf, is refused.
 */
export class AnswerBuffers {
  readonly #options: AnswerBuffersOptions;
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  #refused = 0;

  constructor(options: AnswerBuffersOptions) {
    this.#options = options;
  }

  /** What is held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** For one answer. */
  hold(): AnswerHold {
    return new AnswerHold(this);
  }

  hasRoomFor(bytes: number): boolean {
    // One answer is always possible, however large.
    return this.#bytes === 0 || this.#bytes + bytes <= this.#options.bytesMax;
  }

  /**
   * Waits until there is room; undefined where there is.
   *
   * @throws {StatusError} 429 after the longest wait, or when the client is gone
   */
  room(signal: AbortSignal): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.hasRoomFor(1)) return undefined;
    const { timers, waitMsMax } = this.#options;
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#waiting.delete(enter);
        callOff();
        signal.removeEventListener('abort', giveUp);
      };
      const enter = () => {
        end();
        resolve();
      };
      const giveUp = () => {
        end();
        reject(this.refusal());
      };
      const callOff = timers.after(waitMsMax, giveUp);
      this.#waiting.add(enter);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
    });
  }

  refusal(): Error {
    this.#refused += 1;
    return tooManyRequestsError(
      'too many answers wait to be read by their clients, please try again later',
      retryAfterSeconds,
    );
  }

  /** One answer holds so much more, or less. */
  change(bytes: number): void {
    this.#bytes += bytes;
    if (bytes >= 0) return;
    for (const enter of this.#waiting) {
      if (!this.hasRoomFor(1)) return;
      enter();
    }
  }

  /** What `/metrics` shows. */
  families(): readonly MetricFamily[] {
    const bytes: MetricFamily = {
      kind: 'gauge',
      name: 'ilk_buffered_answer_bytes',
      help: 'Bytes that answers hold until their clients have read them.',
      labelNames: [],
      read: () => [{ labels: {}, value: this.#bytes }],
    };
    const waiting: MetricFamily = {
      kind: 'gauge',
      name: 'ilk_buffered_answer_waiting_requests',
      help: 'Lists that wait until other answers have been read.',
      labelNames: [],
      read: () => [{ labels: {}, value: this.#waiting.size }],
    };
    const refused: MetricFamily = {
      kind: 'counter',
      name: 'ilk_buffered_answer_refused_total',
      help: 'Requests that were refused because too many answers waited to be read.',
      labelNames: [],
      read: () => [{ labels: {}, value: this.#refused }],
    };
    return [bytes, waiting, refused];
  }
}

/** With the bounds of `limits`. */
export function systemAnswerBuffers(timers: Timers): AnswerBuffers {
  const { answerBufferBytesMax, queueWaitMsMax } = limits;
  return new AnswerBuffers({ bytesMax: answerBufferBytesMax, waitMsMax: queueWaitMsMax, timers });
}

/** What one answer holds. */
export class AnswerHold {
  readonly #buffers: AnswerBuffers;
  #onEnd: (() => void) | undefined;
  #bytes = 0;

  constructor(buffers: AnswerBuffers) {
    this.#buffers = buffers;
  }

  /** As {@link AnswerBuffers.room}. */
  room(signal: AbortSignal): Promise<void> | undefined {
    return this.#buffers.room(signal);
  }

  /**
   * Before something large is made.
   *
   * @throws {StatusError} 429 where there is no room for it
   */
  take(bytes: number): void {
    if (!this.#buffers.hasRoomFor(bytes)) throw this.#buffers.refusal();
    this.set(this.#bytes + bytes);
  }

  /** Calls back when the answer is over, however it ends; one caller at the most. */
  whenOver(call: () => void): void {
    this.#onEnd = call;
  }

  /** The answer was sent or given up. */
  end(): void {
    this.set(0);
    this.#onEnd?.();
    this.#onEnd = undefined;
  }

  /** The answer holds so much, whether or not there is room. */
  set(bytes: number): void {
    const more = bytes - this.#bytes;
    this.#bytes = bytes;
    if (more !== 0) this.#buffers.change(more);
  }
}
