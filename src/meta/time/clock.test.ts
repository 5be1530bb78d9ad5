import { expect, test, vi } from 'vitest';
import { coarseDelayMs, systemTimers, timerDelayMs } from './clock.ts';

test.each([
  [0, 0],
  [1_500, 1_500],
  [2 ** 31 - 1, 2 ** 31 - 1],
  [2 ** 31, 2 ** 31 - 1],
  [99_999_999_999_000, 2 ** 31 - 1],
  [Number.POSITIVE_INFINITY, 2 ** 31 - 1],
  [-5, 0],
  [Number.NaN, 0],
])('a delay of %d ms is set as %d ms', (asked, set) => expect(timerDelayMs(asked)).toBe(set));

test.each([
  [0, 0],
  [0.2, 1],
  [9_999, 9_999],
  [10_000, 10_000],
  [10_001, 11_000],
  [1_800_000.7, 1_801_000],
])('a timer of %d ms may fire after %d ms', (asked, set) => expect(coarseDelayMs(asked)).toBe(set));

test('timers of as many delays as there are watches share few lists of Node', () => {
  const set = vi.spyOn(globalThis, 'setTimeout');
  for (let index = 0; index < 2_000; index += 1) systemTimers.after(1_800_000 + index * 1.37, () => {})();
  const delays = new Set(set.mock.calls.map(([, delayMs]) => delayMs));
  set.mockRestore();
  expect(delays.size).toBe(4);
});

test('a timer beyond the longest delay does not fire at once', async () => {
  let fired = 0;
  const year = 365 * 24 * 3_600_000;
  const stops = [systemTimers.after(year, () => (fired += 1)), systemTimers.every(year, () => (fired += 1))];
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const stop of stops) stop();
  expect(fired).toBe(0);
});
