import { describe, expect, test } from 'vitest';
import {
  clone,
  equal,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownObject,
  ownString,
  put,
} from './value.ts';

const parse = (text: string): JsonObject => JSON.parse(text);

describe('keys that users choose', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', ''];

  test.each(names)('%j is absent until it is set', (name) => {
    const object: JsonObject = {};
    expect(own(object, name)).toBeUndefined();
    put(object, name, { polluted: true });
    expect(own(object, name)).toEqual({ polluted: true });
    expect(Object.keys(object)).toEqual([name]);
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test.each(names)('%j survives a copy', (name) => {
    const object: JsonObject = {};
    put(object, name, [1, { a: null }]);
    const copy = clone(object);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(object));
    expect(own(copy, name)).not.toBe(own(object, name));
  });

  test('can be set twice', () => {
    const object: JsonObject = {};
    put(object, '__proto__', 1);
    put(object, '__proto__', 2);
    expect(JSON.stringify(object)).toBe('{"__proto__":2}');
  });
});

test('fields of the wanted type', () => {
  const object = parse('{"o":{},"l":[1],"s":"x","n":null}');
  expect(ownObject(object, 'o')).toEqual({});
  expect(ownList(object, 'l')).toEqual([1]);
  expect(ownString(object, 's')).toBe('x');
  for (const name of ['l', 's', 'n', 'missing']) expect(ownObject(object, name)).toBeUndefined();
  for (const name of ['o', 's', 'n', 'missing']) expect(ownList(object, name)).toBeUndefined();
  for (const name of ['o', 'l', 'n', 'missing']) expect(ownString(object, name)).toBeUndefined();
});

test('objects are neither lists nor null', () => {
  expect([{}, [], null, 'x', 1, undefined].map(isObject)).toEqual([true, false, false, false, false, false]);
});

describe('equal', () => {
  test.each<[JsonValue | undefined, JsonValue | undefined, boolean]>([
    [1, 1, true],
    [1, 1n, true],
    [9007199254740993n, 9007199254740993n, true],
    [9007199254740993n, 9007199254740992, false],
    [1, '1', false],
    [1n, '1', false],
    [1n, null, false],
    [0, null, false],
    [null, undefined, false],
    [undefined, undefined, true],
    [{}, [], false],
    [[], {}, false],
    [{}, null, false],
    [[1, 2], [1, 2], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [{ a: 1, b: { c: [1n] } }, { b: { c: [1] }, a: 1 }, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [parse('{"__proto__":{}}'), {}, false],
    [parse('{"__proto__":1}'), parse('{"__proto__":1}'), true],
    [{ toString: 1 }, { a: 1 }, false],
  ])('%o and %o: %s', (a, b, same) => {
    expect(equal(a, b)).toBe(same);
    expect(equal(b, a)).toBe(same);
  });
});

test('a clone shares nothing', () => {
  const source: JsonValue = { list: [{ a: 1 }], big: 5n, none: null };
  const copy = clone(source);
  expect(equal(copy, source)).toBe(true);
  put(copy, 'list', []);
  expect(source.list).toEqual([{ a: 1 }]);
});
