import { describe, expect, test } from 'vitest';
import {
  defaultFeatureGates,
  type FeatureGates,
  FieldPath,
  fieldErrorText,
  type JsonObject,
  type JsonValue,
  parseFeatureGates,
} from '../meta/index.ts';
import { checkSchema, compileSchema, schemaWarnings } from './index.ts';

const on = defaultFeatureGates();
const off = parseFeatureGates('CRDPropertyNameSchemas=false');

/** The schema of an object with one map, whose keys have the schema `names`. */
function withMap(names: JsonObject, values: JsonObject = { type: 'string' }): JsonObject {
  const labels = { type: 'object', 'x-kubernetes-property-names': names, additionalProperties: values };
  return { type: 'object', properties: { labels } };
}

function errors(
  names: JsonObject,
  labels: JsonValue,
  more: { old?: JsonValue; gates?: FeatureGates } = {},
): string[] {
  const compiled = compileSchema(withMap(names), { gates: more.gates ?? on });
  const old = more.old === undefined ? {} : { old: { labels: more.old, spec: 1 } };
  return compiled.validate({ object: { labels }, ...old, scope: 'object' }).errors.map(fieldErrorText);
}

const key = (rules: JsonObject) => ({ type: 'string', ...rules });
const json = (text: string): JsonValue => JSON.parse(text);

describe('keys of maps (KEP-5667)', () => {
  const cases: [JsonObject, JsonValue, string[]][] = [
    [key({ maxLength: 2 }), { ab: 'x' }, []],
    [key({ maxLength: 2 }), { abc: 'x' }, ['labels: Too long: may not be more than 2 bytes: key "abc"']],
    [
      key({ minLength: 2 }),
      { a: 'x' },
      ['labels: Invalid value: "a": labels in body should be at least 2 chars long'],
    ],
    [
      key({ pattern: '^a' }),
      { a: 'x', b: 'x', c: 'x' },
      [
        'labels: Invalid value: "b": labels in body should match \'^a\'',
        'labels: Invalid value: "c": labels in body should match \'^a\'',
      ],
    ],
    [key({ enum: ['a', 'b'] }), { c: 'x' }, ['labels: Unsupported value: "c": supported values: "a", "b"']],
    [
      key({ format: 'k8s-label-key' }),
      { 'example.com/a': 'x', 'a b': 'x' },
      ['labels: Invalid value: "a b": labels in body must be of type k8s-label-key: "a b"'],
    ],
    [
      key({ not: { enum: ['a'] } }),
      { a: 'x' },
      ['labels: Invalid value: "a": "labels" must not validate the schema (not)'],
    ],
    [
      key({ anyOf: [{ pattern: '^a' }, { pattern: '^b' }] }),
      { c: 'x' },
      [
        'labels: Invalid value: "c": "labels" must validate at least one schema (anyOf)',
        'labels: Invalid value: "c": labels in body should match \'^a\'',
      ],
    ],
    [
      key({ pattern: '^a' }),
      json('{"__proto__":"x","constructor":"x"}'),
      [
        'labels: Invalid value: "__proto__": labels in body should match \'^a\'',
        'labels: Invalid value: "constructor": labels in body should match \'^a\'',
      ],
    ],
  ];
  test.each(cases)('%j refuses in %j', (names, labels, expected) => {
    expect(errors(names, labels)).toEqual(expected);
  });

  test('errors of keys precede those of values', () => {
    expect(errors(key({ maxLength: 1 }), { ab: 1 })).toEqual([
      'labels: Too long: may not be more than 1 byte: key "ab"',
      'labels.ab: Invalid value: "integer": labels.ab in body must be of type string: "integer"',
    ]);
  });

  test('tolerates an invalid key of the old object', () => {
    const names = key({ pattern: '^a' });
    expect(errors(names, { b: 'new' }, { old: { b: 'old' } })).toEqual([]);
    expect(errors(names, { b: 'x', c: 'x' }, { old: { b: 'x' } })).toEqual([
      'labels: Invalid value: "c": labels in body should match \'^a\'',
    ]);
  });

  test('are ignored without the gate', () => {
    expect(errors(key({ maxLength: 1 }), { ab: 'x' }, { gates: off })).toEqual([]);
  });
});

describe('a default key', () => {
  const names = key({ default: 'main', minLength: 1 });
  const compiled = compileSchema(
    withMap(names, { type: 'object', properties: { n: { type: 'integer', default: 1 } } }),
    { gates: on },
  );
  function normalize(labels: JsonValue): JsonValue {
    const object: JsonObject = { labels };
    compiled.normalize(object);
    return object['labels'] ?? null;
  }

  test('replaces the empty key', () => {
    expect(normalize({ '': {}, other: {} })).toEqual({ main: { n: 1 }, other: { n: 1 } });
  });

  test('does not replace an existing key; the empty key is then a duplicate', () => {
    const labels = normalize({ '': {}, main: {} });
    expect(labels).toEqual({ '': { n: 1 }, main: { n: 1 } });
    const { errors: found } = compiled.validate({ object: { labels }, scope: 'object' });
    expect(found.map(fieldErrorText)).toEqual(['labels: Duplicate value: "main"']);
  });

  test('may be any name', () => {
    const hostile = compileSchema(withMap(key({ default: '__proto__' })), { gates: on });
    const object: JsonObject = { labels: { '': 'x' } };
    hostile.normalize(object);
    expect(JSON.stringify(object)).toBe('{"labels":{"__proto__":"x"}}');
  });
});

describe('the schema of keys', () => {
  const at = 'schema.properties[labels].x-kubernetes-property-names';
  const check = (schema: JsonObject, gates = on) =>
    checkSchema(schema, FieldPath.of('schema'), { gates, statusEnabled: false }).map(fieldErrorText);

  const cases: [JsonObject, string[]][] = [
    [
      key({
        minLength: 1,
        maxLength: 9,
        pattern: 'a',
        format: 'k8s-label-key',
        enum: ['a'],
        description: 'd',
      }),
      [],
    ],
    [key({ allOf: [{ not: { pattern: 'b' } }], default: 'a' }), []],
    [{}, [`${at}.type: Required value: must be string, because the keys of a map are strings`]],
    [
      { type: 'integer' },
      [`${at}.type: Invalid value: "integer": must be string, because the keys of a map are strings`],
    ],
    [key({ nullable: true }), [`${at}.nullable: Forbidden: must not be used to validate the keys of a map`]],
    [key({ maximum: 1 }), [`${at}.maximum: Forbidden: must not be used to validate the keys of a map`]],
    [
      key({ anyOf: [{ type: 'string' }] }),
      [`${at}.anyOf[0].type: Forbidden: must not be used to validate the keys of a map`],
    ],
    [
      key({ pattern: '(' }),
      [
        `${at}.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
      ],
    ],
    [
      key({ not: { pattern: '(' } }),
      [
        `${at}.not.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
      ],
    ],
    [key({ default: 'abc', maxLength: 2 }), [`${at}.default: Too long: may not be more than 2 bytes`]],
    [
      key({ default: 1 }),
      [`${at}.default: Invalid value: "integer":  in body must be of type string: "integer"`],
    ],
    [
      key({ 'x-kubernetes-validations': [{ rule: ' ' }] }),
      [`${at}.x-kubernetes-validations[0].rule: Required value: rule is not specified`],
    ],
  ];
  test.each(cases)('%j', (names, expected) => {
    expect(check(withMap(names))).toEqual(expected);
  });

  test('requires a schema of values', () => {
    const text = 'may only be used together with a schema in additionalProperties';
    const alone = { type: 'object', 'x-kubernetes-property-names': key({}) };
    const labels = (more: JsonObject) =>
      check({ type: 'object', properties: { labels: { ...alone, ...more } } });
    expect(labels({ properties: { a: { type: 'string' } } })).toEqual([`${at}: Forbidden: ${text}`]);
    expect(labels({ additionalProperties: true })).toEqual([`${at}: Forbidden: ${text}`]);
    expect(labels({ additionalProperties: { type: 'string' } })).toEqual([]);
  });

  test('is not allowed in branches', () => {
    const schema = {
      ...withMap(key({})),
      anyOf: [{ properties: { labels: { 'x-kubernetes-property-names': key({}) } } }],
    };
    expect(check(schema)).toContain(
      'schema.anyOf[0].properties[labels].x-kubernetes-property-names: Forbidden: must be undefined to be structural',
    );
  });

  test('is ignored without the gate, and its formats are unknown', () => {
    expect(check(withMap({ type: 'integer' }), off)).toEqual([]);
    const schema = withMap(key({ format: 'k8s-label-key' }));
    expect(schemaWarnings([schema], on)).toEqual([]);
    expect(schemaWarnings([schema], off)).toEqual(['unrecognized format "k8s-label-key"']);
  });
});
