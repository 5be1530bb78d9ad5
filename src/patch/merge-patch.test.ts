import { expect, test } from 'vitest';
import { isObject, type JsonValue } from '../meta/index.ts';
import { applyMergePatch, applyMergePatchInSteps } from './merge-patch.ts';

const parse = (text: string): JsonValue => JSON.parse(text);
const merge = (target: string, patch: string) => JSON.stringify(applyMergePatch(parse(target), parse(patch)));

test('the examples of RFC 7386', () => {
  const examples: [string, string, string][] = [
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ];
  for (const [target, patch, expected] of examples) expect(merge(target, patch)).toBe(expected);
});

test('nulls of a patch go at any depth, but stay in a list that replaces an object', () => {
  const examples: [string, string, string][] = [
    ['{}', '{"a":[{"b":1,"c":null}]}', '{"a":[{"b":1}]}'],
    ['{"a":[1]}', '{"a":[{"b":{"c":null}},null]}', '{"a":[{"b":{}},null]}'],
    ['{"a":null}', '{"a":{"b":[[{"c":null}]]}}', '{"a":{"b":[[{}]]}}'],
    ['{"a":{"x":1}}', '{"a":[{"b":null}]}', '{"a":[{"b":null}]}'],
  ];
  for (const [target, patch, expected] of examples) expect(merge(target, patch)).toBe(expected);
});

test("what is patched is new, the rest is the target's own", () => {
  const [target, patch] = [parse('{"a":{"b":{},"c":[{}]},"d":{}}'), { a: { c: [{ x: 1 }] } }];
  const merged = applyMergePatch(target, patch);
  expect(merged).toEqual({ a: { b: {}, c: [{ x: 1 }] }, d: {} });
  if (!isObject(target) || !isObject(merged)) throw new Error('both are objects');
  expect(merged['d']).toBe(target['d']);
  expect(merged['a']).not.toBe(target['a']);
  expect(isObject(merged['a']) && merged['a']['c']).not.toBe(patch.a.c);
});

test('keys that JavaScript treats specially are ordinary keys', () => {
  expect(merge('{"__proto__":{"a":1}}', '{"__proto__":{"b":2},"constructor":{"x":null}}')).toBe(
    '{"__proto__":{"a":1,"b":2},"constructor":{}}',
  );
  expect(({} as Record<string, unknown>)['b']).toBeUndefined();
});

test('a patch of many keys of an object of many keys is applied in steps', () => {
  const many = (value: number) =>
    Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, value]));
  const steps = applyMergePatchInSteps({ data: many(1), a: 1 }, { data: { ...many(2), k0: null } });
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count += 1;
  expect(count).toBe(9);
  const { k0, ...data } = many(2);
  expect(step.value).toEqual({ data, a: 1 });
  expect(k0).toBe(2);
});
