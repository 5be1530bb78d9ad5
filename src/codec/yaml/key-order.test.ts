import { expect, test } from 'vitest';
import { atOnce, sortInSteps } from '../../meta/index.ts';
import { compareKeys } from './key-order.ts';

test.each([
  [
    ['a10', 'a2', 'a02', 'b'],
    ['a2', 'a02', 'a10', 'b'],
  ],
  [
    ['ab', 'a1', 'a-', 'a'],
    ['a', 'a-', 'a1', 'ab'],
  ],
  [
    ['10', '1x', '1'],
    ['1', '10', '1x'],
  ],
  [
    ['é', 'a', '1', '１'],
    ['1', '１', 'a', 'é'],
  ],
])('keys %j are printed as %j', (keys, sorted) => {
  expect([...keys].sort(compareKeys)).toEqual(sorted);
  expect(atOnce(sortInSteps(keys, compareKeys))).toEqual(sorted);
});

test('keys of ASCII are in the same order as beside a character that is not', () => {
  const parts = ['', '0', '00', '1', '10', '9', '01', 'a', 'B', '-', '.', '_', 'a0', 'a1'];
  const keys = parts.flatMap((left) => parts.map((right) => left + right));
  for (const left of keys) {
    for (const right of keys) {
      // The same character appended to both changes only how they are compared.
      const other = Math.sign(compareKeys(`é${left}`, `é${right}`));
      expect([left, right, Math.sign(compareKeys(left, right))]).toEqual([left, right, other]);
    }
  }
});

test('many keys are sorted in steps, and come out as if they were sorted at once', () => {
  const keys = Array.from({ length: 5_000 }, (_, index) => `k${(index * 7_919) % 5_000}`);
  const steps = sortInSteps([...keys], compareKeys);
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count += 1;
  expect(count).toBeGreaterThan(5);
  expect(step.value).toEqual([...keys].sort(compareKeys));
});
