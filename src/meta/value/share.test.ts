import { describe, expect, test } from 'vitest';
import { atOnce } from '../time/steps.ts';
import { sharedWith, sharedWithInSteps } from './share.ts';
import { equal, type JsonObject, type JsonValue, own, put, isObject } from './value.ts';
import { seededRandom } from '../seeded-random.ts';

const parse = (text: string): JsonObject => JSON.parse(text);
const frozen = (value: JsonValue): JsonValue => {
  if (typeof value !== 'object' || value === null) return value;
  for (const item of Object.values(value)) frozen(item);
  Object.freeze(value);
  return value;
};

test('what is the same is shared, what differs is copied', () => {
  const other = parse('{"a":[1],"b":[2,{"c":3}],"d":{"e":{},"f":null}}');
  const value = parse('{"a":[1],"b":[2,{"c":4}],"d":{"f":null,"e":{}},"g":{}}');
  const shared = sharedWith(other, value);
  expect(shared).toEqual(value);
  expect(shared).not.toBe(value);
  expect([shared['a'] === other['a'], shared['d'] === other['d']]).toEqual([true, true]);
  expect([shared['b'], shared['g']].some((item) => item === value['b'] || item === value['g'])).toBe(false);
});

test('the other one itself where nothing differs', () => {
  const other = parse('{"a":[1,{"b":2}]}');
  expect(sharedWith(other, parse('{"a":[1,{"b":2}]}'))).toBe(other);
  expect(sharedWith(other, other)).toBe(other);
  expect(sharedWith(other['a'], parse('{"a":[1]}'))).not.toBe(other);
});

describe('values that are not the same', () => {
  test.each<[JsonValue, JsonValue]>([
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: {} }, { a: [] }],
    [{ a: null }, { a: {} }],
    [{ a: 0 }, { a: -0 }],
    [{ a: '1' }, { a: 1 }],
    [{ a: 9007199254740993n }, { a: 9007199254740992n }],
    [null, {}],
  ])('pair %#', (other, value) => {
    const shared = sharedWith(other, value);
    expect(shared).not.toBe(other);
    expect(shared).toStrictEqual(value);
  });
});

test('keys of every name are keys', () => {
  const other = parse('{"__proto__":{"a":1},"constructor":{"b":[2]}}');
  const value = parse('{"__proto__":{"a":1},"constructor":{"b":[3]},"toString":{}}');
  const shared = sharedWith(other, value);
  expect(JSON.stringify(shared)).toBe(JSON.stringify(value));
  expect(own(shared, '__proto__')).toBe(own(other, '__proto__'));
});

/** A value with a few random changes. */
function changed(value: JsonValue, random: () => number): JsonValue {
  const choice = random();
  if (choice < 0.1) return [null, true, 'x', 7, [], {}][Math.floor(random() * 6)] ?? null;
  if (Array.isArray(value)) return value.flatMap((item) => (random() < 0.1 ? [] : [changed(item, random)]));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (random() > 0.1) put(copy, key, changed(own(value, key) ?? null, random));
  }
  if (random() < 0.1) put(copy, `k${Math.floor(random() * 9)}`, {});
  return copy;
}

test('random changes: equal to what it is made of, and neither of them is changed', () => {
  const random = seededRandom(7);
  let value: JsonValue = parse('{"a":{"b":[1,2,{"c":[]}],"d":"x"},"e":[{"f":1},{"g":2}]}');
  for (let round = 0; round < 2_000; round += 1) {
    const next = changed(value, random);
    const shared = sharedWith(frozen(value), frozen(next));
    expect(shared).toStrictEqual(next);
    expect(shared === value).toBe(
      typeof next === 'object' && next !== null ? equal(next, value) : shared === value,
    );
    value = round % 50 === 0 ? parse('{"a":{"b":[1,2,{"c":[]}],"d":"x"},"e":[{"f":1},{"g":2}]}') : next;
  }
});

test('shares the same in steps, of wide objects', () => {
  const wide = (text: string) => ({
    data: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, text])),
    spec: { list: [{ a: 1 }], deep: { a: { b: { c: { d: { e: 1 } } } } } },
  });
  const [live, next] = [wide('a'), { ...wide('b'), status: null }];
  const steps = sharedWithInSteps(live, next);
  let count = 0;
  for (;;) {
    const { done, value } = steps.next();
    count += 1;
    if (done !== true) continue;
    expect(value).toEqual(sharedWith(live, next));
    expect([value['spec'] === live.spec, value['data'] === next.data]).toEqual([true, false]);
    break;
  }
  expect(count).toBe(20);
  expect(atOnce(sharedWithInSteps(live, structuredClone(live)))).toBe(live);
  expect(atOnce(sharedWithInSteps(undefined, next))).not.toBe(next);
});
