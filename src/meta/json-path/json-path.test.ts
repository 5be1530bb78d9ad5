import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../value/value.ts';
import { parseJsonPath, printJsonPathResult } from './json-path.ts';
import { JsonPathError } from './json-path-error.ts';

const object: JsonValue = {
  name: 'web',
  spec: { replicas: 3, ratio: 0.5, 'a.b': 'dotted', big: 9007199254740993n, none: null },
  ports: [
    { name: 'http', port: 80 },
    { name: 'https', port: 443, tls: true },
    { name: 'metrics', port: 9090 },
  ],
  matrix: [[1, 2], [3]],
};

const find = (path: string, of: JsonValue = object) => parseJsonPath(path).find(of);

describe('a JSON path', () => {
  test.each<[path: string, found: JsonValue[]]>([
    ['.name', ['web']],
    ['.spec.replicas', [3]],
    ['$.spec.replicas', [3]],
    ['@.spec.big', [9007199254740993n]],
    ['.spec.none', [null]],
    ['.spec.none.deeper', []],
    ['.missing', []],
    ['.missing.deeper[0]', []],
    ['.name.deeper', []],
    ['.spec.a\\.b', ['dotted']],
    ["['name']", ['web']],
    [".spec['a\\.b']", ['dotted']],
    [".spec['a.b']", []],
    ['.ports[0].name', ['http']],
    ['.ports[-1].name', ['metrics']],
    ['.ports[*].port', [80, 443, 9090]],
    ['.ports[:].port', [80, 443, 9090]],
    ['.ports[0:2].port', [80, 443]],
    ['.ports[1:].port', [443, 9090]],
    ['.ports[:-1].port', [80, 443]],
    ['.ports[::2].port', [80, 9090]],
    ['.ports[1:1].port', []],
    ['.ports[].port', [80]],
    ['.ports[0,2].port', [80, 9090]],
    [".ports[1]['name','port']", ['https', 443]],
    ['.matrix[*][0]', [1, 3]],
    ['.matrix.*', [[1, 2], [3]]],
    ['..port', [80, 443, 9090]],
    ['.ports..name', ['http', 'https', 'metrics']],
    ['.ports[?(@.name=="https")].port', [443]],
    [".ports[?(@.name!='https')].port", [80, 9090]],
    ['.ports[?(@.port>80)].name', ['https', 'metrics']],
    ['.ports[?(@.port<=443)].name', ['http', 'https']],
    ['.ports[?(@.port>=443)].name', ['https', 'metrics']],
    ['.ports[?(@.tls)].name', ['https']],
    ['.ports[?(@.tls==true)].name', ['https']],
    ['.ports[?(@.missing==1)].name', []],
    ['.ports[?(@.name==")")].name', []],
    ['"text"', ['text']],
    ["'a\\tb\\u00e9\\''", ["a\tbé'"]],
    ['5', [5]],
    ['-1.5', [-1.5]],
    ['true', [true]],
    ['.name}, {.spec.replicas', ['web']],
    ['range .ports[*]}{.port}{end', [80]],
  ])('%s', (path, found) => expect(find(path)).toEqual(found));

  test('keys of every name are found, and no others', () => {
    const hostile: JsonValue = JSON.parse('{"__proto__":1,"constructor":2,"":3}');
    expect(find('.__proto__', hostile)).toEqual([1]);
    expect(find('.constructor', hostile)).toEqual([2]);
    expect(find('.', hostile)).toEqual([3]);
    expect(find('.toString', hostile)).toEqual([]);
    expect(find('.length', [1])).toEqual([]);
  });

  test('can be used again', () => {
    const path = parseJsonPath('range .ports[*]}{.port}{end');
    expect(path.find(object)).toEqual(path.find(object));
  });
});

describe('a JSON path that cannot be read', () => {
  test.each([
    ['.a[', 'unterminated array'],
    ['.a[x]', 'invalid array index x'],
    ['.a[-]', 'array index - is not a number'],
    ['.a[99999999999999999999]', 'array index 99999999999999999999 is not a number'],
    ['.a[?(@.b)', 'unclosed array expect ]'],
    ['.a[?(@.b', 'unterminated filter'],
    ['"a', 'unterminated quoted string'],
    ["'\\q'", "unquote string '\\q' error invalid syntax"],
    ['....a', 'invalid multiple recursive descent'],
    ['..*', "unrecognized character in action: U+002A '*'"],
    ['\t', 'unrecognized character in action: U+0009'],
    ['.a\n', 'unclosed action'],
    ['1.2.3', 'cannot parse number 1.2.3'],
  ])('%j', (path, message) => expect(() => parseJsonPath(path)).toThrow(new JsonPathError(message)));
});

describe('a JSON path that does not fit', () => {
  test.each([
    ['.ports[3]', 'array index out of bounds: index 3, length 3'],
    ['.ports[-4]', 'array index out of bounds: index -1, length 3'],
    ['.ports[0:4]', 'array index out of bounds: index 3, length 3'],
    ['.ports[2:1]', 'starting index 2 is greater than ending index 1'],
    ['.ports[::0]', 'step must be > 0'],
    ['.name[0]', 'string is not array or slice'],
    ['.spec[0]', 'map[string]interface {} is not array or slice'],
    ['.spec.replicas[*]', 'int64 is not array or slice'],
    ['.name[?(@.a)]', 'web is not array or slice and cannot be filtered'],
    ['.matrix[?(@[*]==1)]', 'can only compare one element at a time'],
    ['.ports[?(@.port=="80")]', 'incompatible types for comparison'],
    ['.ports[?(@.port==80.0)]', 'incompatible types for comparison'],
    ['.ports[?(@.tls<true)]', 'invalid type for comparison'],
    ['.ports[?(@.port=~80)]', undefined],
    ['.ports[?(@.port=!80)]', 'unrecognized filter operator =!'],
    ['foo', 'unrecognized identifier foo'],
    ['end', 'not in range, nothing to end'],
  ])('%s', (path, message) => {
    const error = message === undefined ? JsonPathError : new JsonPathError(message);
    expect(() => find(path)).toThrow(error);
  });

  test('because it leads to too much', () => {
    const tooMuch = new JsonPathError('more than 100000 results');
    let deep: JsonValue = [1];
    for (let depth = 1; depth < 100; depth += 1) deep = [deep];
    expect(() => find('..[*]'.repeat(5), deep)).toThrow(tooMuch);
    expect(() => find('[0:1,0:1]'.repeat(5_000), deep)).toThrow(tooMuch);
    const wide = Array.from({ length: 400 }, () => [1]);
    expect(() => find(`[${Array.from({ length: 400 }, () => '*').join(',')}]`, wide)).toThrow(tooMuch);
  });
});

test.each<[JsonValue, string]>([
  ['text', 'text'],
  [3, '3'],
  [9007199254740993n, '9007199254740993'],
  [0.5, '0.5'],
  [1500000.5, '1.5000005e+06'],
  [false, 'false'],
  [null, '<no value>'],
  [{ b: '<', a: [1] }, '{"a":[1],"b":"\\u003c"}'],
])('the result %o prints as %s', (value, text) => expect(printJsonPathResult(value)).toBe(text));
