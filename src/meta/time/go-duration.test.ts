import { expect, test } from 'vitest';
import { goDuration } from './go-duration.ts';

test.each([
  [0, '0s'],
  [250, '250ms'],
  [1_500, '1.5s'],
  [59_999, '59.999s'],
  [120_500, '2m0.5s'],
  [3_600_000, '1h0m0s'],
  [93_784_005, '26h3m4.005s'],
])('%d ms: %s', (ms, text) => expect(goDuration(ms)).toBe(text));
