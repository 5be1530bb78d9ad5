import { describe, expect, test } from 'vitest';
import { afterSecond } from './after-second.ts';

/** When a callback at this time is called, by a clock whose timers fire 1 ms early. */
function calledAt(startMs: number): number {
  let now = startMs;
  let at = Number.NaN;
  const wait = (call: () => void, ms: number) => {
    now += Math.max(ms - 1, 1);
    call();
  };
  afterSecond(() => (at = now), { now: () => now, wait });
  return at;
}

describe('afterSecond', () => {
  test.each([
    [70_000, 70_010],
    [70_004, 70_010],
    [70_009, 70_010],
    [70_010, 70_010],
    [70_999, 70_999],
  ])('%i ms: called at %i ms', (startMs, at) => {
    expect(calledAt(startMs)).toBe(at);
  });
});
