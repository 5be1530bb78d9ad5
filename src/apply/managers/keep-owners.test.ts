import { describe, expect, test } from 'vitest';
import { atOnce, type JsonObject, type JsonValue } from '../../meta/index.ts';
import { fieldsOwnedBy, keepOwners, keepTimesOfNoChange } from '../index.ts';
import type { KeptFields } from './keep-owners.ts';

const entry = (manager: string, fieldsV1: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'example.com/v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
  manager,
  operation: 'Update',
  ...more,
});
const spec = (...names: string[]) => ({
  'f:spec': Object.fromEntries(names.map((name) => [`f:${name}`, {}])),
});
/** Fields as a tree of names; true marks a kept field. */
interface Names {
  readonly [name: string]: Names | true;
}
const kept = (names: Names): KeptFields => ({
  isKept: false,
  below: new Map(
    Object.entries(names).map(([name, below]) => [
      name,
      below === true ? { isKept: true, below: new Map() } : kept(below),
    ]),
  ),
});
const object: JsonObject = { spec: { a: { x: 1, y: 1 }, b: 1, c: 1, deep: { b: 1, d: 1 } } };
const keepA = (before: JsonValue | undefined, after: JsonValue | undefined) =>
  keepOwners(kept({ spec: { a: true } }), { object, before }, after);

describe('fields that a write left as they were', () => {
  test('are not owned by the writer', () => {
    expect(keepA([entry('x', spec('b'))], [entry('x', spec('b')), entry('y', spec('a', 'c'))])).toEqual([
      entry('x', spec('b')),
      entry('y', spec('c')),
    ]);
    expect(keepA(undefined, [entry('y', spec('a'))])).toBe(undefined);
  });

  test('keep their owners', () => {
    expect(keepA([entry('x', spec('a', 'b'))], [entry('x', spec('b')), entry('y', spec('a'))])).toEqual([
      entry('x', spec('a', 'b')),
    ]);
    expect(keepA([entry('x', spec('a'))], [entry('y', spec('a', 'b'))])).toEqual([
      entry('x', spec('a')),
      entry('y', spec('b')),
    ]);
  });

  test('take along what is below them, and leave what is above', () => {
    const deep = { 'f:spec': { '.': {}, 'f:a': { '.': {}, 'f:x': {}, 'f:y': {} } } };
    const above = { 'f:spec': {} };
    expect(keepA(undefined, [entry('y', deep)])).toEqual([entry('y', above)]);
    expect(keepA([entry('y', deep)], [entry('y', { 'f:spec': { '.': {}, 'f:a': { 'f:x': {} } } })])).toEqual([
      entry('y', deep),
    ]);
  });

  test('give back an entry with the time that it had, in its place', () => {
    const x = entry('x', spec('a'), { time: '2026-01-01T00:00:00Z' });
    expect(keepA([x], [])).toEqual([x]);
    const [y, z] = [
      entry('y', spec('b'), { time: '2025-01-01T00:00:00Z' }),
      entry('z', spec('b'), { time: '2027-01-01T00:00:00Z' }),
    ];
    expect(keepA([y, x, z], [y, z])).toEqual([y, x, z]);
    expect(keepA([x], undefined)).toEqual([x]);
  });

  test('change nothing where nothing changed, nor what cannot be read', () => {
    const list = [entry('x', spec('a', 'b'))];
    expect(keepA(list, list)).toBe(list);
    expect(keepA(structuredClone(list), list)).toBe(list);
    expect(keepA('what', [entry('x', spec('b'))])).toEqual([entry('x', spec('b'))]);
    expect(keepA(list, ['what'])).toEqual(['what']);
    expect(keepA(undefined, undefined)).toBe(undefined);
  });

  test('may be several, and have any name', () => {
    const fields = kept({ spec: { a: true, '.': true, deep: { b: true } } });
    const after = { 'f:spec': { 'f:a': {}, 'f:c': {}, 'f:.': {}, 'f:deep': { 'f:b': {}, 'f:d': {} } } };
    expect(keepOwners(fields, { object, before: undefined }, [entry('x', after)])).toEqual([
      entry('x', { 'f:spec': { 'f:c': {}, 'f:deep': { 'f:d': {} } } }),
    ]);
    expect(
      keepOwners(fields, { object, before: [entry('x', after)] }, [entry('x', { 'f:spec': {} })]),
    ).toEqual([entry('x', { 'f:spec': { '.': {}, 'f:a': {}, 'f:.': {}, 'f:deep': { 'f:b': {} } } })]);
  });
});

describe('fields of items and entries', () => {
  const keys = [
    { name: 'name', default: undefined },
    { name: 'zone', default: 'a' },
  ];
  const each = (field: string): KeptFields => ({
    isKept: false,
    below: new Map(),
    each: {
      node: { isKept: false, below: new Map([[field, { isKept: true, below: new Map() }]]) },
      keys: () => keys,
    },
  });
  const root: KeptFields = { isKept: false, below: new Map([['items', each('size')]]) };
  const item = (name: string, ...fields: string[]) => ({
    [`k:{"name":"${name}","zone":"a"}`]: Object.fromEntries(fields.map((field) => [`f:${field}`, {}])),
  });
  const owned = (...items: JsonObject[]) => ({ 'f:items': Object.assign({}, ...items) });

  test('stay with their owners, item by item', () => {
    const list = { items: [{ name: 'b', size: 1 }, { name: 'a', zone: 'a', size: 2 }, 'what'] };
    const before = [entry('x', owned(item('a', 'size', 'name')))];
    const after = [entry('y', owned(item('a', 'size', 'name'), item('b', 'size', 'name')))];
    expect(keepOwners(root, { object: list, before }, after)).toEqual([
      entry('x', owned(item('a', 'size'))),
      entry('y', owned(item('a', 'name'), item('b', 'name'))),
    ]);
  });

  test('have no owners once the item is removed', () => {
    const before = [entry('x', owned(item('a', 'size', 'name')))];
    expect(keepOwners(root, { object: { items: [] }, before }, [])).toEqual([]);
    expect(keepOwners(root, { object: {}, before }, undefined)).toBe(undefined);
  });

  test('are known by the names of entries in a map', () => {
    const of = (name: string) => ({ 'f:items': { [`f:${name}`]: { 'f:size': {} } } });
    const before = [entry('x', of('a'))];
    expect(
      keepOwners(root, { object: { items: { a: { size: 1 }, b: {} } }, before }, [entry('y', of('b'))]),
    ).toEqual([entry('x', of('a'))]);
  });
});

test('owners are identified by the identity of a manager', () => {
  const identity = {
    manager: 'x',
    operation: 'Update',
    apiVersion: 'example.com/v1',
    subresource: '',
  } as const;
  const list = [entry('x', { 'f:spec': { 'f:a': { 'f:deep': {} } } })];
  const owns = fieldsOwnedBy(identity, list);
  expect([owns(['f:spec', 'f:a']), owns(['f:spec', 'f:a', 'f:deep']), owns(['f:spec', 'f:b'])]).toEqual([
    true,
    true,
    false,
  ]);
  expect(fieldsOwnedBy({ ...identity, operation: 'Apply' }, list)(['f:spec'])).toBe(false);
  expect(fieldsOwnedBy(identity, 'what')(['f:spec'])).toBe(false);
});

test('an undone write is no change, though the times of its managers put them into another order', () => {
  const at = (time: string, name: string, ...names: string[]) => entry(name, spec(...names), { time });
  const [x, y] = [at('2026-01-01T00:00:00Z', 'x', 'a'), at('2026-01-02T00:00:00Z', 'y', 'b')];
  const object = (managedFields: JsonObject[]) => ({ metadata: { managedFields }, spec: {} });
  const live = object([x, y]);
  expect(atOnce(keepTimesOfNoChange(live, object([y, at('2026-01-03T00:00:00Z', 'x', 'a')])))).toEqual(live);
  const more = object([y, at('2026-01-03T00:00:00Z', 'x', 'a', 'b')]);
  expect(atOnce(keepTimesOfNoChange(live, more))).toBe(more);
});
