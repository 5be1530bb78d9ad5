import { describe, expect, test } from 'vitest';
import { parseExactJson } from './exact-json.ts';

describe('JSON with large integers', () => {
  test.each<[string, unknown]>([
    ['1', 1],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    [
      '[12345678901234567890, 1.5e3, "12345678901234567890"]',
      [12345678901234567890n, 1500, '12345678901234567890'],
    ],
    ['{"i12345678901234567890": "s\\"i", "a": null}', { i12345678901234567890: 's"i', a: null }],
    ['{"id": 12345678901234567890, "n": {"m": true}}', { id: 12345678901234567890n, n: { m: true } }],
    ['1234567890123456.5', 1234567890123456.5],
  ])('%s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });

  test('keeps a key that objects treat specially', () => {
    const value = parseExactJson('{"__proto__": 12345678901234567890}');
    expect(Object.entries(value ?? {})).toEqual([['__proto__', 12345678901234567890n]]);
  });

  test.each(['01234567890123456789', '[12345678901234567890', '12345678901234567890 1'])(
    'refuses %s',
    (text) => {
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
    },
  );
});
