import { describe, expect, test } from 'vitest';
import { defaultFeatureGates, type JsonObject, type JsonValue } from '../meta/index.ts';
import { compileSchema, SchemaCache } from './index.ts';

const gates = defaultFeatureGates();
const integer = { type: 'integer' };
const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });

/** Normalizes a spec by its schema with withheld defaults at some paths. */
function normalize(spec: JsonValue | undefined, schema: JsonObject, ...withheld: string[]) {
  const withheldDefaults = withheld.map((path) => ['spec', ...path.split('.')]);
  const compiled = compileSchema(object({ spec: schema }), { gates, withheldDefaults });
  const document: JsonObject = spec === undefined ? {} : { spec };
  compiled.normalize(document);
  return document['spec'];
}

describe('a withheld default', () => {
  const size = { ...integer, default: 3 };
  const color = { type: 'string', default: 'red' };

  test('is not applied, and others are', () => {
    expect(normalize({}, object({ size, color }), 'size')).toEqual({ color: 'red' });
  });

  test('does not replace null, which is dropped', () => {
    expect(normalize({ size: null }, object({ size }))).toEqual({ size: 3 });
    expect(normalize({ size: null }, object({ size }), 'size')).toEqual({});
  });

  test('does not affect existing values, nor the defaults below them', () => {
    const box = object({ size, color }, { default: {} });
    expect(normalize({}, object({ box }))).toEqual({ box: { size: 3, color: 'red' } });
    expect(normalize({}, object({ box }), 'box')).toEqual({});
    expect(normalize({ box: {} }, object({ box }), 'box')).toEqual({ box: { size: 3, color: 'red' } });
  });

  test('is removed from defaults of its parents', () => {
    const box = object({ size: integer, color: { type: 'string' } }, { default: { size: 7, color: 'blue' } });
    expect(normalize({}, object({ box }), 'box.size')).toEqual({ box: { color: 'blue' } });
    expect(normalize({ box: null }, object({ box }), 'box.size')).toEqual({ box: { color: 'blue' } });
    const completed = object({ size, color }, { default: {} });
    expect(normalize({}, object({ box: completed }), 'box.size')).toEqual({ box: { color: 'red' } });
    const spec = object({ box: completed }, { default: { box: { size: 9 } } });
    expect(normalize(undefined, spec, 'box.size')).toEqual({ box: { color: 'red' } });
  });

  test('can be that of one map entry', () => {
    const boxes = { type: 'object', additionalProperties: object({ size }) };
    expect(normalize({ a: {}, b: {}, c: {} }, boxes, 'b.size')).toEqual({
      a: { size: 3 },
      b: {},
      c: { size: 3 },
    });
    const sizes = { type: 'object', additionalProperties: size };
    expect(normalize({ a: null, b: null, c: null }, sizes, 'b')).toEqual({ a: 3, c: 3 });
  });

  test('is applied in list items, which paths do not reach', () => {
    const boxes = { type: 'array', items: object({ size }) };
    expect(normalize({ boxes: [{}] }, object({ boxes }), 'boxes.size')).toEqual({ boxes: [{ size: 3 }] });
  });

  test('can be in the metadata of an embedded resource', () => {
    const metadata = object({ namespace: { type: 'string', default: 'here' } });
    const shed = object({ metadata }, { 'x-kubernetes-embedded-resource': true });
    const sent = () => ({ shed: { apiVersion: 'v1', kind: 'Shed', metadata: { name: 'a' } } });
    expect(normalize(sent(), object({ shed }))).toMatchObject({ shed: { metadata: { namespace: 'here' } } });
    expect(normalize(sent(), object({ shed }), 'shed.metadata.namespace')).toEqual(sent());
  });

  test('can have any name', () => {
    const properties: JsonObject = JSON.parse('{"__proto__": {"type": "integer", "default": 1}}');
    expect(JSON.stringify(normalize({}, { type: 'object', properties }))).toBe('{"__proto__":1}');
    expect(JSON.stringify(normalize({}, { type: 'object', properties }, '__proto__'))).toBe('{}');
  });
});

test('compiles a schema once, unless defaults are withheld', () => {
  const cache = new SchemaCache({ gates });
  const schema = object({
    spec: object({
      size: { ...integer, default: 3 },
      color: { type: 'string' },
      deep: object({ x: integer }),
    }),
    entries: { type: 'object', additionalProperties: integer, default: { a: 1 } },
  });
  const compiled = cache.get(schema);
  const without = (...paths: string[]) =>
    cache.get(
      schema,
      paths.map((path) => path.split('.')),
    );
  expect(without('spec.color', 'spec.deep.x', 'spec.none.x')).toBe(compiled);
  expect(without('spec.size')).not.toBe(compiled);
  expect(without('entries.a')).not.toBe(compiled);
  expect(without('entries.a', 'spec.size', 'spec.color')).toBe(without('spec.size', 'entries.a'));
  expect(without('spec.size')).not.toBe(without('spec.size', 'entries.a'));
});
