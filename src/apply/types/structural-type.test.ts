import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { deducedType, untypedAtomicType } from '../typed/merge-type.ts';
import { objectMetaType } from './object-type.ts';
import {
  MergeTypeError,
  typeFromStructuralSchema,
  valueTypeFromStructuralSchema,
} from './structural-type.ts';

const typeOf = (schema: JsonObject) => valueTypeFromStructuralSchema(schema);

describe('the merge type of a structural schema', () => {
  test('has the fields of every object at its root, whatever the schema says of them', () => {
    const { map } = typeFromStructuralSchema({
      type: 'object',
      properties: { metadata: { type: 'object' }, spec: { type: 'string' } },
    });
    expect([...(map?.fields.keys() ?? [])]).toEqual(['metadata', 'spec', 'apiVersion', 'kind']);
    expect(map?.fields.get('metadata')?.type).toBe(objectMetaType);
    expect(map?.element).toBeUndefined();
  });

  test('of a resource without a schema takes anything', () => {
    expect(typeFromStructuralSchema(undefined).map?.element).toBe(deducedType);
  });

  test.each<[JsonObject, string]>([
    [{ type: 'integer' }, 'numeric'],
    [{ type: 'number', format: 'double' }, 'numeric'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'byte' }, 'string'],
    [{ type: 'string', format: 'date-time' }, 'untyped'],
  ])('%j is a scalar: %s', (schema, scalar) => {
    expect(typeOf(schema)).toEqual({ scalar });
  });

  test('int-or-string may be any kind: a scalar in practice', () => {
    const type = typeOf({ 'x-kubernetes-int-or-string': true });
    expect(type.scalar).toBe('untyped');
    expect(type.list?.element).toBe(untypedAtomicType);
    expect(type.map?.element).toBe(deducedType);
  });

  test('lists are atomic unless they say otherwise', () => {
    const items = { type: 'string' };
    const list = (more: JsonObject) => typeOf({ type: 'array', items, ...more }).list;
    expect(list({})).toEqual({ element: { scalar: 'string' }, relationship: 'atomic', keys: [] });
    expect(list({ 'x-kubernetes-list-type': 'atomic' })?.relationship).toBe('atomic');
    expect(list({ 'x-kubernetes-list-type': 'set' })).toMatchObject({
      relationship: 'associative',
      keys: [],
    });
    const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['b', 'a'] };
    expect(list(keyed)).toMatchObject({ relationship: 'associative', keys: ['b', 'a'] });
  });

  test('maps are granular unless they say otherwise', () => {
    const map = (more: JsonObject) =>
      typeOf({ type: 'object', additionalProperties: { type: 'string' }, ...more }).map?.relationship;
    expect(map({})).toBe('separable');
    expect(map({ 'x-kubernetes-map-type': 'granular' })).toBe('separable');
    expect(map({ 'x-kubernetes-map-type': 'atomic' })).toBe('atomic');
  });

  test('entries beside the properties follow additionalProperties, or are deduced where there are no properties', () => {
    const element = (more: JsonObject) => typeOf({ type: 'object', ...more }).map?.element;
    const properties = { a: { type: 'string' } };
    expect(element({})).toBe(deducedType);
    expect(element({ properties })).toBeUndefined();
    expect(element({ additionalProperties: true })).toBe(deducedType);
    expect(element({ additionalProperties: false })).toBeUndefined();
    expect(element({ additionalProperties: { type: 'integer' } })).toEqual({ scalar: 'numeric' });
    expect(element({ properties, 'x-kubernetes-preserve-unknown-fields': true })).toBe(deducedType);
  });

  test('preserving unknown fields holds for everything below', () => {
    const below = { type: 'object', properties: { b: { type: 'string' } } };
    const type = typeOf({
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: below },
    });
    expect(type.map?.fields.get('a')?.type.map?.element).toBe(deducedType);
  });

  test('keeps defaults, for list keys', () => {
    const type = typeOf({ type: 'object', properties: { protocol: { type: 'string', default: 'TCP' } } });
    expect(type.map?.fields.get('protocol')).toEqual({ type: { scalar: 'string' }, default: 'TCP' });
  });

  test('embedded resources have the fields of objects', () => {
    const type = typeOf({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    });
    expect(type.map?.fields.get('metadata')?.type).toBe(objectMetaType);
    expect(type.map?.element).toBe(deducedType);
  });

  test('takes property names that objects treat specially', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}}}');
    expect(typeOf(schema).map?.fields.get('__proto__')?.type).toEqual({ scalar: 'numeric' });
    expect(typeOf(schema).map?.fields.get('constructor')).toBeUndefined();
  });

  test.each<[JsonObject, string]>([
    [{ type: 'array' }, '`items` must be specified on arrays'],
    [{ type: 'array', items: {}, 'x-kubernetes-list-type': 'map' }, 'missing map keys'],
    [{ type: 'array', items: {}, 'x-kubernetes-list-type': 'bag' }, 'unknown list type bag'],
    [{ type: 'object', 'x-kubernetes-map-type': 'bag' }, 'unknown map type bag'],
    [{ type: 'text' }, "unrecognized type: 'text'"],
  ])('refuses %j', (schema, message) => {
    expect(() => typeOf(schema)).toThrow(new MergeTypeError(message));
  });
});
