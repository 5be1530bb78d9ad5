import { expect, test } from 'vitest';
import type { JsonValue } from '../meta/index.ts';
import { isPlainBody } from './plain-body.ts';

const widget = (spec: JsonValue) => ({ apiVersion: 'example.com/v1', kind: 'Widget', spec });

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

test.each<JsonValue>([{ size: 1, share: 0.5, names: ['a', 'é☃'], on: true, off: null }, {}, [], nested(90)])(
  '%j in a body is decoded unchanged',
  (spec) => {
    expect(isPlainBody(widget(spec))).toBe(true);
  },
);

test.each<[string, JsonValue]>([
  ['-0', { size: -0 }],
  ['an integer that becomes a bigint', { size: 2 ** 53 }],
  ['a bigint', { size: 2n ** 60n }],
  ['no number', { size: Number.POSITIVE_INFINITY }],
  ['half a character', { text: '\ud800' }],
  ['half a character in a key', { 'a\udc00': 1 }],
  ['what nests deep', nested(101)],
  ['a long text', { text: 'x'.repeat(600_000) }],
  ['many values', Array.from({ length: 200_000 }, () => 1)],
])('%s may not', (_, spec) => {
  expect(isPlainBody(widget(spec))).toBe(false);
});
