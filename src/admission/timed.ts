import { performance } from 'node:perf_hooks';

/** Starts a stopwatch; the result returns the elapsed seconds. */
export function startTimer(): () => number {
  const start = performance.now();
  return () => (performance.now() - start) / 1000;
}
