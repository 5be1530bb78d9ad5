import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../meta/index.ts';
import { type TypeNotation, typeFromNotation } from '../types/type-notation.ts';
import { problemsText } from './typed-error.ts';
import { checkTyped } from './validate.ts';

const check = (type: TypeNotation, value: JsonValue, allowDuplicates = false) =>
  problemsText(checkTyped(typeFromNotation(type), value, { allowDuplicates }));

const byName = { list: { struct: { name: 'string', value: 'number' } }, by: ['name'] } as const;
const twoKeys = { list: { struct: { a: 'string', b: 'string' } }, by: ['a', 'b'] } as const;

describe('a value and its merge type', () => {
  test.each<[TypeNotation, JsonValue, string]>([
    [
      { struct: { spec: { struct: { a: 'string' } } } },
      { spec: { x: 1 } },
      '.spec.x: field not declared in schema',
    ],
    ['number', 'x', 'expected numeric (int or float), got string'],
    ['number', true, 'expected numeric (int or float), got bool'],
    ['number', {}, 'expected numeric (int or float), got map[string]interface {}'],
    ['number', [], 'expected numeric (int or float), got []interface {}'],
    ['string', 5, 'expected string, got &value.valueUnstructured{Value:5}'],
    ['string', 1.5, 'expected string, got &value.valueUnstructured{Value:1.5}'],
    [
      'string',
      { b: [1, null, true], a: 'x' },
      'expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":"x", "b":[]interface {}{1, interface {}(nil), true}}}',
    ],
    ['boolean', { b: [1, null, 'y'], a: 1.5 }, 'expected boolean, got &{map[a:1.5 b:[1 <nil> y]]}'],
    ['boolean', 'true', 'expected boolean, got &{true}'],
    ['scalar', { a: 1 }, 'expected any scalar, got &{map[a:1]}'],
    [{ map: 'string' }, 'x', 'expected map, got &{x}'],
    [{ set: 'string' }, 5, 'expected list, got &{5}'],
    [{ map: { map: 'number' } }, { a: { b: 'x' } }, '.a.b: expected numeric (int or float), got string'],
    [{ list: 'number' }, [1, 'x'], '[1]: expected numeric (int or float), got string'],
    [byName, [{ name: 'a' }, { name: 'a' }], 'duplicate entries for key [name="a"]'],
    [byName, [{ name: 'a', value: 'x' }], '[name="a"].value: expected numeric (int or float), got string'],
    [byName, [{ name: 'a' }, null], 'element 1: associative list with keys may not have a null element'],
    [byName, ['a'], 'element 0: associative list with keys may not have non-map elements'],
    [
      twoKeys,
      [{}],
      'element 0: associative list with keys has an element that omits all key fields ["a" "b"] (and doesn\'t have default values for any key fields)',
    ],
    [{ set: 'string' }, ['a', 'a'], 'duplicate entries for key [="a"]'],
    [{ set: 'any' }, [{}], "element 0: associative list without keys has an element that's a map type"],
    [
      { set: 'any' },
      [null],
      "element 0: associative list without keys has an element that's an explicit null",
    ],
    [{ set: 'any' }, [[]], 'element 0: not supported: associative list with lists as elements'],
    [
      { struct: { a: 'number', b: 'string' } },
      { a: 'x', b: 1 },
      'errors:\n  .a: expected numeric (int or float), got string\n  .b: expected string, got &value.valueUnstructured{Value:1}',
    ],
  ])('%j against %j', (type, value, text) => {
    expect(check(type, value)).toBe(text);
  });

  test.each<[TypeNotation, JsonValue]>([
    ['number', null],
    [{ struct: { a: 'string' } }, null],
    [{ struct: { a: 'string' } }, { a: null }],
    [byName, null],
    ['any', { a: [1, { b: null }], c: 'x' }],
    [twoKeys, [{ a: 'x' }, { a: 'x', b: 'y' }, { b: 'y' }]],
    ['scalar', 1.5],
  ])('%j allows %j', (type, value) => {
    expect(checkTyped(typeFromNotation(type), value, { allowDuplicates: false })).toEqual([]);
  });

  test('numbers may be bigints', () => {
    expect(checkTyped(typeFromNotation('number'), 9007199254740993n, { allowDuplicates: false })).toEqual([]);
  });

  test('stored values may hold an item twice', () => {
    expect(checkTyped(typeFromNotation({ set: 'string' }), ['a', 'a'], { allowDuplicates: true })).toEqual(
      [],
    );
  });

  test('field names that objects treat specially are fields like others', () => {
    const value = JSON.parse('{"__proto__":1,"constructor":2}');
    expect(check({ struct: { a: 'string' } }, value)).toBe('.__proto__: field not declared in schema');
    expect(checkTyped(typeFromNotation({ map: 'number' }), value, { allowDuplicates: false })).toEqual([]);
  });
});
