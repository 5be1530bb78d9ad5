import type { Clock, Timers } from '../meta/index.ts';

interface Waiting {
  readonly call: () => void;
  readonly everyMs: number | undefined;
  atMs: number;
}

/**
 * A clock that a test controls. Timestamps of objects, watch timeouts, bookmarks and compaction use it:
 * `clock.advance(10 * 60_000)` makes old resourceVersions expire. Sockets, retries and waits of requests use the
 * system clock.
 */
export class FakeClock implements Clock, Timers {
  readonly #waiting = new Set<Waiting>();
  #nowMs: number;

  /** @throws {RangeError} for an invalid time */
  constructor(start: string | number | Date = '2026-01-01T00:00:00Z') {
    this.#nowMs = msOf(start);
  }

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, call: () => void): () => void {
    return this.#wait({ call, everyMs: undefined, atMs: this.#nowMs + delayMs });
  }

  every(intervalMs: number, call: () => void): () => void {
    return this.#wait({ call, everyMs: Math.max(1, intervalMs), atMs: this.#nowMs + intervalMs });
  }

  /**
   * Advances the time: all timers that are due are called in order, each at its own time. Asynchronous effects happen
   * in later turns, as with real time.
   */
  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError(`time goes forward: ${ms}`);
    const endMs = this.#nowMs + ms;
    for (let next = this.#next(endMs); next !== undefined; next = this.#next(endMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      if (next.everyMs === undefined) this.#waiting.delete(next);
      else next.atMs += next.everyMs;
      next.call();
    }
    this.#nowMs = endMs;
  }

  /** Sets the time, which must not be before the current one; see {@link advance}. */
  set(time: string | number | Date): void {
    this.advance(msOf(time) - this.#nowMs);
  }

  #wait(waiting: Waiting): () => void {
    this.#waiting.add(waiting);
    return () => this.#waiting.delete(waiting);
  }

  /** The timer that is due first; of several at the same time, the oldest. */
  #next(endMs: number): Waiting | undefined {
    let first: Waiting | undefined;
    for (const one of this.#waiting) {
      if (one.atMs <= endMs && (first === undefined || one.atMs < first.atMs)) first = one;
    }
    return first;
  }
}

function msOf(time: string | number | Date): number {
  const ms = new Date(time).getTime();
  if (Number.isNaN(ms)) throw new RangeError(`not a time: ${String(time)}`);
  return ms;
}
