import { expect, test } from 'vitest';
import { compareBytes } from '../go/go-text.ts';
import { seededRandom } from '../seeded-random.ts';
import { sortInSteps } from './sort-in-steps.ts';
import { atOnce } from './steps.ts';

test.each([0, 1, 2, 1_023, 1_024, 1_025, 2_048, 5_000])(
  '%i texts come out as sort() orders them',
  (count) => {
    const random = seededRandom(count);
    const texts = Array.from({ length: count }, () => String(Math.floor(random() * 3_000)));
    expect(atOnce(sortInSteps(texts))).toEqual([...texts].sort());
  },
);

test('long work is divided: no run of a thousand texts without a step', () => {
  const steps = sortInSteps(Array.from({ length: 10_240 }, (_, index) => `${index}`));
  expect([...steps].length).toBeGreaterThanOrEqual(9);
});

test('in a given order: bytewise, surrogates follow U+FFFF', () => {
  const texts = Array.from({ length: 3_000 }, (_, at) => `${at % 2 === 0 ? '\u{1f331}' : '\uffff'}${at}`);
  expect(atOnce(sortInSteps(texts, compareBytes))).toEqual([...texts].sort(compareBytes));
});

test('no step of a long sort takes more than a thousand texts', () => {
  const steps = sortInSteps(Array.from({ length: 30_000 }, (_, at) => `key-${at}`));
  let count = 0;
  while (steps.next().done !== true) count += 1;
  // 30 runs, which are merged in five rounds of 30,000.
  expect(count).toBeGreaterThan(30 + 5 * 25);
});
