import { describe, expect, test } from 'vitest';
import {
  clone,
  defaultFeatureGates,
  fieldErrorText,
  goJson,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  put,
} from '../meta/index.ts';
import { pruneValue } from './check/prune-value.ts';
import { compileSchema, SchemaNode } from './index.ts';
import { RandomSchemas } from './random-schemas.test-data.ts';
import { compileAccepts } from './validate/accepts.ts';
import { explain } from './validate/explain.ts';
import { Findings } from './validate/findings.ts';
import { listTypeErrors } from './validate/list-types.ts';

const gates = defaultFeatureGates();
const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

/** Random schemas, each with random values. */
function* cases(seed: number): Generator<{ schema: JsonObject; value: JsonObject; old: JsonObject }> {
  const random = new RandomSchemas(seed);
  for (let count = 0; count < 40; count += 1) {
    const schema = random.schema(3, true);
    for (let values = 0; values < 5; values += 1) {
      const [value, old] = [random.fitting(schema, 3), random.fitting(schema, 3)];
      if (isObject(value) && isObject(old)) yield { schema, value, old };
    }
  }
}

/** Upstream's three walks in sequence, which compiled normalization does in one. */
function normalizeSlowly(value: JsonObject, root: SchemaNode): void {
  pruneValue(value, root);
  dropNulls(value, root);
  applyDefaults(value, root);
}

const childOf = (node: SchemaNode | undefined, key: string) =>
  node?.properties.get(key) ?? node?.additionalProperties;
const isForbiddenNull = (value: JsonValue, node: SchemaNode | undefined) =>
  value === null && node?.nullable === false;

function dropNulls(value: JsonValue, node: SchemaNode | undefined): void {
  if (Array.isArray(value)) for (const item of value) dropNulls(item, node?.items);
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    const item = own(value, key) ?? null;
    const child = childOf(node, key);
    if (isForbiddenNull(item, child) && child?.default === undefined) delete value[key];
    else dropNulls(item, child);
  }
}

function prunedDefault(node: SchemaNode): JsonValue {
  const value = clone(node.default ?? null);
  pruneValue(value, node);
  dropNulls(value, node);
  return value;
}

function applyDefaults(value: JsonValue, node: SchemaNode | undefined): void {
  if (node === undefined) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      if (isForbiddenNull(item, node.items) && node.items?.default !== undefined)
        value[index] = prunedDefault(node.items);
      applyDefaults(value[index] ?? null, node.items);
    });
  }
  if (!isObject(value)) return;
  for (const [key, property] of node.properties) {
    if (property.default === undefined) continue;
    const present = Object.hasOwn(value, key) && !isForbiddenNull(own(value, key) ?? null, property);
    if (!present) put(value, key, prunedDefault(property));
  }
  for (const key of Object.keys(value)) {
    const child = childOf(node, key);
    if (isForbiddenNull(own(value, key) ?? null, child) && child?.default !== undefined)
      put(value, key, prunedDefault(child));
    applyDefaults(own(value, key) ?? null, child);
  }
}

function copyOf(value: JsonObject): JsonObject {
  return clone(value);
}

describe('on random schemas and values', () => {
  test.each(seeds)('one walk gives the result of three (seed %d)', (seed) => {
    for (const { schema, value } of cases(seed)) {
      const [fast, slow] = [copyOf(value), copyOf(value)];
      compileSchema(schema, { gates }).normalize(fast);
      normalizeSlowly(slow, new SchemaNode(schema, gates));
      expect(fast, goJson(schema)).toEqual(slow);
    }
  });

  test.each(seeds)('normalization is idempotent and leaves no unknown fields (seed %d)', (seed) => {
    for (const { schema, value } of cases(seed)) {
      const compiled = compileSchema(schema, { gates });
      const once = copyOf(value);
      compiled.normalize(once);
      const twice = copyOf(once);
      const unknownFields: string[] = [];
      compiled.normalize(twice, { unknownFields });
      expect(unknownFields).toEqual([]);
      expect(twice).toEqual(once);
    }
  });

  test.each(seeds)('exactly the refused values have errors (seed %d)', (seed) => {
    for (const { schema, value } of cases(seed)) {
      const node = new SchemaNode(schema, gates);
      const findings = new Findings();
      explain({ node, value, path: '' }, findings);
      const valid = findings.size === 0 && listTypeErrors(node, value).length === 0;
      expect(compileAccepts(node)(value), goJson({ schema, value })).toBe(valid);
    }
  });

  test.each(seeds)('an update has no errors that a create lacks (seed %d)', (seed) => {
    for (const { schema, value, old } of cases(seed)) {
      const compiled = compileSchema(schema, { gates });
      const alone = compiled.validate({ object: value, scope: 'object' }).errors;
      const update = compiled.validate({ object: value, old, scope: 'object' }).errors;
      const texts = new Set(alone.map(fieldErrorText));
      expect(update.map(fieldErrorText).filter((text) => !texts.has(text))).toEqual([]);
    }
  });
});

describe('on hostile values', () => {
  test('validates and normalizes a value of the maximum depth', () => {
    let schema: JsonObject = { type: 'object', properties: { leaf: { type: 'string', default: 'x' } } };
    let value: JsonObject = { leaf: 1 };
    for (let depth = 0; depth < 990; depth += 1) {
      schema = { type: 'object', additionalProperties: schema };
      value = { k: value };
    }
    const compiled = compileSchema(schema, { gates });
    compiled.normalize(value);
    expect(compiled.validate({ object: value, old: value, scope: 'object' }).errors).toEqual([]);
    expect(compiled.validate({ object: value, scope: 'object' }).errors.length).toBe(1);
  });

  test('handles huge enums and catastrophic patterns', () => {
    const choices = Array.from({ length: 50_000 }, (_, index) => `choice-${index}`);
    const schema = {
      type: 'object',
      properties: { e: { type: 'string', enum: choices }, p: { type: 'string', pattern: '^(a+)+$' } },
    };
    const compiled = compileSchema(schema, { gates });
    const validate = (object: JsonObject) => compiled.validate({ object, scope: 'object' }).errors.length;
    expect(validate({ e: 'choice-49999', p: 'a'.repeat(1_000_000) })).toBe(0);
    expect(validate({ e: 'choice-50000', p: `${'a'.repeat(1_000_000)}b` })).toBe(2);
  });

  test('user data cannot reach the prototype of objects', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"polluted":{"type":"string","default":"yes"}},"default":{}}}}',
    );
    const value = JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{"polluted":"yes"}}}');
    const compiled = compileSchema(schema, { gates });
    compiled.normalize(value);
    expect(compiled.validate({ object: value, old: value, scope: 'object' }).errors).toEqual([]);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":"yes"}}');
    expect('polluted' in {}).toBe(false);
  });

  test('reads the valid parts of malformed schemas', () => {
    const random = new RandomSchemas(99);
    for (let count = 0; count < 2_000; count += 1) {
      const schema: JsonObject = { type: 'object', properties: { a: { type: 'string' } } };
      for (const keyword of [
        'properties',
        'items',
        'allOf',
        'not',
        'enum',
        'required',
        'pattern',
        'maxLength',
        'default',
      ]) {
        if (random.chance(0.3)) schema[keyword] = random.value(2);
      }
      const compiled = compileSchema(schema, { gates });
      const value = random.value(3);
      const object: JsonObject = isObject(value) ? value : { a: value };
      expect(() => {
        compiled.normalize(object);
        compiled.validate({ object, old: object, scope: 'object' });
        compiled.validate({ object, old: object, scope: 'status' });
      }).not.toThrow();
    }
  });
});
