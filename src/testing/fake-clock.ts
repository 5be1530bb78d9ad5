import type { Clock, Timers } from '../meta/index.ts';

interface Waiting {
  readonly call: () => void;
  readonly everyMs: number | undefined;
  atMs: number;
}

/**
 * A clock that stands still until a test moves it. Times in objects come from it, and so do the ends and bookmarks of
 * watches and the moment at which the past is forgotten: `clock.advance(10 * 60_000)` makes old resourceVersions expire.
 * Sockets, retries and the waits of a request go by the machine's clock.
 */
export class FakeClock implements Clock, Timers {
  readonly #waiting = new Set<Waiting>();
  #nowMs: number;

  /** @throws {RangeError} for a time that is none */
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
   * Lets time pass: everything that falls due is called in its order, each at its own time. What follows from it happens
   * in the turns after, as with real time.
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

  /** Moves to a time that is not before now; see {@link advance}. */
  set(time: string | number | Date): void {
    this.advance(msOf(time) - this.#nowMs);
  }

  #wait(waiting: Waiting): () => void {
    this.#waiting.add(waiting);
    return () => this.#waiting.delete(waiting);
  }

  /** What is due first; of several at the same time, what waited longest. */
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
