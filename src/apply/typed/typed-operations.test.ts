import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../meta/index.ts';
import { alignWithType, withDeclaredFields } from './align-with-type.ts';
import { compareTyped } from './compare.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { ListItemError } from './list-item.ts';
import { mergeTyped } from './merge.ts';
import { parsePathText } from '../field-set/path-text.ts';
import { extractItems, removeItems } from './select-items.ts';
import { toFieldSet } from './to-field-set.ts';
import { type TypeNotation, typeFromNotation } from '../types/type-notation.ts';
import { TypedError } from './typed-error.ts';

const set = (...paths: string[]) => FieldSet.of(...paths.map(parsePathText));

const thing = {
  struct: {
    name: 'string',
    size: 'number',
    inner: { struct: { a: 'string', b: 'string' } },
    labels: { map: 'string' },
    tags: { set: 'string' },
    items: { list: { struct: { name: 'string', value: 'number' } }, by: ['name'] },
    words: { list: 'string' },
    block: { map: 'string', atomic: true },
    free: 'any',
  },
} as const satisfies TypeNotation;
const type = typeFromNotation(thing);

describe('the fields of a configuration', () => {
  test.each<[JsonValue, string[]]>([
    [{ name: 'a', inner: { a: 'x' } }, ['.name', '.inner.a']],
    [{ inner: {} }, ['.inner']],
    [{ inner: null }, ['.inner']],
    [{ labels: { a: 'b' } }, ['.labels.a']],
    [{ labels: {} }, ['.labels']],
    [{ tags: [] }, []],
    [{ tags: ['a', 'b'] }, ['.tags[="a"]', '.tags[="b"]']],
    [
      { items: [{ name: 'a', value: 1 }] },
      ['.items[name="a"]', '.items[name="a"].name', '.items[name="a"].value'],
    ],
    [{ items: [{ name: 'a', value: 1 }, { name: 'a' }] }, ['.items[name="a"]']],
    [{ words: [] }, ['.words']],
    [{ words: null, block: null }, ['.block', '.words']],
    [{ block: { a: 'b' } }, ['.block']],
    [{ free: { a: { b: 1 }, c: [], d: [{ e: 1 }] } }, ['.free.a', '.free.c', '.free.d', '.free.a.b']],
    [null, []],
  ])('%j owns %j', (value, paths) => {
    expect(toFieldSet(type, value).toText()).toEqual(paths);
  });
});

describe('a comparison', () => {
  test.each<[string, JsonValue, JsonValue, { added?: string[]; modified?: string[]; removed?: string[] }]>([
    ['nothing', { name: 'a', words: ['x'] }, { words: ['x'], name: 'a' }, {}],
    ['a scalar', { name: 'a' }, { name: 'b' }, { modified: ['.name'] }],
    ['a new struct', {}, { inner: { a: 'x' } }, { added: ['.inner', '.inner.a'] }],
    ['a struct gone', { inner: { a: 'x' } }, {}, { removed: ['.inner', '.inner.a'] }],
    ['null to a struct', { inner: null }, { inner: { a: 'x' } }, { added: ['.inner.a'] }],
    ['null to empty', { inner: null }, { inner: {} }, { modified: ['.inner'] }],
    ['a new item', { tags: ['a'] }, { tags: ['b', 'a'] }, { added: ['.tags[="b"]'] }],
    ['order', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }, {}],
    [
      'a keyed item',
      { items: [{ name: 'a', value: 1 }] },
      { items: [{ name: 'a', value: 2 }, { name: 'b' }] },
      { added: ['.items[name="b"]', '.items[name="b"].name'], modified: ['.items[name="a"].value'] },
    ],
    ['an atomic list', { words: ['a'] }, { words: ['b'] }, { modified: ['.words'] }],
    ['an atomic map', { block: { a: 'x' } }, { block: { b: 'x' } }, { modified: ['.block'] }],
    ['a whole atomic map', {}, { block: { a: 'x' } }, { added: ['.block'] }],
    ['a kind, deduced', { free: { a: 1 } }, { free: 'x' }, { removed: ['.free.a'], modified: ['.free'] }],
    ['1 and 1n', { size: 1 }, { size: 1n }, {}],
  ])('of %s', (_, before, after, want) => {
    const found = compareTyped(type, before, after);
    expect(found.added.toText()).toEqual(want.added ?? []);
    expect(found.modified.toText()).toEqual(want.modified ?? []);
    expect(found.removed.toText()).toEqual(want.removed ?? []);
  });

  test('sees keys that objects treat specially', () => {
    const before = JSON.parse('{"labels":{"__proto__":"a","toString":"b"}}');
    const after = JSON.parse('{"labels":{"__proto__":"c","constructor":"d"}}');
    const found = compareTyped(type, before, after);
    expect(found.modified.toText()).toEqual(['.labels.__proto__']);
    expect(found.added.toText()).toEqual(['.labels.constructor']);
    expect(found.removed.toText()).toEqual(['.labels.toString']);
  });

  test('refuses an item that cannot be told from others', () => {
    expect(() => compareTyped(type, { items: [null] }, { items: [] })).toThrow(ListItemError);
  });
});

describe('a merge', () => {
  test.each<[JsonValue, JsonValue, JsonValue]>([
    [{ name: 'a', size: 1 }, { size: 2 }, { name: 'a', size: 2 }],
    [{ inner: { a: 'x' } }, { inner: { b: 'y' } }, { inner: { a: 'x', b: 'y' } }],
    [{ inner: { a: 'x' } }, { inner: null }, { inner: { a: 'x' } }],
    [{ inner: { a: 'x' } }, { inner: {} }, { inner: { a: 'x' } }],
    [{ name: 'a' }, { name: null }, { name: null }],
    [{ block: { a: 'x' } }, { block: { b: 'y' } }, { block: { b: 'y' } }],
    [{ words: ['a'] }, { words: [] }, { words: [] }],
    [{ words: ['a'] }, { words: null }, { words: null }],
    [{ tags: ['a'] }, { tags: null }, { tags: ['a'] }],
    [
      { items: [{ name: 'a', value: 1 }, { name: 'b' }] },
      { items: [{ name: 'b', value: 2 }, { name: 'c' }] },
      { items: [{ name: 'a', value: 1 }, { name: 'b', value: 2 }, { name: 'c' }] },
    ],
    [{ free: [1] }, { free: { a: 1 } }, { free: { a: 1 } }],
    [{ free: { a: 1 } }, { free: null }, { free: { a: 1 } }],
    [{ free: 5 }, { free: null }, { free: null }],
    [null, { name: 'a' }, { name: 'a' }],
    [{ name: 'a' }, null, { name: 'a' }],
  ])('%j with %j is %j', (live, configuration, merged) => {
    expect(mergeTyped(type, live, configuration)).toEqual(merged);
  });

  test('is the live value itself where nothing changes', () => {
    const live = { name: 'a', tags: ['x', 'y'], items: [{ name: 'a', value: 1 }], block: { a: 'b' } };
    const same = { items: [{ value: 1, name: 'a' }], block: { a: 'b' }, tags: ['x'], name: 'a' };
    expect(mergeTyped(type, live, same)).toBe(live);
  });

  test('changes neither side', () => {
    const live = { labels: { a: 'b' }, tags: ['a'] };
    const configuration = { labels: { c: 'd' }, tags: ['b'] };
    mergeTyped(type, live, configuration);
    expect(live).toEqual({ labels: { a: 'b' }, tags: ['a'] });
    expect(configuration).toEqual({ labels: { c: 'd' }, tags: ['b'] });
  });

  test('keeps keys that objects treat specially', () => {
    const merged = mergeTyped(
      type,
      JSON.parse('{"labels":{"__proto__":"a"}}'),
      JSON.parse('{"labels":{"constructor":"b","__proto__":"c"}}'),
    );
    expect(JSON.stringify(merged)).toBe('{"labels":{"__proto__":"c","constructor":"b"}}');
    const added = mergeTyped(type, { labels: { a: 'b' } }, JSON.parse('{"labels":{"__proto__":"c"}}'));
    expect(JSON.stringify(added)).toBe('{"labels":{"a":"b","__proto__":"c"}}');
  });

  test('refuses an item twice in the configuration', () => {
    expect(() => mergeTyped(type, { tags: ['a'] }, { tags: ['b', 'b'] })).toThrow(TypedError);
  });
});

describe('taking items away and out', () => {
  const value: JsonValue = {
    name: 'a',
    inner: { a: 'x' },
    tags: ['p', 'q'],
    items: [{ name: 'a', value: 1 }],
  };

  test('a container that is emptied stays as null', () => {
    expect(removeItems(type, { inner: { a: 'x' }, name: 'n' }, set('.inner.a'))).toEqual({
      inner: null,
      name: 'n',
    });
    expect(removeItems(type, { tags: ['p'], name: 'n' }, set('.tags[="p"]'))).toEqual({
      tags: null,
      name: 'n',
    });
    expect(removeItems(type, { name: 'n' }, set('.name'))).toBeNull();
  });

  test('an owned item goes with what is in it', () => {
    expect(removeItems(type, value, set('.items[name="a"]', '.tags[="q"]'))).toEqual({
      name: 'a',
      inner: { a: 'x' },
      tags: ['p'],
      items: null,
    });
  });

  test('the value itself comes back where nothing goes', () => {
    expect(removeItems(type, value, set('.size', '.items[name="b"].value'))).toBe(value);
  });

  test('only what is in the set comes out', () => {
    expect(extractItems(type, value, set('.tags[="p"]', '.items[name="a"].value'))).toEqual({
      tags: ['p'],
      items: [{ value: 1 }],
    });
    expect(extractItems(type, value, FieldSet.empty)).toBeNull();
  });
});

describe('a set and a type that changed', () => {
  test('an owner of part of an atomic value now owns the whole value', () => {
    const before = set('.block.a', '.words[0]', '.name', '.labels.a', '.items[name="a"].value');
    expect(alignWithType(before, type).toText()).toEqual([
      '.block',
      '.name',
      '.words',
      '.items[name="a"].value',
      '.labels.a',
    ]);
  });

  test('the very same set comes back where nothing changed', () => {
    const same = set('.block', '.inner.a', '.free.a.b', '.unknown.x', '.tags[="p"]');
    expect(alignWithType(same, type)).toBe(same);
  });

  test('declared fields are added, entries of maps and items are not', () => {
    const all = withDeclaredFields(set('.inner.a', '.labels.x', '.items[name="a"].value', '.free.a.b'), type);
    expect(all.toText()).toEqual([
      '.free',
      '.inner',
      '.items',
      '.labels',
      '.free.a.b',
      '.inner.a',
      '.items[name="a"].value',
      '.labels.x',
    ]);
  });
});
