import { limits, type Timers, tooManyRequestsError } from '../../meta/index.ts';
import type { MetricFamily } from '../metrics/index.ts';

interface AnswerBuffersOptions {
  /** The limit for all buffered responses together. */
  readonly bytesMax: number;
  /** The maximum wait of a list. */
  readonly waitMsMax: number;
  readonly timers: Timers;
}

/** The Retry-After of a refusal, in seconds. */
const retryAfterSeconds = 1;

/**
 * Limits the total memory of responses that clients have not read yet. Lists wait for space; responses encoded at once,
 * such as a large object or a list in protobuf, are refused.
 */
export class AnswerBuffers {
  readonly #options: AnswerBuffersOptions;
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  #refused = 0;

  constructor(options: AnswerBuffersOptions) {
    this.#options = options;
  }

  /** The buffered bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Accounts for one response. */
  hold(): AnswerHold {
    return new AnswerHold(this);
  }

  hasRoomFor(bytes: number): boolean {
    // A single response is always accepted, whatever its size.
    return this.#bytes === 0 || this.#bytes + bytes <= this.#options.bytesMax;
  }

  /**
   * Waits for space; undefined if there is enough.
   *
   * @throws {StatusError} 429 after the maximum wait, or when the client disconnects
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

  /** Adds to a response's buffered bytes, or subtracts. */
  change(bytes: number): void {
    this.#bytes += bytes;
    if (bytes >= 0) return;
    for (const enter of this.#waiting) {
      if (!this.hasRoomFor(1)) return;
      enter();
    }
  }

  /** The metrics of `/metrics`. */
  families(): readonly MetricFamily[] {
    const bytes: MetricFamily = {
      kind: 'gauge',
      name: 'ilk_buffered_answer_bytes',
      help: 'Bytes buffered for responses that clients have not read yet.',
      labelNames: [],
      read: () => [{ labels: {}, value: this.#bytes }],
    };
    const waiting: MetricFamily = {
      kind: 'gauge',
      name: 'ilk_buffered_answer_waiting_requests',
      help: 'Lists that wait for buffer space.',
      labelNames: [],
      read: () => [{ labels: {}, value: this.#waiting.size }],
    };
    const refused: MetricFamily = {
      kind: 'counter',
      name: 'ilk_buffered_answer_refused_total',
      help: 'Requests refused with 429 because too many bytes were buffered for responses.',
      labelNames: [],
      read: () => [{ labels: {}, value: this.#refused }],
    };
    return [bytes, waiting, refused];
  }
}

/** With the bounds of `limits`. */
export function systemAnswerBuffers(timers: Timers, threads = 1): AnswerBuffers {
  const { answerBufferBytesMax, queueWaitMsMax } = limits;
  const bytesMax = Math.ceil(answerBufferBytesMax / threads);
  return new AnswerBuffers({ bytesMax, waitMsMax: queueWaitMsMax, timers });
}

/** The account of one response. */
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
   * Call before creating a large response.
   *
   * @throws {StatusError} 429 without space
   */
  take(bytes: number): void {
    if (!this.#buffers.hasRoomFor(bytes)) throw this.#buffers.refusal();
    this.set(this.#bytes + bytes);
  }

  /** Calls back when the response is over, in any way; at most one caller. */
  whenOver(call: () => void): void {
    this.#onEnd = call;
  }

  /** The response was sent or aborted. */
  end(): void {
    this.set(0);
    this.#onEnd?.();
    this.#onEnd = undefined;
  }

  /** Sets the buffered bytes of the response, even beyond the limit. */
  set(bytes: number): void {
    const more = bytes - this.#bytes;
    this.#bytes = bytes;
    if (more !== 0) this.#buffers.change(more);
  }
}
