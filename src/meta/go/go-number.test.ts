import { describe, expect, test } from 'vitest';
import { NumberSyntaxError, parseInt64, parseUint64 } from './go-number.ts';

describe('parseInt64', () => {
  test.each([
    ['0', 0n],
    ['-12', -12n],
    ['+7', 7n],
    ['007', 7n],
    ['0000000000000000000000000000001', 1n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
  ])('%s', (text, value) => expect(parseInt64(text)).toBe(value));

  test.each([
    ['x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['1_0', 'strconv.ParseInt: parsing "1_0": invalid syntax'],
    ['-', 'strconv.ParseInt: parsing "-": invalid syntax'],
    ['1"\n', 'strconv.ParseInt: parsing "1\\"\\n": invalid syntax'],
    ['9223372036854775808', 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['-9223372036854775809', 'strconv.ParseInt: parsing "-9223372036854775809": value out of range'],
    ['9'.repeat(30), `strconv.ParseInt: parsing "${'9'.repeat(30)}": value out of range`],
  ])('refuses %j', (text, message) => expect(() => parseInt64(text)).toThrow(new NumberSyntaxError(message)));
});

describe('parseUint64', () => {
  test('takes what an etcd revision can be', () => {
    expect(parseUint64('18446744073709551615')).toBe(18446744073709551615n);
  });

  test.each([
    ['-1', 'strconv.ParseUint: parsing "-1": invalid syntax'],
    ['+1', 'strconv.ParseUint: parsing "+1": invalid syntax'],
    ['18446744073709551616', 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
  ])('refuses %j', (text, message) =>
    expect(() => parseUint64(text)).toThrow(new NumberSyntaxError(message)),
  );
});
