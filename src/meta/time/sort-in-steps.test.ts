import { expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { sortInSteps } from './sort-in-steps.ts';
import { atOnce } from './steps.ts';

const byText = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

test.each([0, 1, 1_023, 1_024, 1_025, 5_000])('%i texts come out as sort() orders them', (count) => {
  const random = seededRandom(count);
  const texts = Array.from({ length: count }, () => String(Math.floor(random() * 3_000)));
  expect(atOnce(sortInSteps(texts, byText))).toEqual([...texts].sort(byText));
});

test('long work is divided: no run of a thousand texts without a step', () => {
  const steps = sortInSteps(
    Array.from({ length: 10_240 }, (_, index) => `${index}`),
    byText,
  );
  expect([...steps].length).toBeGreaterThanOrEqual(9);
});
