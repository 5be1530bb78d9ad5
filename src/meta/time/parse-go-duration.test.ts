import { expect, test } from 'vitest';
import { parseGoDuration } from './parse-go-duration.ts';

test.each([
  ['0', 0],
  ['32s', 32_000],
  ['1.5h', 5_400_000],
  ['2m30s', 150_000],
  ['.5s', 500],
  ['250ms', 250],
  ['10us', 0.01],
  ['-1s', -1_000],
  ['+1s', 1_000],
  ['abc', 'time: invalid duration "abc"'],
  ['', 'time: invalid duration ""'],
  ['-', 'time: invalid duration "-"'],
  ['.s', 'time: invalid duration ".s"'],
  ['5', 'time: missing unit in duration "5"'],
  ['1s5', 'time: missing unit in duration "1s5"'],
  ['5d', 'time: unknown unit "d" in duration "5d"'],
  ['1__proto__', 'time: unknown unit "__proto__" in duration "1__proto__"'],
])('%j', (text, expected) => expect(parseGoDuration(text)).toBe(expected));
