import type { JsonObject, JsonValue } from '../../src/meta/index.ts';
import type { Chance } from './chance.ts';

const names = ['a', 'b', 'c', 'name', 'size', 'x-y', 'd.e', 'list', 'constructor', 'namespace'] as const;

/** Rules by the type that they stand on; a cheap one for each thing that CEL does with it. */
const rules: Readonly<Record<string, readonly string[]>> = {
  string: ['self.size() > 1', "self.startsWith('a')", "self.matches('^[a-z]+$')", 'self == oldSelf'],
  integer: ['self >= 0', 'self % 2 == 0', 'self >= oldSelf', 'self < 10'],
  number: ['self < 100.0', 'double(self) > 0.5', 'self >= oldSelf'],
  boolean: ['self', 'self || !oldSelf'],
  list: ['self.size() < 3', 'self.all(x, x == x)', 'self.size() >= oldSelf.size()'],
  map: ['self.all(k, k.size() < 5)', 'self.size() < 3', "!('bad' in self)"],
  object: ['self == oldSelf', 'has(self.a)', '!has(self.a) || !has(self.b) || self.a != self.b'],
  intOrString: ['type(self) == string || self > 0', "self != 'bad'"],
};

const reasons = ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'];

function withRules(schema: JsonObject, type: string, chance: Chance): JsonObject {
  if (!chance.percent(18)) return schema;
  const usable = (rules[type] ?? []).filter((rule) => !/self\.[ab]\b/.test(rule) || hasFields(schema));
  if (usable.length === 0) return schema;
  const rule = chance.pick(usable);
  const more: JsonObject = {};
  if (chance.percent(40)) more['message'] = 'not as it should be';
  if (chance.percent(20) && ['string', 'integer'].includes(type))
    more['messageExpression'] = "'found ' + string(self)";
  if (chance.percent(25)) more['reason'] = chance.pick(reasons);
  if (chance.percent(10) && rule.includes('oldSelf')) return optional(schema, more);
  return { ...schema, 'x-kubernetes-validations': [{ rule, ...more }] };
}

function optional(schema: JsonObject, more: JsonObject): JsonObject {
  const rule = '!oldSelf.hasValue() || oldSelf.value() == self';
  return { ...schema, 'x-kubernetes-validations': [{ rule, optionalOldSelf: true, ...more }] };
}

function hasFields(schema: JsonObject): boolean {
  const properties = schema['properties'] as JsonObject | undefined;
  const [a, b] = [properties?.['a'] as JsonObject | undefined, properties?.['b'] as JsonObject | undefined];
  return a?.['type'] === 'string' && b?.['type'] === 'string';
}

function text(chance: Chance): JsonObject {
  const schema: JsonObject = { type: 'string', maxLength: 12 };
  const kind = chance.below(8);
  if (kind === 0) return { type: 'string', enum: ['a', 'bb', 'bad', ''] };
  if (kind === 1)
    return { type: 'string', format: chance.pick(['date', 'date-time', 'byte', 'duration', 'ipv4', 'uuid']) };
  if (kind === 2) return { ...schema, pattern: chance.pick(['^[a-z]*$', '^a+b?', '[0-9]']) };
  if (kind === 3) return withRules({ ...schema, default: 'abc' }, 'string', chance);
  if (kind === 4) return { ...schema, minLength: 2, nullable: true };
  return withRules(schema, 'string', chance);
}

function numeric(chance: Chance): JsonObject {
  const type = chance.pick(['integer', 'integer', 'number']);
  const schema: JsonObject = { type };
  if (chance.percent(20)) schema['minimum'] = 1;
  if (chance.percent(20)) schema['maximum'] = 100;
  if (chance.percent(10)) schema['multipleOf'] = 2;
  if (chance.percent(10)) schema['exclusiveMaximum'] = 'maximum' in schema;
  if (chance.percent(15)) schema['format'] = type === 'integer' ? chance.pick(['int32', 'int64']) : 'double';
  if (chance.percent(15)) schema['default'] = 4;
  if (chance.percent(10)) schema['enum'] = [1, 2, 4];
  return withRules(schema, type, chance);
}

function list(chance: Chance, depth: number): JsonObject {
  const kind = chance.below(6);
  if (kind === 0)
    return {
      type: 'array',
      maxItems: 4,
      'x-kubernetes-list-type': 'set',
      items: { type: 'string', maxLength: 8 },
    };
  if (kind <= 2) return listMap(chance, depth);
  const schema: JsonObject = { type: 'array', maxItems: 4, items: anySchema(chance, depth - 1) };
  if (kind === 3) schema['x-kubernetes-list-type'] = 'atomic';
  if (chance.percent(15)) schema['minItems'] = 1;
  if (chance.percent(15)) schema['nullable'] = true;
  return withRules(schema, 'list', chance);
}

function listMap(chance: Chance, depth: number): JsonObject {
  const value = anySchema(chance, depth - 1);
  const key = chance.percent(50)
    ? { type: 'string', maxLength: 8 }
    : { type: 'string', maxLength: 8, default: 'k' };
  const properties: JsonObject = { key, value, port: { type: 'integer' } };
  const items: JsonObject = { type: 'object', properties };
  if (!('default' in key)) items['required'] = ['key'];
  return {
    type: 'array',
    maxItems: 4,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['key'],
    items,
  };
}

function map(chance: Chance, depth: number): JsonObject {
  const schema: JsonObject = {
    type: 'object',
    maxProperties: 4,
    additionalProperties: anySchema(chance, depth - 1),
  };
  if (chance.percent(15)) schema['x-kubernetes-map-type'] = chance.pick(['atomic', 'granular']);
  return withRules(schema, 'map', chance);
}

/** An object schema with fields. */
export function objectSchema(chance: Chance, depth: number): JsonObject {
  const properties: JsonObject = {};
  for (let count = 1 + chance.below(4); count > 0; count -= 1) {
    properties[chance.pick(names)] = anySchema(chance, depth - 1);
  }
  const schema: JsonObject = { type: 'object', properties };
  const keys = Object.keys(properties);
  if (chance.percent(35)) schema['required'] = [chance.pick(keys)];
  if (chance.percent(8)) schema['x-kubernetes-map-type'] = 'atomic';
  if (chance.percent(8)) schema['x-kubernetes-preserve-unknown-fields'] = true;
  if (chance.percent(6)) schema['minProperties'] = 1;
  if (chance.percent(8)) schema['nullable'] = true;
  if (chance.percent(10)) branches(schema, keys, chance);
  return withRules(schema, 'object', chance);
}

function branches(schema: JsonObject, keys: readonly string[], chance: Chance): void {
  const needs = (): JsonObject => ({ required: [chance.pick(keys)] });
  schema[chance.pick(['anyOf', 'oneOf'])] = [needs(), needs()];
  if (chance.percent(30)) schema['not'] = { required: ['zz'] };
}

/** Any schema that Kubernetes takes, mostly. */
export function anySchema(chance: Chance, depth: number): JsonObject {
  const kind = chance.below(depth <= 0 ? 8 : 18);
  if (kind < 3) return text(chance);
  if (kind < 6) return numeric(chance);
  if (kind === 6) return withRules({ type: 'boolean' }, 'boolean', chance);
  if (kind === 7)
    return withRules({ 'x-kubernetes-int-or-string': true, maxLength: 8 }, 'intOrString', chance);
  if (kind < 12) return objectSchema(chance, depth);
  if (kind < 15) return list(chance, depth);
  if (kind === 15)
    return {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
  if (kind === 16) return { 'x-kubernetes-preserve-unknown-fields': true };
  return map(chance, depth);
}

const texts = ['a', 'ab', 'abc', 'bb', 'zz9', 'aaaaaaaaaaaa'];
const formatted: Readonly<Record<string, readonly string[]>> = {
  date: ['2020-01-02'],
  'date-time': ['2020-01-02T03:04:05Z'],
  byte: ['aGFsbG8='],
  duration: ['1h2m', '3s'],
  ipv4: ['10.0.0.1'],
  uuid: ['6f7c1f0e-8d8a-4c53-9a56-0d9a3a3a1f11'],
};

/** A value that fits a schema in most cases. */
export function fitting(schema: JsonObject, chance: Chance, depth = 4): JsonValue {
  if (Array.isArray(schema['enum'])) return chance.pick(schema['enum']);
  if (schema['x-kubernetes-int-or-string'] === true) return chance.pick<JsonValue>([1, 7, 'a', '10%']);
  switch (schema['type']) {
    case 'string':
      return chance.pick(formatted[String(schema['format'])] ?? texts);
    case 'integer':
      return chance.pick([1, 2, 4, 8, 40]);
    case 'number':
      return chance.pick([1, 2, 4, 1.5, 0.75]);
    case 'boolean':
      return chance.percent(50);
    case 'array':
      return fittingList(schema, chance, depth);
    case 'object':
      return fittingObject(schema, chance, depth);
    default:
      return chance.pick<JsonValue>([1, 'a', { a: [1, { b: 2 }] }, [1, 'x']]);
  }
}

function fittingList(schema: JsonObject, chance: Chance, depth: number): JsonValue[] {
  if (depth <= 0) return [];
  const items = schema['items'] as JsonObject;
  const found = Array.from({ length: 1 + chance.below(2) }, () => fitting(items, chance, depth - 1));
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return [...new Set(found)];
  if (type !== 'map') return found;
  return found.map((item, index) => ({ ...(item as JsonObject), key: `k${index}` }));
}

function fittingObject(schema: JsonObject, chance: Chance, depth: number): JsonObject {
  if (schema['x-kubernetes-embedded-resource'] === true) {
    return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { a: 'b' } }, spec: { x: 1 } };
  }
  const object: JsonObject = {};
  const values = schema['additionalProperties'] as JsonObject | undefined;
  if (values !== undefined) {
    for (const key of chance.some(['k1', 'k2', 'x/y'], 50)) object[key] = fitting(values, chance, depth - 1);
    return object;
  }
  const required = (schema['required'] as string[] | undefined) ?? [];
  for (const [key, property] of Object.entries((schema['properties'] ?? {}) as JsonObject)) {
    const wanted = required.includes(key) || (depth > 0 && chance.percent(70));
    if (wanted) object[key] = fitting(property as JsonObject, chance, depth - 1);
  }
  return object;
}
