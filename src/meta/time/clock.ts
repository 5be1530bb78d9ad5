/** Time, passed in wherever it is needed so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** Calls back later. Passed in beside the clock, so that a test can make an hour pass at once. */
export interface Timers {
  /** Calls back once, after so long, and does not keep the process alive. What it gives calls that off. */
  after(delayMs: number, call: () => void): () => void;
  /** As {@link after}, again and again. */
  every(intervalMs: number, call: () => void): () => void;
}

/** The longest delay of a timer in Node, about 24.8 days; a longer one overflows and fires after 1 ms. */
const timerDelayMsMax = 2 ** 31 - 1;

/**
 * A delay that `setTimeout` and `setInterval` take, in milliseconds. Every duration that a user gives passes through here.
 *
 * @example timerDelayMs(99_999_999_999_000) // 2147483647
 */
export function timerDelayMs(delayMs: number): number {
  return delayMs >= timerDelayMsMax ? timerDelayMsMax : Math.max(0, delayMs) || 0;
}

/** The machine's timers. Longer delays than Node has are cut to about 24.8 days. */
export const systemTimers: Timers = {
  after(delayMs, call) {
    const timer = setTimeout(call, timerDelayMs(delayMs)).unref();
    return () => clearTimeout(timer);
  },
  every(intervalMs, call) {
    const timer = setInterval(call, timerDelayMs(intervalMs)).unref();
    return () => clearInterval(timer);
  },
};

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A moment as Kubernetes writes it: RFC 3339 in UTC, whole seconds. `2026-11-21T04:05:06Z` */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
