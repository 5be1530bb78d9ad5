import { expect, test } from 'vitest';
import { Float64, goJson, type JsonValue } from '../meta/index.ts';
import { jsonLength } from './json-length.ts';

test.each<[string, JsonValue]>([
  ['an empty object', {}],
  ['an empty list', []],
  ['nested values', { a: [1, -0, 2.5, null, true, false, { b: 'x' }], c: {} }],
  ['texts with escapes', ['"', '\\', '<&>', '\n', '\u2028', 'é', '😀', '\ud800']],
  ['keys with escapes', { '<a>': 1, '"': 2, __proto__x: 3 }],
  ['the key __proto__', JSON.parse('{"__proto__":{"a":1}}')],
  ['numbers of 64 bits', [18446744073709551615n, new Float64(1, '1.0'), 1e21]],
])('the length of %s is that of its text', (_, value) => {
  expect(jsonLength(value)).toBe(goJson(value).length);
});
