import type { Steps } from './steps.ts';

/** How work on the one thread gives way to others. Passed in, so that a test decides when a slice is over. */
interface SlicesOptions {
  /** Milliseconds from any moment on; never goes back. */
  readonly now: () => number;
  /** Calls back in a later turn of the event loop, after what has come over the wire meanwhile. */
  readonly nextTurn: (call: () => void) => void;
  /** So long one turn of the event loop may work before long work pauses. */
  readonly sliceMs: number;
}

/**
 * Divides the thread's time among long pieces of work. Whoever works through thousands of things asks now and then whether
 * to {@link pause}. The slice counts for all requests of one turn together. Those who pause go on one in each turn,
 * whoever paused first goes first.
 *
 * ```ts
 * for (const [index, entry] of entries.entries()) {
 *   const pause = index % 256 === 0 ? slices.pause(signal) : undefined;
 *   if (pause !== undefined) await pause;
 *   …
 * }
 * ```
 */
export class Slices {
  readonly #options: SlicesOptions;
  readonly #waiting: (() => void)[] = [];
  /** When the first one asked in this turn. */
  #startedMs: number | undefined;

  constructor(options: SlicesOptions) {
    this.#options = options;
  }

  /** How many wait for their next slice. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Undefined while the slice lasts; else a promise for the next slice.
   *
   * @param signal ends the work: the promise rejects with its reason
   */
  pause(signal?: AbortSignal): Promise<void> | undefined {
    const { now, sliceMs } = this.#options;
    if (this.#startedMs === undefined) this.#begin();
    else if (now() - this.#startedMs >= sliceMs) return this.#rest(signal);
    return undefined;
  }

  /**
   * Does work in steps, and pauses between two of them where the slice is over.
   *
   * @param signal ends the work at the next pause: the promise rejects with its reason
   */
  async run<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      const pause = this.pause(signal);
      if (pause !== undefined) await pause;
    }
  }

  /** The slice ends with the turn, whether or not anybody pauses. */
  #begin(): void {
    const { now, nextTurn } = this.#options;
    this.#startedMs = now();
    nextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#startedMs = undefined;
    const resume = this.#waiting.shift();
    if (resume === undefined) return;
    this.#begin();
    resume();
  }

  #rest(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        if (signal?.aborted === true) reject(signal.reason);
        else resolve();
      });
    });
  }
}

/** Slices of the machine's time. */
export function systemSlices(sliceMs: number): Slices {
  return new Slices({ now: () => performance.now(), nextTurn: (call) => setImmediate(call), sliceMs });
}
