import { performance } from 'node:perf_hooks';

/** Gives a clock that says how many seconds have gone since. */
export function startTimer(): () => number {
  const start = performance.now();
  return () => (performance.now() - start) / 1000;
}
