import { describe, expect, test } from 'vitest';
import { Float64, type JsonValue } from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';
import { decodeCbor } from './decode-cbor.ts';
import { encodeCbor, encodeCborEvent } from './encode-cbor.ts';

const hex = (value: JsonValue) => encodeCbor(value).toString('hex');
const read = (text: string) => decodeCbor(Buffer.from(text.replaceAll(' ', ''), 'hex'));

describe('encoding', () => {
  test.each<[JsonValue, string]>([
    ['', '40'],
    ['a', '41 61'],
    ['ü', '42 c3bc'],
    [{ b: 1, aa: null, a: true }, 'a3 4161 f5 4162 01 426161 f6'],
    [[0, -1, 23, 24, 255, 256], '86 00 20 17 1818 18ff 190100'],
    [9223372036854775807n, '1b7fffffffffffffff'],
    [-9223372036854775808n, '3b7fffffffffffffff'],
    [1.5, 'f9 3e00'],
    [1.1, 'fb 3ff199999999999a'],
    [new Float64(1, '1.0'), 'f9 3c00'],
    [{ '10': 1, '9': 2 }, 'a2 4139 02 423130 01'],
    [JSON.parse('{"__proto__":{}}'), 'a1 495f5f70726f746f5f5f a0'],
  ])('%#', (value, expected) => expect(hex(value)).toBe(`d9d9f7${expected.replaceAll(' ', '')}`));

  test('an event holds an object with its own tag', () => {
    expect(encodeCborEvent('ADDED', { a: 1 }).toString('hex')).toBe(
      ['d9d9f7', 'a2', '4474797065', '454144444544', '466f626a656374', 'd9d9f7', 'a1', '4161', '01'].join(''),
    );
  });
});

describe('decoding', () => {
  test.each<[string, JsonValue]>([
    ['d9d9f7 a1 4161 01', { a: 1 }],
    ['a1 6161 9f 01 02 ff', { a: [1, 2] }],
    ['bf 6161 f6 ff', { a: null }],
    ['d6 43 010203', 'AQID'],
    ['d7 42 beef', 'beef'],
    ['c0 74 323031332d30332d32315432303a30343a30305a', '2013-03-21T20:04:00Z'],
    ['1b 7fffffffffffffff', 9223372036854775807n],
    ['fb 3ff199999999999a', 1.1],
    ['f9 3c00', new Float64(1, '1')],
    ['a1 49 5f5f70726f746f5f5f 01', JSON.parse('{"__proto__":1}')],
  ])('%s', (bytes, value) => expect(read(bytes)).toEqual(value));

  test.each<[string, string]>([
    ['', 'unexpected EOF'],
    ['a1 4161', 'unexpected EOF'],
    ['a2 4161 01 4161 02', 'cbor: found duplicate map key "a"'],
    ['a2 4161 01 6161 02', 'cbor: found duplicate map key "a"'],
    ['a1 01 01', 'cbor: cannot use uint as a key'],
    ['01 01', 'cbor: extraneous data after the first item'],
    ['1b ffffffffffffffff', 'cbor: cannot unmarshal 18446744073709551615 into Go value of type int64'],
    ['f9 7e00', 'cbor: NaN and infinities are not allowed'],
    ['f7', 'cbor: cannot decode undefined'],
    ['c2 41 01', 'cbor: bignum is not allowed'],
    ['81'.repeat(1_001), 'cbor: exceeded max nested level 1000'],
  ])('refused: %#', (bytes, message) => expect(() => read(bytes)).toThrow(new DecodeError(message)));

  test('what is encoded is read back', () => {
    const value = { a: [1, { b: 'x', c: null }], d: 1.25, e: -5, f: '', g: {}, h: [] };
    expect(decodeCbor(encodeCbor(value))).toEqual(value);
  });
});
