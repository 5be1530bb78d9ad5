/** The time, passed in so that tests can control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** Timers, passed in beside the clock so that a test can make an hour pass at once. */
export interface Timers {
  /** Calls back once after a delay, and does not keep the process alive. Returns a function that cancels it. */
  after(delayMs: number, call: () => void): () => void;
  /** Like {@link after}, repeatedly. */
  every(intervalMs: number, call: () => void): () => void;
}

/** The longest delay of a timer in Node, about 24.8 days; a longer one overflows and fires after 1 ms. */
const timerDelayMsMax = 2 ** 31 - 1;

/**
 * Limits a delay to what `setTimeout` and `setInterval` accept, in milliseconds. Applied to every duration from
 * users.
 *
 * @example timerDelayMs(99_999_999_999_000) // 2147483647
 */
export function timerDelayMs(delayMs: number): number {
  return delayMs >= timerDelayMsMax ? timerDelayMsMax : Math.max(0, delayMs) || 0;
}

/** Delays from here on are rounded up to seconds. */
const coarseFromMs = 10_000;

/**
 * Rounds up a delay, in milliseconds: long ones to seconds. Node keeps a list for each different delay of unreferenced timers
 * until the delay is over, also when all of its timers were cleared: 150 bytes. A watch has a random timeout of up to an hour.
 *
 * @example coarseDelayMs(1_800_000.7) // 1801000
 */
export function coarseDelayMs(delayMs: number): number {
  return delayMs < coarseFromMs ? Math.ceil(delayMs) : Math.ceil(delayMs / 1000) * 1000;
}

/** The system's timers. Delays are limited to about 24.8 days, Node's maximum. */
export const systemTimers: Timers = {
  after(delayMs, call) {
    const timer = setTimeout(call, timerDelayMs(coarseDelayMs(delayMs))).unref();
    return () => clearTimeout(timer);
  },
  every(intervalMs, call) {
    const timer = setInterval(call, timerDelayMs(intervalMs)).unref();
    return () => clearInterval(timer);
  },
};

/** The system clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A time as Kubernetes writes it: RFC 3339 in UTC, seconds. `2026-11-21T04:05:06Z` */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
