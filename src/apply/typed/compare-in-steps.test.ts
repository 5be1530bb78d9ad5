import { describe, expect, test } from 'vitest';
import { atOnce, type JsonObject, type JsonValue, seededRandom, type Steps } from '../../meta/index.ts';
import { type TypeNotation, typeFromNotation } from '../types/type-notation.ts';
import { type Comparison, compareTyped, compareTypedInSteps } from './compare.ts';

const notation: TypeNotation = {
  struct: {
    data: { map: 'string' },
    items: { set: 'number' },
    spec: { struct: { deep: { map: { map: { map: { map: 'number' } } } }, name: 'string' } },
  },
};
const type = typeFromNotation(notation);

const textsOf = ({ added, modified, removed }: Comparison) =>
  [added, modified, removed].map((set) => set.toText());

function stepsOf(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count += 1;
  return count;
}

const keys = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

describe('a comparison in steps', () => {
  test('finds what a comparison at once finds', () => {
    const random = seededRandom(7);
    const few = (make: () => JsonValue): JsonObject =>
      Object.fromEntries(
        ['a', 'b', 'c', '__proto__'].filter(() => random() < 0.6).map((key) => [key, make()]),
      );
    const number = () => Math.floor(random() * 3);
    const value = (): JsonObject => ({
      ...few(() => number()),
      data: random() < 0.1 ? null : few(() => `${number()}`),
      items: random() < 0.1 ? 'none' : Array.from({ length: 4 }, number),
      spec: { deep: few(() => few(() => few(() => few(number)))), ...(random() < 0.5 ? { name: 'x' } : {}) },
    });
    for (let round = 0; round < 500; round += 1) {
      const [before, after] = [value(), value()];
      const found = atOnce(compareTypedInSteps(type, before, after));
      expect(textsOf(found)).toEqual(textsOf(compareTyped(type, before, after)));
    }
  });

  test('divides wide maps, and sets that come', () => {
    const items = Array.from({ length: 20_000 }, (_, index) => index);
    expect(stepsOf(compareTypedInSteps(type, { data: keys(20_000, 'a') }, { data: keys(20_000, 'b') }))).toBe(
      19,
    );
    expect(stepsOf(compareTypedInSteps(type, {}, { data: keys(20_000, 'b') }))).toBe(19);
    expect(stepsOf(compareTypedInSteps(type, {}, { items }))).toBe(19);
  });

  test('divides long sets that change, and finds what differs', () => {
    const items = (from: number) => ({ items: Array.from({ length: 20_000 }, (_, index) => from + index) });
    expect(stepsOf(compareTypedInSteps(type, items(0), items(1)))).toBe(57);
    const twins = { items: [...items(1).items, 7, 7] };
    const found = atOnce(compareTypedInSteps(type, items(0), twins));
    expect(textsOf(found)).toEqual([['.items[=7]', '.items[=20000]'], [], ['.items[=0]', '.items[=7]']]);
    expect(textsOf(found)).toEqual(textsOf(compareTyped(type, items(0), twins)));
    const alike = compareTypedInSteps(type, items(0), { items: items(0).items.toReversed() });
    expect(textsOf(atOnce(alike))).toEqual([[], [], []]);
  });
});
