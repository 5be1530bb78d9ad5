import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../meta/index.ts';
import { encodeJson } from '../json/encode-json.ts';
import { randomValue, randomBelow } from '../random-value.test-data.ts';
import { decodeYaml } from './decode-yaml.ts';
import { encodeYaml } from './encode-yaml.ts';

const encode = (value: JsonValue) => encodeYaml(value).toString();

describe('encodeYaml', () => {
  test('keys sorted, lists at the indent of their key', () => {
    expect(
      encode({
        spec: { ports: [{ port: 80, name: 'a' }, {}], matrix: [[1, 2], []] },
        apiVersion: 'v1',
        kind: 'X',
      }),
    ).toBe(
      [
        'apiVersion: v1',
        'kind: X',
        'spec:',
        '  matrix:',
        '  - - 1',
        '    - 2',
        '  - []',
        '  ports:',
        '  - name: a',
        '    port: 80',
        '  - {}',
        '',
      ].join('\n'),
    );
  });

  test('numbers in keys count as numbers', () => {
    expect(encode({ a10: 1, a2: 2, B: 3, _: 4 })).toBe('_: 4\nB: 3\na2: 2\na10: 1\n');
  });

  test.each<[JsonValue, string]>([
    ['', '""'],
    ['yes', '"yes"'],
    ['null', '"null"'],
    ['010', '"010"'],
    ['1_000', '"1_000"'],
    ['1:30', '"1:30"'],
    ['2001-01-01', '"2001-01-01"'],
    ['2001-13-01', '2001-13-01'],
    ['<<', '"<<"'],
    ['a: b', "'a: b'"],
    ['a:b', 'a:b'],
    ['- a', "'- a'"],
    ['#a', "'#a'"],
    ["it's", "it's"],
    ["'it's", "'''it''s'"],
    [' a', "' a'"],
    ['a\tb', '"a\\tb"'],
    ['😀', '"\\U0001F600"'],
    ['\u2028', '"\\L"'],
    ['\ud800', '\ufffd'],
    [1.5, '1.5'],
    [1234567.5, '1.2345675e+06'],
    [1e6, '1000000'],
    [1e21, '1e+21'],
    [9223372036854775807n, '9223372036854775807'],
    [-0, '0'],
    [null, 'null'],
    [true, 'true'],
  ])('%s', (value, text) => expect(encode({ k: value })).toBe(`k: ${text}\n`));

  test('text with line breaks', () => {
    expect(encode({ a: 'x\n y\n', b: 'x\ny', c: 'x\n\n', d: ' x\ny\n' })).toBe(
      'a: |\n  x\n   y\nb: |-\n  x\n  y\nc: |+\n  x\n\nd: |2\n   x\n  y\n',
    );
    expect(encode({ a: 'x \ny' })).toBe('a: "x \\ny"\n');
  });

  test('long lines are folded, long keys are explicit', () => {
    const words = `${'word '.repeat(30)}end`;
    expect(encode({ a: words })).toBe(`a: ${'word '.repeat(16).trim()}\n  ${'word '.repeat(14)}end\n`);
    expect(encode({ [words]: 1 })).toMatch(/^\? word .*\n {2}word .*end\n: 1\n$/);
  });

  test('any value comes back as it was', () => {
    const random = randomBelow(11);
    for (let round = 0; round < 3_000; round += 1) {
      const value = randomValue(random);
      const decoded = decodeYaml(encodeYaml(value));
      expect(encodeJson(decoded.value).toString()).toBe(encodeJson(value).toString());
      expect(decoded.duplicates).toEqual([]);
    }
  });
});
