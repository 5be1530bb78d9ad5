import { describe, expect, test } from 'vitest';
import { goJson, type JsonValue } from '../../meta/index.ts';
import { randomValue, randomBelow } from '../random-value.test-data.ts';
import { decodeJson } from './decode-json.ts';
import { encodeJson } from './encode-json.ts';
import { encodeJsonPretty, prettyJson } from './pretty-json.ts';

const encode = (value: JsonValue) => encodeJson(value).toString();

describe('canonical JSON', () => {
  test('keys are in the order of their bytes, whatever the order of insertion', () => {
    expect(encode({ b: 1, a: { d: 1, c: [{ f: 1, e: 2 }] } })).toBe(
      '{"a":{"c":[{"e":2,"f":1}],"d":1},"b":1}',
    );
    expect(encode({ 9: 1, 10: 2, a: 3 })).toBe('{"10":2,"9":1,"a":3}');
    // U+1F600 starts with the UTF-16 unit D83D, but with the byte F0.
    expect(encode({ '😀': 1, '\uffee': 2 })).toBe('{"\uffee":2,"😀":1}');
  });

  test('__proto__ is a key like any other', () => {
    const value: JsonValue = JSON.parse('{"b":{"z":1,"__proto__":{"y":1,"x":2}},"__proto__":1}');
    expect(encode(value)).toBe('{"__proto__":1,"b":{"__proto__":{"x":2,"y":1},"z":1}}');
  });

  test('HTML is escaped', () => {
    expect(encode('<a href="x">&\u2028\u2029</a>')).toBe(
      '"\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029\\u003c/a\\u003e"',
    );
    expect(encode({ '<': 9007199254740993n })).toBe('{"\\u003c":9007199254740993}');
  });

  test('numbers', () => {
    expect(encode([0, -0, 1e21, 1e20, 1e-7, 0.000001, 1.5, 9223372036854775807n])).toBe(
      '[0,-0,1e+21,100000000000000000000,1e-7,0.000001,1.5,9223372036854775807]',
    );
    expect(() => encode([Number.NaN])).toThrow('a number in JSON is finite');
    expect(() => encode([1n, Number.POSITIVE_INFINITY])).toThrow('a number in JSON is finite');
  });

  test('half a surrogate pair becomes U+FFFD, and what only looks like one stays', () => {
    expect(encode('\ud800 \\ud800 😀')).toBe('"\ufffd \\\\ud800 😀"');
    expect(encode('\\ud800')).toBe('"\\\\ud800"');
  });

  test('the value itself is left alone', () => {
    const value: JsonValue = { b: 1, a: [{ d: 1, c: 2 }] };
    encode(value);
    expect(JSON.stringify(value)).toBe('{"b":1,"a":[{"d":1,"c":2}]}');
  });

  test('any value comes back as it was', () => {
    const random = randomBelow(20);
    for (let round = 0; round < 3_000; round += 1) {
      const value = randomValue(random);
      const bytes = encodeJson(value);
      expect(bytes.toString()).toBe(goJson(value));
      const decoded = decodeJson(bytes);
      expect(decoded.duplicates).toEqual([]);
      expect(encodeJson(decoded.value)).toEqual(bytes);
    }
  });
});

describe('pretty JSON', () => {
  test('two spaces, empties on one line', () => {
    expect(encodeJsonPretty({ b: [], a: { x: [1, { y: '[,"' }] }, c: {} }).toString()).toBe(
      [
        '{',
        '  "a": {',
        '    "x": [',
        '      1,',
        '      {',
        '        "y": "[,\\""',
        '      }',
        '    ]',
        '  },',
        '  "b": [],',
        '  "c": {}',
        '}',
      ].join('\n'),
    );
  });

  test('tokens stay as they are', () => {
    expect(prettyJson(Buffer.from('{"z":1.50,"a" : [ ] ,\n"a":"\\u003c"}')).toString()).toBe(
      '{\n  "z": 1.50,\n  "a": [],\n  "a": "\\u003c"\n}',
    );
  });

  test('agrees with JSON.stringify', () => {
    const random = randomBelow(7);
    for (let round = 0; round < 300; round += 1) {
      const expected = JSON.stringify(JSON.parse(encode(randomValue(random))), null, 2);
      expect(prettyJson(Buffer.from(expected)).toString()).toBe(expected);
    }
  });
});
