/** Time, passed in wherever it is needed so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A moment as Kubernetes writes it: RFC 3339 in UTC, whole seconds. `2026-11-21T04:05:06Z` */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
