import { describe, expect, test } from 'vitest';
import {
  defaultFeatureGates,
  fieldErrorText,
  type JsonObject,
  type JsonValue,
  tooLong,
} from '../meta/index.ts';
import { compileSchema } from './index.ts';

const gates = defaultFeatureGates();

/** The errors of `{a: value}`, by a schema of `a`. */
function errors(value: JsonValue, schema: JsonObject): string[] {
  const compiled = compileSchema({ type: 'object', properties: { a: schema } }, { gates });
  return compiled.validate({ object: { a: value }, scope: 'object' }).errors.map(fieldErrorText);
}

const string = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const list = (items: JsonObject, more: JsonObject = {}) => ({ type: 'array', items, ...more });
const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });

type Case = [value: JsonValue, schema: JsonObject, errors: string[]];

const typed = (expected: string, actual: string, path = 'a') =>
  `${path}: Invalid value: "${actual}": ${path} in body must be of type ${expected}: "${actual}"`;

describe('type', () => {
  const cases: Case[] = [
    ['x', string, []],
    [1, string, [typed('string', 'integer')]],
    [1.5, string, [typed('string', 'number')]],
    [true, string, [typed('string', 'boolean')]],
    [[], string, [typed('string', 'array')]],
    [{}, string, [typed('string', 'object')]],
    [null, string, [typed('string', 'null')]],
    [null, { ...string, nullable: true }, []],
    [1, number, []],
    [1.5, number, []],
    [1, integer, []],
    [9007199254740993n, integer, []],
    [
      2 ** 63,
      integer,
      [
        typed('integer', 'number'),
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in a',
      ],
    ],
    [
      1.5,
      integer,
      [
        typed('integer', 'number'),
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in a',
      ],
    ],
    ['x', { 'x-kubernetes-int-or-string': true }, []],
    [1, { 'x-kubernetes-int-or-string': true }, []],
    [1.5, { 'x-kubernetes-int-or-string': true }, [typed('integer,string', 'number')]],
    [[1], { 'x-kubernetes-preserve-unknown-fields': true }, []],
    // With a format, the error names the format, and a string format accepts lists: upstream's quirks.
    [1, { ...string, format: 'date' }, [typed('date', 'int64')]],
    [true, { ...string, format: 'date' }, [typed('date', '')]],
    [[], { ...string, format: 'date' }, []],
    [
      1.5,
      { ...integer, format: 'int64' },
      [
        typed('int64', 'float64'),
        '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in a',
      ],
    ],
  ];
  test.each(cases)('%s by %j', (value, schema, expected) => {
    expect(errors(value, schema)).toEqual(expected);
  });

  test('the root has no name', () => {
    const compiled = compileSchema({ type: 'object', required: ['spec'], minProperties: 2 }, { gates });
    expect(compiled.validate({ object: {}, scope: 'object' }).errors.map(fieldErrorText)).toEqual([
      '<nil>: Invalid value: 0:  in body should have at least 2 properties',
      'spec: Required value',
    ]);
  });
});

describe('strings', () => {
  const cases: Case[] = [
    ['abc', { ...string, maxLength: 2 }, ['a: Too long: may not be more than 2 bytes']],
    ['ab', { ...string, maxLength: 1 }, ['a: Too long: may not be more than 1 byte']],
    ['☃☃', { ...string, maxLength: 2 }, []],
    ['😀😀', { ...string, maxLength: 2, minLength: 2 }, []],
    ['a', { ...string, minLength: 2 }, ['a: Invalid value: "a": a in body should be at least 2 chars long']],
    ['b', { ...string, pattern: '^a' }, ['a: Invalid value: "b": a in body should match \'^a\'']],
    ['xax', { ...string, pattern: 'a' }, []],
    // Only the first failing check is reported.
    [
      '',
      { ...string, minLength: 1, pattern: 'a' },
      ['a: Invalid value: "": a in body should be at least 1 chars long'],
    ],
    [
      'b',
      { ...string, pattern: '(' },
      [
        'a: Invalid value: "b": a in body should match \'(, but pattern is invalid: error parsing regexp: missing closing ): `(`\'',
      ],
    ],
    ['x', { ...string, format: 'date' }, [typed('date', 'x')]],
    ['x', { ...string, format: 'nonsense' }, []],
    ['x', { 'x-kubernetes-int-or-string': true, format: 'ipv4' }, [typed('ipv4', 'x')]],
    [
      '"<é\n',
      { ...string, format: 'date' },
      ['a: Invalid value: "\\"<é\\n": a in body must be of type date: "\\"<é\\n"'],
    ],
  ];
  test.each(cases)('%s by %j', (value, schema, expected) => {
    expect(errors(value, schema)).toEqual(expected);
  });

  test('too long prevents rules from running, so it has an error type of its own', () => {
    const compiled = compileSchema(
      { type: 'object', properties: { a: { ...string, maxLength: 1 } } },
      { gates },
    );
    const [error] = compiled.validate({ object: { a: 'ab' }, scope: 'object' }).errors;
    expect(error?.type).toBe(tooLong('a', 1).type);
  });
});

describe('numbers', () => {
  const range = '<nil>: Invalid value: "": Checked value must be of type';
  const cases: Case[] = [
    [3, { ...integer, maximum: 2 }, ['a: Invalid value: 3: a in body should be less than or equal to 2']],
    [
      2,
      { ...integer, maximum: 2, exclusiveMaximum: true },
      ['a: Invalid value: 2: a in body should be less than 2'],
    ],
    [1, { ...integer, minimum: 2 }, ['a: Invalid value: 1: a in body should be greater than or equal to 2']],
    [
      2,
      { ...integer, minimum: 2, exclusiveMinimum: true },
      ['a: Invalid value: 2: a in body should be greater than 2'],
    ],
    [
      2.5,
      { ...number, maximum: 1.5 },
      ['a: Invalid value: 2.5: a in body should be less than or equal to 1.5'],
    ],
    // Integers are compared with the truncated bound, floats are printed with Go's exponents.
    [2, { ...number, maximum: 1.5 }, ['a: Invalid value: 2: a in body should be less than or equal to 1']],
    [
      1e7 + 0.5,
      { ...number, maximum: 1e7 },
      ['a: Invalid value: 1.00000005e+07: a in body should be less than or equal to 1e+07'],
    ],
    [3, { ...integer, multipleOf: 2 }, ['a: Invalid value: 3: a in body should be a multiple of 2']],
    [4, { ...integer, multipleOf: 2 }, []],
    [0.3, { ...number, multipleOf: 0.1 }, []],
    [0.35, { ...number, multipleOf: 0.1 }, ['a: Invalid value: 0.35: a in body should be a multiple of 0.1']],
    [
      1,
      { ...number, multipleOf: 0.5 },
      ['a: Invalid value: 0: factor MultipleOf declared for a must be positive: 0'],
    ],
    [
      9007199254740993n,
      { ...integer, maximum: 9007199254740992 },
      ['a: Invalid value: 9007199254740993: a in body should be less than or equal to 9007199254740992'],
    ],
    [
      9007199254740993n,
      { ...integer, multipleOf: 2 },
      ['a: Invalid value: 9007199254740993: a in body should be a multiple of 2'],
    ],
    [2147483648, { ...integer, format: 'int32' }, [`${range} integer with format int32 in a`]],
    [-2147483648, { ...integer, format: 'int32' }, []],
    [1e39, { ...number, format: 'float' }, [`${range} number with format float in a`]],
    [
      1,
      { ...integer, maximum: 1.5 },
      ['<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in a'],
    ],
  ];
  test.each(cases)('%s by %j', (value, schema, expected) => {
    expect(errors(value, schema)).toEqual(expected);
  });
});

describe('enum', () => {
  const cases: Case[] = [
    ['b', { ...string, enum: ['a', 'c'] }, ['a: Unsupported value: "b": supported values: "a", "c"']],
    ['c', { ...string, enum: ['a', 'c'] }, []],
    [3, { ...integer, enum: [1, 2] }, ['a: Unsupported value: 3: supported values: "1", "2"']],
    [{ k: 1 }, { 'x-kubernetes-preserve-unknown-fields': true, enum: [{ k: 1 }] }, []],
    [
      null,
      { ...string, nullable: true, enum: ['a', null] },
      ['a: Unsupported value: null: supported values: "a", "null"'],
    ],
    // Go converts before it compares.
    [1.5, { ...number, enum: [1] }, []],
    [97, { 'x-kubernetes-int-or-string': true, enum: ['a'] }, []],
    [1, { ...number, enum: [1.5] }, ['a: Unsupported value: 1: supported values: "1.5"']],
  ];
  test.each(cases)('%s by %j', (value, schema, expected) => {
    expect(errors(value, schema)).toEqual(expected);
  });
});

describe('lists and objects', () => {
  const cases: Case[] = [
    [['x', 1], list(string), [typed('string', 'integer', 'a[1]')]],
    [[1, 2], list(integer, { maxItems: 1 }), ['a: Too many: 2: must have at most 1 item']],
    [[], list(integer, { minItems: 2 }), ['a: Invalid value: 0: a in body should have at least 2 items']],
    [
      [1, 1],
      list(integer, { uniqueItems: true }),
      ['a: Invalid value: "": a in body shouldn\'t contain duplicates'],
    ],
    [{}, object({}, { required: ['b', 'c'] }), ['a.b: Required value', 'a.c: Required value']],
    [
      {},
      object({}, { required: ['toString', '__proto__'] }),
      ['a.toString: Required value', 'a.__proto__: Required value'],
    ],
    [{ b: 1, c: 2 }, object({}, { maxProperties: 1 }), ['a: Too many: 2: must have at most 1 item']],
    [
      {},
      object({}, { minProperties: 1 }),
      ['a: Invalid value: 0: a in body should have at least 1 properties'],
    ],
    [{ b: { c: 1 } }, object({ b: object({ c: string }) }), [typed('string', 'integer', 'a.b.c')]],
    [{ 'k/x': 1 }, { type: 'object', additionalProperties: string }, [typed('string', 'integer', 'a.k/x')]],
    // Errors of children precede missing fields, in schema order.
    [
      { c: 1, b: 1 },
      object({ b: string, c: string }, { required: ['d'] }),
      [typed('string', 'integer', 'a.b'), typed('string', 'integer', 'a.c'), 'a.d: Required value'],
    ],
  ];
  test.each(cases)('%s by %j', (value, schema, expected) => {
    expect(errors(value, schema)).toEqual(expected);
  });

  test('the list of errors is limited', () => {
    const found = errors(new Array<JsonValue>(5_000).fill(1), list(string));
    expect(found.length).toBe(1_001);
    expect(found.at(-1)).toBe('<nil>: Invalid value: "": too many errors');
  });
});

describe('branches', () => {
  const short = { maxLength: 1 };
  const long = { minLength: 3 };
  const cases: Case[] = [
    ['abc', { ...string, anyOf: [short, long] }, []],
    [
      'ab',
      { ...string, anyOf: [short, long] },
      [
        '<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
        'a: Too long: may not be more than 1 byte',
      ],
    ],
    [
      'ab',
      { ...string, oneOf: [short, long] },
      [
        '<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid',
        'a: Too long: may not be more than 1 byte',
      ],
    ],
    [
      '',
      { ...string, oneOf: [short, {}] },
      [
        '<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ],
    ],
    ['x', { ...string, not: short }, ['<nil>: Invalid value: "": "a" must not validate the schema (not)']],
    [
      'ab',
      { ...string, allOf: [short, {}] },
      [
        'a: Too long: may not be more than 1 byte',
        '<nil>: Invalid value: "": "a" must validate all the schemas (allOf)',
      ],
    ],
    [
      'ab',
      { ...string, allOf: [short, long] },
      [
        'a: Too long: may not be more than 1 byte',
        'a: Invalid value: "ab": a in body should be at least 3 chars long',
        '<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated',
      ],
    ],
    // The errors are those of the branch with the most passed checks.
    [
      { b: 'x', c: 'x' },
      object(
        { b: string, c: string },
        { anyOf: [{ required: ['z'] }, { properties: { b: {} }, required: ['y'] }] },
      ),
      ['<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)', 'a.y: Required value'],
    ],
    // int-or-string accepts near-integers, but not if its types are spelled out.
    [5.000000001, { 'x-kubernetes-int-or-string': true }, []],
    [
      5.000000001,
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      [
        '<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in a',
      ],
    ],
    // Duplicate errors of branches are reported once.
    [
      'ab',
      { ...string, maxLength: 1, not: long, allOf: [short] },
      [
        'a: Too long: may not be more than 1 byte',
        '<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated',
      ],
    ],
  ];
  test.each(cases)('%s by %j', (value, schema, expected) => {
    expect(errors(value, schema)).toEqual(expected);
  });
});

describe('list types', () => {
  const set = (items: JsonObject) => list(items, { 'x-kubernetes-list-type': 'set' });
  const map = (keys: string[]) =>
    list(object({ k: string, n: integer, v: string }), {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': keys,
    });
  const cases: Case[] = [
    [['x', 'y', 'x', 'x'], set(string), ['a[2]: Duplicate value: "x"']],
    [[1, '1'], set({ 'x-kubernetes-int-or-string': true }), []],
    [
      [
        { b: 1, c: 2 },
        { c: 2, b: 1 },
      ],
      set({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
      ['a[1]: Duplicate value: {"b":1,"c":2}'],
    ],
    [[{ k: 'x' }, { k: 'y' }, { k: 'x' }], map(['k']), ['a[2]: Duplicate value: {"k":"x"}']],
    [
      [
        { k: 'x', n: 1 },
        { k: 'x', n: 2 },
        { k: 'x', n: 1 },
      ],
      map(['k', 'n']),
      ['a[2]: Duplicate value: {"k":"x","n":1}'],
    ],
    [[{}, { v: 'x' }], map(['k']), ['a[1]: Duplicate value: {}']],
    [[{ k: '__proto__' }, { k: '__proto__' }], map(['k']), ['a[1]: Duplicate value: {"k":"__proto__"}']],
    [
      ['x'],
      map(['k']),
      [
        typed('object', 'string', 'a[0]'),
        'a[0]: Invalid value: "x": must be an object for an array of list-type map',
      ],
    ],
    [
      { m: { k: [1, 1] } },
      object({ m: { type: 'object', additionalProperties: set(integer) } }),
      ['a.m[k][1]: Duplicate value: 1'],
    ],
    // A long list, for which a hash table replaces pairwise comparison.
    [
      Array.from({ length: 20 }, (_, index) => `v${index % 19}`),
      set(string),
      ['a[19]: Duplicate value: "v0"'],
    ],
  ];
  test.each(cases)('%s by %j', (value, schema, expected) => {
    expect(errors(value, schema)).toEqual(expected);
  });
});

describe('embedded resources', () => {
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  const cases: Case[] = [
    [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'Any_Name', labels: { a: 'b' } } }, embedded, []],
    [{}, embedded, ['a.apiVersion: Required value', 'a.kind: Required value']],
    [
      { apiVersion: '', kind: '' },
      embedded,
      ['a.apiVersion: Invalid value: "": must not be empty', 'a.kind: Invalid value: "": must not be empty'],
    ],
    [
      { apiVersion: 'a/b/c', kind: 'K' },
      embedded,
      ['a.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      { apiVersion: 'v1', kind: 'K', metadata: { name: 'a/b' } },
      embedded,
      ['a.metadata.name: Invalid value: "a/b": may not contain \'/\''],
    ],
    [[{ apiVersion: 'v1' }], list(embedded), ['a[0].kind: Required value']],
  ];
  test.each(cases)('%s by %j', (value, schema, expected) => {
    expect(errors(value, schema)).toEqual(expected);
  });
});

describe('order and scope of errors', () => {
  const schema = object({
    spec: object({ l: list(string, { 'x-kubernetes-list-type': 'set' }) }),
    status: object({
      phase: { ...string, enum: ['Up'] },
      seen: list(string, { 'x-kubernetes-list-type': 'set' }),
    }),
    template: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
  });
  const compiled = compileSchema(schema, { gates });
  const caller = { type: 'FieldValueInvalid', field: 'scale', value: 1, detail: 'from the caller' } as const;
  const wrong = { spec: { l: ['x', 'x'], n: 1 }, status: { phase: 'Down', seen: ['y', 'y'] }, template: {} };

  test('schema, caller, embedded resources, list types', () => {
    const { errors: found } = compiled.validate({ object: wrong, scope: 'object', afterSchema: [caller] });
    expect(found.map(fieldErrorText)).toEqual([
      'status.phase: Unsupported value: "Down": supported values: "Up"',
      'scale: Invalid value: 1: from the caller',
      'template.apiVersion: Required value',
      'template.kind: Required value',
      'spec.l[1]: Duplicate value: "x"',
      'status.seen[1]: Duplicate value: "y"',
    ]);
  });

  test('/status validates only the status, and all lists', () => {
    const { errors: found } = compiled.validate({ object: { ...wrong, spec: 5 }, scope: 'status' });
    expect(found.map(fieldErrorText)).toEqual([
      'status.phase: Unsupported value: "Down": supported values: "Up"',
      'status.seen[1]: Duplicate value: "y"',
    ]);
  });

  test('paths of /status are relative to the status', () => {
    const object = { status: { phase: 1 } };
    expect(compiled.validate({ object, scope: 'status' }).errors.map(fieldErrorText)).toEqual([
      'status.phase: Invalid value: "integer": phase in body must be of type string: "integer"',
      'status.phase: Unsupported value: 1: supported values: "Up"',
    ]);
  });

  test('errors of the caller alone are returned', () => {
    expect(compiled.validate({ object: {}, scope: 'object', afterSchema: [caller] }).errors).toEqual([
      caller,
    ]);
  });
});

describe('rules', () => {
  const rule = { type: 'FieldValueInvalid', field: 'spec', value: 'x', detail: 'failed rule' } as const;
  const schema = object({ a: { ...string, maxLength: 2, pattern: 'a' } });
  const compiled = compileSchema(schema, {
    gates,
    compileRules: () => ({
      validate: () => ({ errors: [rule], warnings: ['w'] }),
      comparesWithOld: false,
    }),
  });
  const validate = (a: JsonValue) => compiled.validate({ object: { a }, scope: 'object' });

  test('run after everything else', () => {
    expect(validate('a')).toEqual({ errors: [rule], warnings: ['w'] });
    expect(validate('b').errors.map(({ field }) => field)).toEqual(['a', 'spec']);
  });

  test('do not run on values of another type', () => {
    expect(validate(1).errors.map(fieldErrorText)).toEqual([
      typed('string', 'integer'),
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  test('the notice about skipped rules requires rules', () => {
    const without = compileSchema(schema, { gates, compileRules: () => undefined });
    expect(without.validate({ object: { a: 1 }, scope: 'object' }).errors.length).toBe(1);
  });
});
