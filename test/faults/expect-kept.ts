import { expect } from 'vitest';
import type { Outcome } from './run.ts';

/** Nothing was broken, and enough happened that something could have been. */
export function expectKept({ findings, history, surprises }: Outcome): void {
  expect(findings).toEqual([]);
  expect(surprises).toEqual([]);
  const ok = history.writes.filter(({ outcome }) => outcome === 'ok').length;
  // How many there are depends on the machine; without any, nothing was tried.
  expect(ok).toBeGreaterThan(5);
  expect(history.changes.length).toBeGreaterThanOrEqual(ok);
  expect(history.watchings.filter(({ toTheEnd }) => toTheEnd)).toHaveLength(4);
}
