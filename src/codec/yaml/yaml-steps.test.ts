import { expect, test } from 'vitest';
import { atOnce, type Steps } from '../../meta/index.ts';
import { decodeYamlInSteps } from './decode-yaml.ts';
import { encodeYamlInSteps } from './encode-yaml.ts';

function pausesOf(steps: Steps<unknown>): number {
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  return pauses;
}

const data = Object.fromEntries(Array.from({ length: 10_240 }, (_, index) => [`k${index}`, `v${index}`]));

test('a mapping of many entries is written and read in steps, and is the same afterwards', () => {
  const bytes = atOnce(encodeYamlInSteps({ data, list: [1, 2] }));
  expect(atOnce(decodeYamlInSteps(bytes))).toEqual({ value: { data, list: [1, 2] }, duplicates: [] });
  expect(pausesOf(encodeYamlInSteps({ data }))).toBeGreaterThanOrEqual(40);
  expect(pausesOf(decodeYamlInSteps(bytes))).toBeGreaterThanOrEqual(20);
});
