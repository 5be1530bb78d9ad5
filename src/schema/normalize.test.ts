import { describe, expect, test } from 'vitest';
import {
  defaultFeatureGates,
  Float64,
  isObject,
  type JsonObject,
  type JsonValue,
  ownList,
} from '../meta/index.ts';
import { compileSchema, MetadataTypeError, schemaless } from './index.ts';

const gates = defaultFeatureGates();

/** Normalizes `{spec: value}` by a schema of spec; returns the spec and the dropped fields. */
function normalize(spec: JsonValue, schema: JsonObject): { spec: JsonValue | undefined; unknown: string[] } {
  const compiled = compileSchema({ type: 'object', properties: { spec: schema } }, { gates });
  const object: JsonObject = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec };
  const unknown: string[] = [];
  compiled.normalize(object, { unknownFields: unknown });
  return { spec: object['spec'], unknown };
}

/** The text of the error that something throws. */
function refusal(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof MetadataTypeError) return error.message;
    throw error;
  }
}

const string = { type: 'string' };
const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });
const json = (text: string): JsonValue => JSON.parse(text);

describe('pruning', () => {
  const cases: [string, JsonValue, JsonObject, JsonValue | undefined, string[]][] = [
    ['an unknown field goes', { a: 'x', b: 1 }, object({ a: string }), { a: 'x' }, ['spec.b']],
    ['fields of a scalar go', { a: { b: 1 } }, object({ a: string }), { a: {} }, ['spec.a.b']],
    ['fields of a list item go', [{ b: 1 }], { type: 'array', items: object({}) }, [{}], ['spec[0].b']],
    ['paths are sorted', { z: 1, a: 1, B: 1 }, object({}), {}, ['spec.B', 'spec.a', 'spec.z']],
    [
      'map values are pruned',
      { k: { a: 'x', b: 1 } },
      { type: 'object', additionalProperties: object({ a: string }) },
      { k: { a: 'x' } },
      ['spec.k.b'],
    ],
    [
      'additionalProperties: true keeps keys and empties objects',
      { k: { a: 1 }, n: 1 },
      { type: 'object', additionalProperties: true },
      { k: {}, n: 1 },
      ['spec.k.a'],
    ],
    [
      'unknown fields are preserved where the schema says so, one level deep',
      { a: { x: 1, y: 2 }, b: { z: 3 } },
      object({ a: object({ x: { type: 'integer' } }) }, { 'x-kubernetes-preserve-unknown-fields': true }),
      { a: { x: 1 }, b: { z: 3 } },
      ['spec.a.y'],
    ],
    [
      'items of a list that preserves unknown fields keep theirs',
      [{ x: 1 }],
      { type: 'array', items: object({}), 'x-kubernetes-preserve-unknown-fields': true },
      [{ x: 1 }],
      [],
    ],
    [
      'a list where an object is described loses its objects',
      [{ a: 'x' }],
      object({ a: string }),
      [{}],
      ['spec[0].a'],
    ],
  ];
  test.each(cases)('%s', (_, spec, schema, expected, unknown) => {
    expect(normalize(spec, schema)).toEqual({ spec: expected, unknown });
  });

  test('apiVersion, kind and metadata need no schema', () => {
    const object: JsonObject = { apiVersion: 'v1', kind: 'K', metadata: { name: 'x' }, other: 1 };
    const unknown: string[] = [];
    compileSchema({ type: 'object' }, { gates }).normalize(object, { unknownFields: unknown });
    expect(object).toEqual({ apiVersion: 'v1', kind: 'K', metadata: { name: 'x' } });
    expect(unknown).toEqual(['other']);
  });
});

describe('nulls and defaults', () => {
  const withDefault = (value: JsonValue, more: JsonObject = {}) => ({
    type: 'string',
    default: value,
    ...more,
  });
  const cases: [string, JsonValue, JsonObject, JsonValue][] = [
    ['null goes where it is not allowed', { a: null }, object({ a: string }), {}],
    ['null stays where it is', { a: null }, object({ a: { ...string, nullable: true } }), { a: null }],
    ['null becomes the default', { a: null }, object({ a: withDefault('d') }), { a: 'd' }],
    [
      'nullable null keeps the default away',
      { a: null },
      object({ a: withDefault('d', { nullable: true }) }),
      { a: null },
    ],
    ['a missing field gets its default', {}, object({ a: withDefault('d') }), { a: 'd' }],
    ['a falsy value is a value', { a: '' }, object({ a: withDefault('d') }), { a: '' }],
    ['null in a map goes', { k: null }, { type: 'object', additionalProperties: string }, {}],
    ['null in a list stays', [null], { type: 'array', items: string }, [null]],
    [
      'null in a list becomes the default of items',
      [null],
      { type: 'array', items: withDefault('d') },
      ['d'],
    ],
    [
      'defaults apply inside of defaults',
      {},
      object({ a: { ...object({ b: withDefault('inner') }), default: {} } }),
      { a: { b: 'inner' } },
    ],
    ['defaults do not invent their parents', {}, object({ a: object({ b: withDefault('d') }) }), {}],
    [
      'defaults apply in lists and maps',
      { l: [{}], m: { k: {} } },
      object({
        l: { type: 'array', items: object({ a: withDefault('x') }) },
        m: { type: 'object', additionalProperties: object({ a: withDefault('y') }) },
      }),
      { l: [{ a: 'x' }], m: { k: { a: 'y' } } },
    ],
    [
      'a default is pruned',
      {},
      object({ a: { ...object({ b: string }), default: { b: 'x', c: 1 } } }),
      { a: { b: 'x' } },
    ],
  ];
  test.each(cases)('%s', (_, spec, schema, expected) => {
    expect(normalize(spec, schema).spec).toEqual(expected);
  });

  test('objects do not share default values', () => {
    const schema = object({ a: { type: 'array', items: string, default: ['x'] } });
    const compiled = compileSchema({ type: 'object', properties: { spec: schema } }, { gates });
    const [first, second]: { spec: JsonObject }[] = [{ spec: {} }, { spec: {} }];
    compiled.normalize(first ?? {});
    ownList(first?.spec ?? {}, 'a')?.push('y');
    compiled.normalize(second ?? {});
    expect([first, second]).toEqual([{ spec: { a: ['x', 'y'] } }, { spec: { a: ['x'] } }]);
  });
});

describe('hostile keys', () => {
  test('__proto__ is an ordinary field', () => {
    const schema = json(
      '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"a":{"type":"string","default":"d"}}}}}',
    );
    const found = normalize(
      json('{"__proto__":{"b":1},"constructor":{"x":1}}'),
      isObject(schema) ? schema : {},
    );
    expect(JSON.stringify(found.spec)).toBe('{"__proto__":{"a":"d"}}');
    expect(found.unknown).toEqual(['spec.__proto__.b', 'spec.constructor']);
    expect('a' in {}).toBe(false);
  });

  test('fields named like inherited properties get their defaults', () => {
    const schema = object({ toString: { type: 'string', default: 'mine' } });
    expect(normalize({}, schema).spec).toEqual({ toString: 'mine' });
  });

  test('normalizes deep nesting', () => {
    let schema: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    let value: JsonValue = {};
    for (let depth = 0; depth < 900; depth += 1) {
      schema = { type: 'object', additionalProperties: schema };
      value = { k: value };
    }
    expect(normalize(value, schema).unknown).toEqual([]);
  });
});

describe('metadata', () => {
  function coerce(
    metadata: JsonValue,
    dropInvalidMetadata = false,
  ): { metadata: JsonValue; unknown: string[] } {
    const object: JsonObject = { metadata };
    const unknown: string[] = [];
    schemaless.normalize(object, { unknownFields: unknown, dropInvalidMetadata });
    return { metadata: object['metadata'] ?? null, unknown };
  }

  const kept: [string, JsonObject, JsonObject, string[]][] = [
    ['unknown fields go', { name: 'x', foo: 1 }, { name: 'x' }, ['metadata.foo']],
    ['empty values are left out', { name: '', labels: {}, finalizers: [], generation: 0 }, {}, []],
    ['null is nothing', { creationTimestamp: null, labels: null }, {}, []],
    ['a null label is empty', { labels: { a: null } }, { labels: { a: '' } }, []],
    [
      'times are UTC and whole seconds',
      { deletionTimestamp: '2020-01-01T01:00:00.5+01:00' },
      { deletionTimestamp: '2020-01-01T00:00:00Z' },
      [],
    ],
    ['zero seconds are something', { deletionGracePeriodSeconds: 0 }, { deletionGracePeriodSeconds: 0 }, []],
    [
      'owner references are complete',
      { ownerReferences: [{ name: 'o', foo: 1, controller: false }] },
      { ownerReferences: [{ name: 'o', controller: false, apiVersion: '', kind: '', uid: '' }] },
      ['metadata.ownerReferences[0].foo'],
    ],
    [
      'field sets are kept as they are',
      { managedFields: [{ manager: 'm', fieldsV1: { 'f:x': {} } }] },
      { managedFields: [{ manager: 'm', fieldsV1: { 'f:x': {} } }] },
      [],
    ],
  ];
  test.each(kept)('%s', (_, metadata, expected, unknown) => {
    expect(coerce(metadata)).toEqual({ metadata: expected, unknown });
  });

  const refused: [JsonValue, string][] = [
    ['x', 'json: cannot unmarshal string into Go value of type v1.ObjectMeta'],
    [new Float64(10, '1e1'), 'json: cannot unmarshal number into Go value of type v1.ObjectMeta'],
    [{ name: 1 }, 'json: cannot unmarshal number into Go struct field ObjectMeta.name of type string'],
    [{ uid: true }, 'json: cannot unmarshal bool into Go struct field ObjectMeta.uid of type types.UID'],
    [
      { labels: [] },
      'json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string',
    ],
    [
      { labels: { a: 1 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ],
    [
      { generation: 1.5 },
      'json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64',
    ],
    [
      { finalizers: 'x' },
      'json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string',
    ],
    [
      { ownerReferences: [{ name: 1 }] },
      'json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.name of type string',
    ],
    [
      { ownerReferences: ['x'] },
      'json: cannot unmarshal string into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference',
    ],
    [
      { creationTimestamp: 'x' },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      { creationTimestamp: '2020-13-01T00:00:00Z' },
      'parsing time "2020-13-01T00:00:00Z": month out of range',
    ],
    [{ creationTimestamp: '2020-02-30T00:00:00Z' }, 'parsing time "2020-02-30T00:00:00Z": day out of range'],
    [{ creationTimestamp: '2020-01-01T00:00:00Zz' }, 'parsing time "2020-01-01T00:00:00Zz": extra text: "z"'],
    // The first field by name is reported, except that an invalid time aborts Go's decoder.
    [
      { name: 1, labels: 1 },
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string',
    ],
    [
      { annotations: 1, creationTimestamp: 5 },
      'json: cannot unmarshal number into Go struct field ObjectMeta.creationTimestamp of type string',
    ],
  ];
  test.each(refused)('%j is refused', (metadata, text) => {
    expect(refusal(() => coerce(metadata))).toBe(text);
  });

  test('stored objects lose invalid fields instead', () => {
    expect(coerce({ name: 1, labels: { a: 'b' }, foo: 1 }, true)).toEqual({
      metadata: { labels: { a: 'b' } },
      unknown: ['metadata.foo'],
    });
    expect(coerce('x', true).metadata).toEqual({});
  });

  test('objects stored without a generation get generation 1', () => {
    const object: JsonObject = { metadata: {} };
    compileSchema({ type: 'object' }, { gates }).normalize(object, { dropInvalidMetadata: true });
    expect(object).toEqual({ metadata: { generation: 1 } });
  });
});

describe('embedded resources', () => {
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };

  test('their metadata is coerced', () => {
    const found = normalize(
      { t: { kind: 'K', metadata: { name: 'x', foo: 1 }, spec: { a: 1 } } },
      object({ t: embedded }),
    );
    expect(found).toEqual({
      spec: { t: { kind: 'K', metadata: { name: 'x' }, spec: { a: 1 } } },
      unknown: ['spec.t.metadata.foo'],
    });
  });

  test('paths name map entries and list items', () => {
    const schema = object({
      m: { type: 'object', additionalProperties: { type: 'array', items: embedded } },
    });
    const found = normalize({ m: { k: [{ metadata: { foo: 1 } }] } }, schema);
    expect(found.unknown).toEqual(['spec.m[k][0].metadata.foo']);
  });

  test('wrong types are refused', () => {
    expect(refusal(() => normalize({ t: { kind: 1 } }, object({ t: embedded })))).toBe(
      'spec.t.kind: Invalid value: 1: must be a string',
    );
    expect(refusal(() => normalize({ t: { metadata: { name: 1 } } }, object({ t: embedded })))).toBe(
      'spec.t.metadata: Invalid value: {"name":1}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    );
  });

  test('get no defaults for fields that ObjectMeta does not have', () => {
    const text = (value: string) => ({ type: 'string', default: value });
    const metadata = { type: 'object', properties: { name: text('Bar'), unknown: text('x') } };
    const whole = { type: 'object', default: { name: 'Bar', unknown: 'x' } };
    const resource = (inner: JsonObject, more: JsonObject = {}) => ({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { metadata: inner },
      ...more,
    });
    const open = { 'x-kubernetes-preserve-unknown-fields': true };
    const shaped = (value: JsonObject, schema: JsonObject) =>
      normalize({ t: value }, object({ t: schema })).spec;
    const named = { t: { metadata: { name: 'Bar' } } };
    expect(shaped({ metadata: {} }, resource(metadata))).toEqual(named);
    expect(shaped({}, resource(whole))).toEqual(named);
    expect(shaped({}, resource(metadata, open))).toEqual({ t: {} });
  });

  test('unknown fields are reported in the order metadata, rest, embedded metadata', () => {
    const compiled = compileSchema({ type: 'object', properties: { a: embedded } }, { gates });
    const unknown: string[] = [];
    compiled.normalize(
      { metadata: { zz: 1 }, b: 1, a: { metadata: { foo: 1 } } },
      { unknownFields: unknown },
    );
    expect(unknown).toEqual(['metadata.zz', 'b', 'a.metadata.foo']);
  });
});

describe('optional steps', () => {
  const schema = {
    type: 'object',
    properties: {
      spec: object({ a: { ...string, default: 'A' }, b: string, c: { ...string, nullable: true } }),
    },
  };

  function normalizeWith(spec: JsonValue, options: { applyDefaults?: boolean; onlyDefaults?: boolean }) {
    const value: JsonObject = { metadata: {}, spec };
    compileSchema(schema, { gates }).normalize(value, options);
    return value['spec'];
  }

  test('without defaults, what is absent stays absent, and a null that a default would replace stays null', () => {
    expect(normalizeWith({ b: null, x: 1 }, { applyDefaults: false })).toEqual({});
    expect(normalizeWith({ a: null }, { applyDefaults: false })).toEqual({ a: null });
  });

  test('with nothing but defaults, nulls that have one are replaced and everything else stays', () => {
    const spec = { a: null, b: null, c: null, x: null };
    expect(normalizeWith(spec, { onlyDefaults: true })).toEqual({ a: 'A', b: null, c: null, x: null });
  });
});
