import { limits } from '../limits.ts';
import type { Steps } from './steps.ts';

/** How long work yields the thread to other work. Passed in, so that a test decides when a slice is over. */
interface SlicesOptions {
  /** Milliseconds since an arbitrary time; monotonic. */
  readonly now: () => number;
  /** Calls back in a later turn of the event loop, after pending network events. */
  readonly nextTurn: (call: () => void) => void;
  /** How long work may run in one turn of the event loop before it pauses. */
  readonly sliceMs: number;
  /** The same while other requests arrive: each of them needs a few turns. {@link sliceMs} by default. */
  readonly busySliceMs?: number;
}

/** How long slices stay short after a request has arrived, in milliseconds. */
const busyMs = 100;

/**
 * Shares the thread among long tasks. Code that loops over thousands of items asks regularly whether to
 * {@link pause}. All requests in one turn share one slice. One paused task resumes per turn, in the order in which
 * they paused.
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
  /** When the first task asked in this turn. */
  #startedMs: number | undefined;
  /** Slices are short until then. */
  #busyUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: SlicesOptions) {
    this.#options = options;
  }

  /** Must be called when a request has arrived: slices are short for a while. */
  requestArrived(): void {
    this.#busyUntilMs = this.#options.now() + busyMs;
  }

  /** The number of tasks waiting for a slice. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Undefined while the slice lasts; then a promise for the next slice.
   *
   * @param signal cancels the work: the promise rejects with its reason
   */
  pause(signal?: AbortSignal): Promise<void> | undefined {
    if (this.#startedMs === undefined) this.#begin();
    else if (this.#isOver(this.#startedMs)) return this.#rest(signal);
    return undefined;
  }

  #isOver(startedMs: number): boolean {
    const { now, sliceMs, busySliceMs = sliceMs } = this.#options;
    const nowMs = now();
    return nowMs - startedMs >= (nowMs < this.#busyUntilMs ? busySliceMs : sliceMs);
  }

  /**
   * Runs a task in steps, and pauses between two steps when the slice is over.
   *
   * @param signal cancels the work at the next pause: the promise rejects with its reason
   */
  async run<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      const pause = this.pause(signal);
      if (pause !== undefined) await pause;
    }
  }

  /** The slice ends with the turn, even if no task pauses. */
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

/** Slices of real time, with the bounds of `limits`. */
export function systemSlices(): Slices {
  const { sliceMs, busySliceMs } = limits;
  const nextTurn = (call: () => void) => void setImmediate(call);
  return new Slices({ now: () => performance.now(), nextTurn, sliceMs, busySliceMs });
}
