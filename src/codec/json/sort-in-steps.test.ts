import { expect, test } from 'vitest';
import { atOnce, compareBytes, seededRandom } from '../../meta/index.ts';
import { sortInSteps } from './sort-in-steps.ts';

test.each([0, 1, 2, 1_023, 1_024, 1_025, 2_048, 5_000])('%i texts, in the order of Array.sort', (length) => {
  const random = seededRandom(length);
  const texts = Array.from({ length }, () => `key-${Math.floor(random() * 3_000)}`);
  expect(atOnce(sortInSteps(texts))).toEqual([...texts].sort());
});

test('in a given order: bytewise, surrogates follow U+FFFF', () => {
  const texts = Array.from({ length: 3_000 }, (_, at) => `${at % 2 === 0 ? '\u{1f331}' : '\uffff'}${at}`);
  expect(atOnce(sortInSteps(texts, compareBytes))).toEqual([...texts].sort(compareBytes));
});

test('no step takes more than a thousand texts', () => {
  const steps = sortInSteps(Array.from({ length: 30_000 }, (_, at) => `key-${at}`));
  let count = 0;
  while (steps.next().done !== true) count += 1;
  // 30 runs, which are merged in five rounds of 30,000.
  expect(count).toBeGreaterThan(30 + 5 * 25);
});
