import { describe, expect, test } from 'vitest';
import { limits, isObject } from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';
import { decodeYaml, decodeYamlDocuments } from './decode-yaml.ts';

const decode = (text: string) => decodeYaml(Buffer.from(text));
const read = (text: string) => decode(text).value;

function refusal(text: string | Buffer): string {
  try {
    decodeYaml(Buffer.from(text));
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('scalars', () => {
  test.each<[string, unknown]>([
    ...['y', 'Yes', 'TRUE', 'on'].map((word): [string, unknown] => [word, true]),
    ...['n', 'No', 'false', 'OFF'].map((word): [string, unknown] => [word, false]),
    ...['', '~', 'null', 'NULL'].map((word): [string, unknown] => [word, null]),
    ['tRue', 'tRue'],
    ['"yes"', 'yes'],
    ['010', 8],
    ['0o10', 8],
    ['0x1F', 31],
    ['-0b11', -3],
    ['1_000', 1000],
    ['+1', 1],
    ['09', 9],
    ['1.0', 1],
    ['1e3', 1000],
    ['.5', 0.5],
    ['-0.0', 0],
    ['9007199254740993', 9007199254740993n],
    ['18446744073709551615', 2 ** 64],
    ['1e400', '1e400'],
    ['1:30', '1:30'],
    ['2001-01-01', '2001-01-01'],
    ['!!str 1', '1'],
    ['! 12', '12'],
    ['!!int "3"', 3],
    ['!!float 1', 1],
    ['!!binary aGVsbG8=', 'hello'],
    ['!custom x', 'x'],
    ['<<', '<<'],
  ])('%s', (text, value) => expect(read(`a: ${text}`)).toStrictEqual({ a: value }));

  test('text in blocks', () => {
    expect(read('a: |\n  x\n   y\nb: >-\n  x\n  y\n')).toEqual({ a: 'x\n y\n', b: 'x y' });
  });

  test('keys become strings', () => {
    expect(read('yes: 1\n0x10: 2\n1.50: 3\n1e10: 4\n0.1: 5')).toEqual({
      true: 1,
      16: 2,
      '1.5': 3,
      '1e+10': 4,
      '0.1': 5,
    });
    expect(Object.keys(read('__proto__: 1') ?? {})).toEqual(['__proto__']);
  });
});

describe('merge keys and aliases', () => {
  test('what comes later overrides', () => {
    expect(read('o: &x {a: 1, b: 2}\np: {b: 3, <<: *x}\nq: {<<: *x, b: 3}')).toMatchObject({
      p: { a: 1, b: 2 },
      q: { a: 1, b: 3 },
    });
    expect(read('{<<: [{a: 1}, {a: 2, b: 2}]}')).toEqual({ a: 1, b: 2 });
  });

  test('aliases share nothing', () => {
    const value = read('a: &a {x: 1}\nb: *a');
    expect(value).toEqual({ a: { x: 1 }, b: { x: 1 } });
    if (!isObject(value)) throw new Error('not a map');
    expect(value['a']).not.toBe(value['b']);
  });

  test.each([
    ['<<: 1', 'yaml: map merge requires map or sequence of maps as the value'],
    ['a: *x', "yaml: unknown anchor 'x' referenced"],
    ['a: &a [*a]', "yaml: anchor 'a' value contains itself"],
  ])('%s', (text, message) => expect(refusal(text)).toBe(message));
});

describe('duplicate keys', () => {
  test('the last wins, the line is that of its value', () => {
    expect(decode('a: 1\nb:\n  c: 1\n  c:\n    d\na: 2\n')).toEqual({
      value: { a: 2, b: { c: 'd' } },
      duplicates: ['line 5: key "c" already set in map', 'line 6: key "a" already set in map'],
    });
  });

  test('keys that are no strings are not quoted, and differ from strings that look alike', () => {
    expect(decode('yes: 1\non: 2').duplicates).toEqual(['line 2: key true already set in map']);
    expect(decode('1: 1\n0x1: 2').duplicates).toEqual(['line 2: key 1 already set in map']);
    expect(decode('1: 1\n"1": 2').duplicates).toEqual([]);
  });

  test('the line of a block is that of its indicator', () => {
    expect(decode('a: 1\na: |\n\n  x\n').duplicates).toEqual(['line 2: key "a" already set in map']);
  });

  test('JSON that is sent as YAML', () => {
    expect(decode('{"a":1,\n"a":2}')).toEqual({
      value: { a: 2 },
      duplicates: ['line 2: key "a" already set in map'],
    });
    expect(decode('{"a":{"b":[1,"x"]}}')).toEqual({ value: { a: { b: [1, 'x'] } }, duplicates: [] });
    expect(read('{"a":-0.0}')).toStrictEqual({ a: 0 });
  });
});

describe('documents', () => {
  test('only the first counts', () => {
    expect(read('# a\n---\na: 1\n---\n}broken')).toEqual({ a: 1 });
    expect(read('%YAML 1.1\n---\na: 1\n...\nb: 2\n')).toEqual({ a: 1 });
    expect(read('---\n---\na: 1')).toBeNull();
    expect(read('')).toBeNull();
    expect(read('# nothing')).toBeNull();
    expect(read('{"a":1}x')).toEqual({ a: 1 });
    expect(read('[a, b] c\n}')).toEqual(['a', 'b']);
    expect(() => decodeYamlDocuments(Buffer.from('{"a":1}x'))).toThrow(
      new DecodeError('yaml: did not find expected <document start>'),
    );
  });

  test('of a file all count, with their lines', () => {
    expect(
      decodeYamlDocuments(
        Buffer.from('# head\n---\na: 1\n---\n# nothing\n---\n\n\nb: 1\nb: 2\n...\n---\n- c\n'),
      ),
    ).toMatchObject([
      { value: { a: 1 }, duplicates: [], line: 3 },
      { value: { b: 2 }, duplicates: ['line 10: key "b" already set in map'], line: 9 },
      { value: ['c'], duplicates: [], line: 13 },
    ]);
    expect(() => decodeYamlDocuments(Buffer.from('a: 1\n---\nb: c: d\n'))).toThrow(
      new DecodeError('yaml: line 3: mapping values are not allowed in this context'),
    );
  });

  test('a document says on which line a value stands', () => {
    const text = '# head\n---\na:\n  b.c: &x\n    - d: 1\n    - e: 2\n  f: *x\n';
    const [document] = decodeYamlDocuments(Buffer.from(text));
    const line = (...path: string[]) => document?.lineAt(path);
    expect([line(), line('a'), line('a', 'b.c')]).toEqual([3, 3, 4]);
    expect([line('a', 'b', 'c', '1', 'e'), line('a', 'b.c', '7', 'e'), line('a', 'none')]).toEqual([6, 4, 3]);
    expect(line('a', 'f', '0', 'd')).toBe(5);
  });

  test('byte order marks', () => {
    expect(read('\ufeffa: 1')).toEqual({ a: 1 });
    expect(decodeYaml(Buffer.from('\ufeffa: é', 'utf16le')).value).toEqual({ a: 'é' });
  });
});

describe('refusals', () => {
  test.each([
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['a: 1\nb: c: d', 'yaml: line 2: mapping values are not allowed in this context'],
    ['x: 1\na:\n\t- b', 'yaml: line 3: found character that cannot start any token'],
    ['a: 1\nb: @x', 'yaml: line 2: found character that cannot start any token'],
    ['a: "x', 'yaml: found unexpected end of stream'],
    ['a: [1', "yaml: did not find expected ',' or ']'"],
    ['%x', 'yaml: did not find expected <document start>'],
    ['a: .inf', 'json: unsupported value: +Inf'],
    ['a: .nan', 'json: unsupported value: NaN'],
    ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
    ['a: !!binary "?"', 'yaml: !!binary value contains invalid base64 data'],
    ['~: x', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"'],
    ['a: {{ .b }}', 'yaml: invalid map key: map[interface {}]interface {}{".b":interface {}(nil)}'],
    ['[1]: x', 'yaml: invalid map key: []interface {}{1}'],
    ['a: \x00', 'yaml: control characters are not allowed'],
  ])('%j', (text, message) => expect(refusal(text)).toBe(message));

  test('bytes that are no text', () => {
    expect(refusal(Buffer.from([0x61, 0xff]))).toBe('yaml: invalid leading UTF-8 octet');
    expect(refusal(Buffer.from([0xff, 0xfe, 0x00, 0xd8]))).toBe('yaml: incomplete UTF-16 surrogate pair');
  });
});

describe('hostile input', () => {
  test('billion laughs', () => {
    const lines = ['a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]'];
    for (let level = 1; level < 10; level += 1) {
      lines.push(
        `a${level}: &a${level} [${Array(9)
          .fill(`*a${level - 1}`)
          .join(',')}]`,
      );
    }
    expect(refusal(lines.join('\n'))).toBe('yaml: document contains excessive aliasing');
  });

  test('nesting by aliases', () => {
    const lines = [`a0: &a0 ${'['.repeat(600)}${']'.repeat(600)}`];
    for (let level = 1; level < 20; level += 1) {
      lines.push(`a${level}: &a${level} ${'['.repeat(600)}*a${level - 1}${']'.repeat(600)}`);
    }
    expect(refusal(lines.join('\n'))).toBe(`yaml: exceeded max depth of ${limits.nestingDepthMax}`);
  });

  test.each([
    ['flow lists', '['.repeat(1_000_000)],
    ['flow maps', '{a: '.repeat(300_000)],
    ['block lists', '- '.repeat(500_000)],
    ['explicit keys', '? '.repeat(500_000)],
    ['block maps', Array.from({ length: 1_500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['anchors', '&a '.repeat(100_000)],
    ['tags', '!a '.repeat(100_000)],
    ['one long number', `a: 0x${'f'.repeat(1_000_000)}`],
    ['one long integer', `a: ${'1_'.repeat(500_000)}1`],
    ['one long key', `${'k'.repeat(1_000_000)}: 1`],
    ['quotes', `a: ${"'".repeat(1_000_001)}`],
    ['document markers', '---\n'.repeat(200_000)],
    ['comments', '#\n'.repeat(500_000)],
    ['spaces', ' '.repeat(1_000_000)],
    ['colons', 'a:'.repeat(200_000)],
  ])('%s end in a value or a refusal', (_, text) => {
    expect(refusal(text)).toMatch(/^accepted$|^yaml: /);
  });

  test('a document cut anywhere', () => {
    const text = 'a: &x [1, "b\\u00e9", \'c\']\n"k": {<<: {b: *x}, c: |\n  t\n  u}\n';
    for (let end = 0; end <= text.length; end += 1) {
      expect(refusal(text.slice(0, end))).toMatch(/^accepted$|^yaml: |^unsupported map key/);
    }
  });
});
