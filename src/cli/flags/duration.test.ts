import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['5m0s', 300_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1_500],
  ['250ms', 250],
  ['0s', 0],
  ['0', 0],
])('%s is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '5', '5 m', '-1s', '5m5', 'm', '1.s'])('%j is no duration', (text) => {
  expect(() => parseDuration(text)).toThrow(`${text} is no duration: want 5m0s`);
});
