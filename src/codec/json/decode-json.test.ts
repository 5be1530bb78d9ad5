import { describe, expect, test } from 'vitest';
import { atOnce, Float64, limits } from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';
import { decodeCanonicalJson, decodeJson, decodeJsonInSteps } from './decode-json.ts';

const decode = (text: string | Buffer) => decodeJson(Buffer.from(text));
const read = (text: string | Buffer) => decode(text).value;

function refusal(text: string | Buffer): string {
  try {
    decode(text);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('numbers', () => {
  test.each<[string, unknown]>([
    ['1', 1],
    ['-0', 0],
    ['-0.0', -0],
    ['1.0', new Float64(1, '1.0')],
    ['1e3', new Float64(1000, '1e3')],
    ['-20.00e-1', new Float64(-2, '-20.00e-1')],
    ['1.50', 1.5],
    ['0.30000000000000004', 0.30000000000000004],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', 2 ** 63],
    ['123456789012345678901234567890', 1.2345678901234568e29],
    ['1e-400', new Float64(0, '1e-400')],
  ])('%s', (text, value) => {
    expect(read(text)).toStrictEqual(value);
    expect(read(`{"a":[${text}]}`)).toStrictEqual({ a: [value] });
  });

  test('beyond a double', () => {
    expect(refusal('{"a":1e400}')).toBe('json: cannot unmarshal number 1e400 into Go value of type float64');
    const digits = '9'.repeat(400);
    expect(refusal(digits)).toBe(`json: cannot unmarshal number ${digits} into Go value of type float64`);
    expect(refusal('[1e400')).toBe('unexpected end of JSON input');
  });
});

describe('duplicate fields', () => {
  test('the last wins, and its path is reported', () => {
    expect(decode('{"spec":{"list":[{"x":1,"x":{"b":2}}]}}')).toEqual({
      value: { spec: { list: [{ x: { b: 2 } }] } },
      duplicates: ['duplicate field "spec.list[0].x"'],
    });
  });

  test('values are replaced, not merged', () => {
    expect(read('{"a":{"b":1},"a":{"c":2}}')).toEqual({ a: { c: 2 } });
  });

  test('paths are quoted as Go does, each reported once', () => {
    expect(decode('{"a\\"":1,"a\\"":2,"a\\"":3}').duplicates).toEqual(['duplicate field "a\\""']);
    expect(decode('[{"a":1,"\\u0061":2}]').duplicates).toEqual(['duplicate field "[0].a"']);
  });

  test('no more than the limit', () => {
    const pairs = Array.from({ length: 300 }, (_, index) => `"k${index}":1,"k${index}":2`);
    expect(decode(`{${pairs.join(',')}}`).duplicates).toHaveLength(limits.strictErrorsMax);
  });

  test('__proto__ is a key like any other', () => {
    const { value, duplicates } = decode('{"__proto__":1,"__proto__":{"a":2},"constructor":3}');
    expect(Object.entries(value ?? {})).toEqual([
      ['__proto__', { a: 2 }],
      ['constructor', 3],
    ]);
    expect(duplicates).toEqual(['duplicate field "__proto__"']);
    expect(Object.keys(read('{"__proto__":1}') ?? {})).toEqual(['__proto__']);
  });
});

describe('text', () => {
  test('bytes that are no UTF-8 become U+FFFD one by one', () => {
    expect(read(Buffer.from([0x22, 0xe2, 0x82, 0x41, 0xff, 0xc3, 0xa9, 0x22]))).toBe('\ufffd\ufffdA\ufffdé');
  });

  test('half a surrogate pair becomes U+FFFD', () => {
    expect(read('"\\ud800 \\ud83d\\ude00 \\udc00"')).toBe('\ufffd 😀 \ufffd');
  });
});

describe('refusals in the words of Go', () => {
  test.each([
    ['', 'unexpected end of JSON input'],
    [' ', 'unexpected end of JSON input'],
    ['{"a":1', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['x', "invalid character 'x' looking for beginning of value"],
    ["'", "invalid character '\\'' looking for beginning of value"],
    ['\0', "invalid character '\\x00' looking for beginning of value"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} {}', "invalid character '{' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-', "invalid character ' ' in numeric literal"],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.a', "invalid character 'a' after decimal point in numeric literal"],
    ['1e+', "invalid character ' ' in exponent of numeric literal"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['falze', "invalid character 'z' in literal false (expecting 's')"],
    ['nil', "invalid character 'i' in literal null (expecting 'u')"],
  ])('%j', (text, message) => expect(refusal(text)).toBe(message));
});

describe('hostile input', () => {
  // V8 13 and 14 read the second of each as the start of its source text: https://github.com/nodejs/node/issues/63785
  test.each([
    ['{"a":[],"\\\\":0}', '{"a":1,"\\"":2}', '"'],
    ['{"b":[],"\\\\":0}', '{"b":1,"\\u003c":2}', '<'],
    ['{"c":[],"k:{\\\\\\"name\\\\\\":\\\\\\"":0}', '{"c":1,"k:{\\"name\\":\\"x\\"}":2}', 'k:{"name":"x"}'],
  ])('after %s, the keys of %s are read as they are', (before, text, key) => {
    read(before);
    expect(Object.keys(Object(read(text)))[1]).toBe(key);
    expect(Object.keys(Object(decodeCanonicalJson(Buffer.from(text), { isPlain: true })))[1]).toBe(key);
    const long = Buffer.from(`[${Array(10_000).fill(text).join(',')}]`);
    const last = Object(atOnce(decodeJsonInSteps(long)).value).at(-1);
    expect(Object.keys(last)[1]).toBe(key);
  });

  test('nesting ends at the limit', () => {
    const deep = limits.nestingDepthMax;
    expect(refusal('['.repeat(deep) + ']'.repeat(deep))).toBe('accepted');
    expect(refusal('['.repeat(deep + 1) + ']'.repeat(deep + 1))).toBe(
      "invalid character '[' exceeded max depth",
    );
    expect(refusal('{"a":'.repeat(1_000_000))).toBe("invalid character '{' exceeded max depth");
    expect(refusal('['.repeat(1_000_000))).toBe("invalid character '[' exceeded max depth");
  });

  test('brackets in strings are no nesting', () => {
    expect(read(JSON.stringify('['.repeat(5_000)))).toBe('['.repeat(5_000));
  });

  test('a document cut anywhere is refused or whole', () => {
    const text = '{"a":[1,-2.5e3,true,null,"x\\u00e9\\n"],"b":{"c":"é😀"}} ';
    for (let end = 0; end < Buffer.byteLength(text) - 1; end += 1) {
      const message = refusal(Buffer.from(text).subarray(0, end));
      expect(message).toMatch(
        /^unexpected end of JSON input$|^invalid character ' ' (in|after decimal point in) /,
      );
    }
    expect(refusal(text.trimEnd())).toBe('accepted');
  });
});
