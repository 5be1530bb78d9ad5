import { expect, test } from 'vitest';
import { atOnce, type JsonObject, type JsonValue, seededRandom } from '../../meta/index.ts';
import { typeFromNotation } from '../types/type-notation.ts';
import { mergeTyped, mergeTypedInSteps } from './merge.ts';

const type = typeFromNotation({
  struct: {
    data: { map: 'string' },
    items: { set: 'number' },
    spec: { struct: { deep: { map: { map: { map: { map: 'number' } } } }, name: 'string' } },
  },
});

test('a merge in steps gives what a merge at once gives, and shares as much', () => {
  const random = seededRandom(11);
  const few = (make: () => JsonValue): JsonObject =>
    Object.fromEntries(['a', 'b', 'c', '__proto__'].filter(() => random() < 0.6).map((key) => [key, make()]));
  const number = () => Math.floor(random() * 3);
  const value = (): JsonObject => ({
    data: random() < 0.2 ? null : few(() => `${number()}`),
    items: random() < 0.2 ? [] : [...new Set(Array.from({ length: 4 }, number))],
    spec: { deep: few(() => few(() => few(() => few(number)))), ...(random() < 0.5 ? { name: 'x' } : {}) },
  });
  for (let round = 0; round < 500; round += 1) {
    const [live, applied] = [value(), random() < 0.1 ? {} : value()];
    const expected = mergeTyped(type, live, applied);
    const found = atOnce(mergeTypedInSteps(type, live, applied));
    expect(found).toEqual(expected);
    expect(found === live).toBe(expected === live);
    for (const key of Object.keys(live)) {
      const shared = (merged: JsonValue) => (merged as JsonObject)[key] === live[key];
      expect(shared(found)).toBe(shared(expected));
    }
  }
});

test('divides wide maps', () => {
  const data = (value: string) => ({
    data: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, value])),
  });
  let steps = 0;
  const merging = mergeTypedInSteps(type, data('a'), data('b'));
  while (merging.next().done !== true) steps += 1;
  expect(steps).toBe(19);
});
