import { describe, expect, test } from 'vitest';
import {
  defaultFeatureGates,
  FieldPath,
  fieldErrorText,
  type JsonObject,
  type JsonValue,
} from '../meta/index.ts';
import {
  type CheckSchemaOptions,
  checkSchema,
  conversionProblem,
  parseRuleFieldPath,
  type SchemaSite,
  schemaWarnings,
  structuralErrors,
} from './index.ts';

const gates = defaultFeatureGates();
const root = FieldPath.of('s');

function check(schema: JsonObject, options: Partial<CheckSchemaOptions> = {}): string[] {
  return checkSchema(schema, root, { gates, statusEnabled: false, ...options }).map(fieldErrorText);
}

/** The errors of a schema, as property `a` of an object. */
const field = (schema: JsonObject, options?: Partial<CheckSchemaOptions>) =>
  check({ type: 'object', properties: { a: schema } }, options);

const string = { type: 'string' };
const integer = { type: 'integer' };
const at = 's.properties[a]';
const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });

type Case = [schema: JsonObject, errors: string[]];

describe('keywords', () => {
  const cases: Case[] = [
    [string, []],
    [
      { type: 'foo' },
      [
        `${at}.type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      ],
    ],
    [
      { type: 'null' },
      [
        `${at}.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"`,
        `${at}.type: Forbidden: type cannot be set to null, use nullable as an alternative`,
      ],
    ],
    [{ ...string, id: 'x' }, [`${at}.id: Forbidden: id is not supported`]],
    [
      { ...string, additionalItems: true },
      [`${at}.additionalItems: Forbidden: additionalItems is not supported`],
    ],
    [
      { ...string, patternProperties: { x: string } },
      [`${at}.patternProperties: Forbidden: patternProperties is not supported`],
    ],
    [
      { ...string, definitions: { x: string } },
      [`${at}.definitions: Forbidden: definitions is not supported`],
    ],
    [
      { ...string, dependencies: { x: ['y'] } },
      [`${at}.dependencies: Forbidden: dependencies is not supported`],
    ],
    [{ ...string, $ref: '#' }, [`${at}.$ref: Forbidden: $ref is not supported`]],
    [{ ...string, $schema: 'x' }, ['s: Invalid value: "": OpenAPIV3Schema \'schema\' is not supported']],
    [
      { type: 'array', items: [string] },
      [`${at}.items: Forbidden: items must be a schema object and not an array`],
    ],
    [
      { type: 'array', items: string, uniqueItems: true },
      [
        `${at}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      ],
    ],
    [
      object({ b: string }, { additionalProperties: string }),
      [`${at}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`],
    ],
    [object({ b: string }, { additionalProperties: true }), []],
    [
      { 'x-kubernetes-preserve-unknown-fields': false, type: 'object' },
      [`${at}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`],
    ],
  ];
  test.each(cases)('%j', (schema, expected) => {
    expect(field(schema)).toEqual(expected);
  });

  test('the root is not nullable', () => {
    expect(check({ type: 'object', nullable: true })).toEqual([
      's.nullable: Forbidden: nullable cannot be true at the root',
    ]);
  });
});

describe('list and map types', () => {
  const list = (listType: string, items: JsonValue, more: JsonObject = {}): JsonObject => ({
    type: 'array',
    items,
    'x-kubernetes-list-type': listType,
    ...more,
  });
  const map = (items: JsonObject, keys: string[] = ['k']) =>
    list('map', items, { 'x-kubernetes-list-map-keys': keys });
  const item = object({ k: string }, { required: ['k'] });
  const key = 'this property is in x-kubernetes-list-map-keys, so it';
  const cases: Case[] = [
    [map(item), []],
    [list('set', string), []],
    [
      list('bag', string),
      [`${at}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"`],
    ],
    [
      { ...string, 'x-kubernetes-list-type': 'atomic' },
      [`${at}.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`],
    ],
    [
      { ...string, 'x-kubernetes-map-type': 'atomic' },
      [`${at}.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified`],
    ],
    [
      object({}, { 'x-kubernetes-map-type': 'x' }),
      [`${at}.x-kubernetes-map-type: Unsupported value: "x": supported values: "atomic", "granular"`],
    ],
    [
      list('set', object({})),
      [
        `${at}.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`,
      ],
    ],
    [
      list('set', list('set', string)),
      [
        `${at}.items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set`,
      ],
    ],
    [
      { type: 'array', items: item, 'x-kubernetes-list-map-keys': ['k'] },
      [
        `${at}.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty`,
      ],
    ],
    [
      list('set', string, { 'x-kubernetes-list-map-keys': ['k'] }),
      [
        `${at}.x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty`,
      ],
    ],
    [
      list('map', item),
      [
        `${at}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
      ],
    ],
    [
      map(string),
      [
        `${at}.items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map`,
      ],
    ],
    [
      map(item, ['z']),
      [
        `${at}.x-kubernetes-list-map-keys: Invalid value: ["z"]: entries must all be names of item properties`,
      ],
    ],
    [
      map(item, ['k', 'k']),
      [`${at}.x-kubernetes-list-map-keys: Invalid value: ["k","k"]: must not contain duplicate entries`],
    ],
    [
      map(object({ k: object({}) }, { required: ['k'] })),
      [
        `${at}.items.properties[k].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
      ],
    ],
    [
      map(object({ k: string })),
      [
        `${at}.items.properties[k].default: Required value: ${key} must have a default or be a required property`,
      ],
    ],
    [map(object({ k: { ...string, default: 'x' } })), []],
    [
      map(object({ k: { ...string, nullable: true } }, { required: ['k'] })),
      [`${at}.items.properties[k].nullable: Forbidden: ${key} cannot be nullable`],
    ],
    [
      list('set', { ...string, nullable: true }),
      [`${at}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set`],
    ],
  ];
  test.each(cases)('%j', (schema, expected) => {
    expect(field(schema)).toEqual(expected);
  });
});

describe('structure', () => {
  const empty = 'must not be empty for specified object fields';
  const embedded = { 'x-kubernetes-embedded-resource': true };
  const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
  const cases: Case[] = [
    [{}, [`${at}.type: Required value: ${empty}`]],
    [preserve, []],
    [{ 'x-kubernetes-int-or-string': true }, []],
    // Upstream does not require a type for the default of such a field.
    [{ 'x-kubernetes-int-or-string': true, default: true }, []],
    [{ type: 'array' }, [`${at}.items: Required value: must be specified`]],
    [
      { type: 'array', items: {} },
      [`${at}.items.type: Required value: must not be empty for specified array items`],
    ],
    [
      { ...string, pattern: '(' },
      [
        `${at}.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
      ],
    ],
    [
      { ...string, ...embedded, ...preserve },
      [`${at}.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true`],
    ],
    [
      { type: 'object', ...embedded },
      [
        `${at}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      ],
    ],
    [
      { 'x-kubernetes-int-or-string': true, ...preserve },
      [
        `${at}.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
      ],
    ],
    [
      object({ kind: integer, metadata: string }, embedded),
      [
        `${at}.properties[kind].type: Invalid value: "integer": must be string`,
        `${at}.properties[metadata].type: Invalid value: "string": must be object`,
      ],
    ],
    [
      { ...string, anyOf: [{ type: 'string' }] },
      [`${at}.anyOf[0].type: Forbidden: must be empty to be structural`],
    ],
    [
      { ...string, not: { title: 'x', description: 'x', default: 'x', nullable: true } },
      [
        `${at}.not.default: Forbidden: must be undefined to be structural`,
        `${at}.not.description: Forbidden: must be empty to be structural`,
        `${at}.not.nullable: Forbidden: must be false to be structural`,
        `${at}.not.title: Forbidden: must be empty to be structural`,
      ],
    ],
    [
      object(
        { b: string },
        { allOf: [{ additionalProperties: string, properties: { b: { 'x-kubernetes-list-type': 'set' } } }] },
      ),
      [
        `${at}.allOf[0].additionalProperties: Forbidden: must be undefined to be structural`,
        `${at}.allOf[0].properties[b].x-kubernetes-list-type: Forbidden: must be undefined to be structural`,
        `${at}.allOf[0].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
        `${at}.allOf[0].properties[b].type: Required value: must be array if x-kubernetes-list-type is specified`,
      ],
    ],
    [
      object({}, { anyOf: [{ properties: { metadata: {} } }] }),
      [`${at}.anyOf[0].properties[metadata]: Forbidden: must not be specified in a nested context`],
    ],
    // The two spellings of int-or-string are the exceptions.
    [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
    [
      {
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'x' }],
      },
      [],
    ],
    [
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
      [
        `${at}.anyOf[0].type: Forbidden: must be empty to be structural`,
        `${at}.anyOf[1].type: Forbidden: must be empty to be structural`,
      ],
    ],
  ];
  test.each(cases)('%j', (schema, expected) => {
    expect(field(schema)).toEqual(expected);
  });

  test.each<Case>([
    [{}, ['s.type: Required value: must not be empty at the root']],
    [string, ['s.type: Invalid value: "string": must be object at the root']],
    [
      { type: 'object', additionalProperties: string },
      ['s.additionalProperties: Forbidden: must not be used at the root'],
    ],
    [object({ metadata: object({ name: string, generateName: string }) }), []],
    [
      object({ metadata: { type: 'object', description: 'x' } }),
      [
        's.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ],
    [
      object({ a: string }, { anyOf: [{ properties: { b: {} } }] }),
      ['s.properties[b]: Required value: because it is defined in s.anyOf[0].properties[b]'],
    ],
    [
      object({ a: string }, { not: { properties: { a: { items: { required: ['x'] } } } } }),
      ['s.properties[a].items: Required value: because it is defined in s.not.properties[a].items'],
    ],
  ])('the root %j', (schema, expected) => {
    expect(check(schema)).toEqual(expected);
  });

  test('the condition NonStructuralSchema has the same errors with v1 paths', () => {
    const path = FieldPath.of('spec').child('versions').index(0).child('schema', 'openAPIV3Schema');
    expect(structuralErrors({}, path).map(fieldErrorText)).toEqual([
      'spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root',
    ]);
    expect(conversionProblem({ properties: { a: { items: [string] } } })).toBe(
      "OpenAPIV3Schema 'items' must be a schema, but is an array",
    );
    expect(conversionProblem({ type: 'object' })).toBeUndefined();
  });
});

describe('the root with the status subresource', () => {
  const status = { statusEnabled: true };
  test('may only use keywords that validate the status, too', () => {
    expect(check(object({ status: string }, { required: ['spec'], description: 'x' }), status)).toEqual([]);
    expect(check({ type: 'object', minProperties: 1 }, status)).toEqual([
      's: Invalid value: {"minProperties":1,"type":"object"}: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled',
    ]);
    expect(check({ type: 'object', minProperties: 1 })).toEqual([]);
  });

  test('is an object', () => {
    expect(check({ type: 'string' }, status)[0]).toBe(
      's.type: Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
    );
  });
});

describe('defaults', () => {
  const embedded = { 'x-kubernetes-embedded-resource': true };
  const cases: Case[] = [
    [{ ...string, default: 'x' }, []],
    [
      { ...string, default: 1 },
      [`${at}.default: Invalid value: "integer":  in body must be of type string: "integer"`],
    ],
    [
      { ...object({ b: integer }), default: { b: 'x' } },
      [`${at}.default.b: Invalid value: "string": b in body must be of type integer: "string"`],
    ],
    [
      { ...object({ b: integer }), default: { c: 1 } },
      [`${at}.default: Invalid value: {"c":1}: must not have unknown fields`],
    ],
    [
      object({ b: { ...string, default: 1 } }),
      [`${at}.properties[b].default: Invalid value: "integer":  in body must be of type string: "integer"`],
    ],
    [
      { type: 'array', items: { ...string, default: 1 } },
      [`${at}.items.default: Invalid value: "integer":  in body must be of type string: "integer"`],
    ],
    [
      { ...object({ spec: string }, embedded), default: { spec: 'x' } },
      [`${at}.default.apiVersion: Required value`, `${at}.default.kind: Required value`],
    ],
    [
      object({ metadata: object({ name: { ...string, default: 'a/b' } }) }, embedded),
      [
        `${at}.properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain '/'`,
      ],
    ],
    [
      object(
        {
          metadata: object({ labels: { type: 'object', additionalProperties: { ...string, default: 'x' } } }),
        },
        embedded,
      ),
      [
        `${at}.properties[metadata].properties[labels].additionalProperties.default: Forbidden: must not be set inside additionalProperties applying to object metadata`,
      ],
    ],
    [
      object({ metadata: object({ x: { ...object({ y: string }), ...embedded } }) }, embedded),
      [
        `${at}.properties[metadata].properties[x].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta`,
      ],
    ],
  ];
  test.each(cases)('%j', (schema, expected) => {
    expect(field(schema)).toEqual(expected);
  });

  test('not in top-level metadata', () => {
    expect(check(object({ apiVersion: { ...string, default: 'v1' } }))).toEqual([
      's.properties[apiVersion].default: Forbidden: must not be set in top-level apiVersion',
    ]);
  });

  test('are validated by the rules of their schema', () => {
    const found = field(
      { ...string, default: 'x', 'x-kubernetes-validations': [{ rule: 'self != "x"' }] },
      {
        checkDefaultRules: (_, value, path) => [
          { type: 'FieldValueInvalid', field: `${path}`, value, detail: 'failed rule' },
        ],
      },
    );
    expect(found).toEqual([`${at}.default: Invalid value: "x": failed rule`]);
  });
});

describe('rules', () => {
  const rules = (rule: JsonObject) => ({
    ...object({ b: string, m: { type: 'object', additionalProperties: string } }),
    'x-kubernetes-validations': [rule],
  });
  const rule = `${at}.x-kubernetes-validations[0]`;
  const cases: [JsonObject, string[]][] = [
    [{ rule: 'true', message: 'm', reason: 'FieldValueInvalid', fieldPath: '.b' }, []],
    [{ rule: ' ' }, [`${rule}.rule: Required value: rule is not specified`]],
    [{ rule: 'true', message: ' ' }, [`${rule}.message: Invalid value: " ": must be non-empty if specified`]],
    [
      { rule: 'true', message: 'a\nb' },
      [`${rule}.message: Invalid value: "a\\nb": must not contain line breaks`],
    ],
    [
      { rule: 'true\n&& true' },
      [`${rule}.message: Required value: message must be specified if rule contains line breaks`],
    ],
    [
      { rule: 'true', messageExpression: ' ' },
      [`${rule}.messageExpression: Required value: messageExpression must be non-empty if specified`],
    ],
    [
      { rule: 'true', reason: 'Bad' },
      [
        `${rule}.reason: Unsupported value: "Bad": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
      ],
    ],
    [
      { rule: 'true', fieldPath: ' ' },
      [
        `${rule}.fieldPath: Invalid value: " ": must be non-empty if specified`,
        `${rule}.fieldPath: Invalid value: " ": must be a valid path`,
      ],
    ],
    [{ rule: 'true', fieldPath: '.z' }, [`${rule}.fieldPath: Invalid value: ".z": must be a valid path`]],
    [{ rule: 'true', fieldPath: 'b' }, [`${rule}.fieldPath: Invalid value: "b": must be a valid path`]],
    [{ rule: 'true', fieldPath: ".m['any/key']" }, []],
  ];
  test.each(cases)('%j', (one, expected) => {
    expect(field(rules(one))).toEqual(expected);
  });

  test('splits field paths at dots and quoted names', () => {
    expect(parseRuleFieldPath(".a['b.c'].d['it\\'s']")).toEqual(['a', 'b.c', 'd', "it's"]);
    expect(parseRuleFieldPath('.a[0]')).toBeUndefined();
    expect(parseRuleFieldPath("['\\q']")).toBeUndefined();
  });

  test('checks expressions of valid schemas, including comparisons with oldSelf', () => {
    const sites: SchemaSite[] = [];
    const checkRules = (site: SchemaSite) => {
      sites.push(site);
      return [];
    };
    const options = { checkRules };
    const validated = { ...string, 'x-kubernetes-validations': [{ rule: 'true' }] };
    const schema = object({
      list: { type: 'array', items: validated },
      map: { type: 'object', additionalProperties: validated },
      atomic: object({ b: validated }, { 'x-kubernetes-map-type': 'atomic' }),
    });
    expect(check(schema, options)).toEqual([]);
    expect(sites.map(({ path, uncorrelatable }) => [`${path}`, uncorrelatable?.toString()])).toEqual([
      ['s.properties[list].items', 's.properties[list]'],
      ['s.properties[map].additionalProperties', undefined],
      ['s.properties[atomic].properties[b]', undefined],
    ]);
    expect(sites[0]?.trail?.steps.map(({ keyword, name }) => [keyword, name])).toEqual([
      ['properties', 'list'],
      ['items', undefined],
    ]);
    sites.length = 0;
    check({ ...schema, properties: { ...schema.properties, bad: {} } }, options);
    expect(sites).toEqual([]);
  });
});

describe('an update is not checked for requirements that the old schema violates', () => {
  const preserved = { preserveUnknownFields: true };
  const cases: [string, JsonObject, Partial<CheckSchemaOptions>, number][] = [
    [
      'sets of granular objects',
      { type: 'array', items: object({}), 'x-kubernetes-list-type': 'set' },
      {},
      0,
    ],
    ['unpruned defaults', { ...object({}), default: { x: 1 } }, {}, 0],
    [
      'nullable items',
      { type: 'array', items: { ...string, nullable: true }, 'x-kubernetes-list-type': 'set' },
      {},
      0,
    ],
    ['missing structure is demanded', {}, {}, 1],
    ['missing structure, where unknown fields are preserved', {}, preserved, 0],
  ];
  test.each(cases)('%s', (_, schema, options, count) => {
    const whole = object({ a: schema });
    expect(check(whole, options).length).toBe(1);
    expect(check(whole, { ...options, old: [whole] }).length).toBe(count);
  });
});

test('warns of new formats and sets that other components do not support', () => {
  const schema = object({
    a: { ...string, format: 'ip' },
    b: { ...integer, format: 'date' },
    c: {
      type: 'array',
      items: object({}, { 'x-kubernetes-map-type': 'atomic' }),
      'x-kubernetes-list-type': 'set',
    },
  });
  const formats = ['unrecognized format "ip"', 'unrecognized format "date"'];
  const sets =
    'x-kubernetes-list-type: set for items of type "object" is not supported by server-side apply or CEL validation rules';
  expect(schemaWarnings([schema], gates)).toEqual([...formats, sets]);
  expect(schemaWarnings([schema], gates, [schema])).toEqual([]);
});
