import { describe, expect, test } from 'vitest';
import {
  compareBytes,
  goFloat,
  goJson,
  goJsonKind,
  goPrint,
  goQuote,
  goTypeName,
  goValue,
} from './go-text.ts';
import type { JsonValue } from '../value/value.ts';

describe('goQuote', () => {
  test.each([
    ['plain', '"plain"'],
    ['say "hi" \\ bye', '"say \\"hi\\" \\\\ bye"'],
    ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
    ['\0\u001f\u007f', '"\\x00\\x1f\\x7f"'],
    ['é 日本 😀', '"é 日本 😀"'],
    ['\u00a0\u200b\ufeff', '"\\u00a0\\u200b\\ufeff"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['<&>', '"<&>"'],
  ])('%j', (text, quoted) => expect(goQuote(text)).toBe(quoted));
});

describe('goFloat', () => {
  test.each([
    [1.5, '1.5'],
    [-0.25, '-0.25'],
    [0, '0'],
    [-0, '-0'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [123456.789, '123456.789'],
    [100000, '100000'],
    [1000000, '1e+06'],
    [1234567.5, '1.2345675e+06'],
    [1e100, '1e+100'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ])('%d: %s', (value, text) => expect(goFloat(value)).toBe(text));
});

const hostile: JsonValue = JSON.parse('{"b":1,"__proto__":[true,null],"a":{"<":"&\\u2028"}}');

describe('values as Go prints them', () => {
  test.each<[JsonValue, { json: string; text: string; value: string }]>([
    [null, { json: 'null', text: '<nil>', value: 'null' }],
    [true, { json: 'true', text: 'true', value: 'true' }],
    [1234567, { json: '1234567', text: '1234567', value: '1234567' }],
    [0.5, { json: '0.5', text: '0.5', value: '0.5' }],
    [1234567.5, { json: '1234567.5', text: '1.2345675e+06', value: '1.2345675e+06' }],
    [9007199254740993n, { json: '9007199254740993', text: '9007199254740993', value: '9007199254740993' }],
    ['a<"', { json: '"a\\u003c\\""', text: 'a<"', value: '"a<\\""' }],
    [[1, 'a'], { json: '[1,"a"]', text: '[1 a]', value: '[1,"a"]' }],
    [
      hostile,
      {
        json: '{"__proto__":[true,null],"a":{"\\u003c":"\\u0026\\u2028"},"b":1}',
        text: 'map[__proto__:[true <nil>] a:map[<:&\u2028] b:1]',
        value: '{"__proto__":[true,null],"a":{"\\u003c":"\\u0026\\u2028"},"b":1}',
      },
    ],
  ])('%o', (value, expected) =>
    expect({ json: goJson(value), text: goPrint(value), value: goValue(value) }).toEqual(expected),
  );

  test('nothing at all is null', () => {
    expect(goJson(undefined)).toBe('null');
    expect(goValue(undefined)).toBe('null');
  });
});

test.each<[JsonValue, string, string]>([
  [null, 'null', '<nil>'],
  [true, 'bool', 'bool'],
  [1, 'number', 'int64'],
  [1n, 'number', 'int64'],
  [1.5, 'number', 'float64'],
  ['', 'string', 'string'],
  [[], 'array', '[]interface {}'],
  [{}, 'object', 'map[string]interface {}'],
])('%o is a %s to the decoder and a %s to Go', (value, kind, type) => {
  expect(goJsonKind(value)).toBe(kind);
  expect(goTypeName(value)).toBe(type);
});

test('strings are ordered by their bytes', () => {
  const ordered = ['', 'A', 'a', 'a\0', 'ab', 'b', 'é', '日', '\ue000', '\uffff', '\u{10000}', '😀'];
  expect([...ordered].reverse().sort(compareBytes)).toEqual(ordered);
  const bytes = [...ordered].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(bytes).toEqual(ordered);
});
