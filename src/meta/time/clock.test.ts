import { expect, test } from 'vitest';
import { systemTimers, timerDelayMs } from './clock.ts';

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

test('a timer beyond the longest delay does not fire at once', async () => {
  let fired = 0;
  const year = 365 * 24 * 3_600_000;
  const stops = [systemTimers.after(year, () => (fired += 1)), systemTimers.every(year, () => (fired += 1))];
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const stop of stops) stop();
  expect(fired).toBe(0);
});
