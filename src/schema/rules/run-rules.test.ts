import { describe, expect, test } from 'vitest';
import { defaultFeatureGates, fieldErrorText, type JsonObject, type JsonValue } from '../../meta/index.ts';
import { compileRules, compileSchema, RuleEnvironments } from '../index.ts';

const environments = new RuleEnvironments({ major: 1, minor: 35 });

/** The errors of `spec`, on create or with the stored spec on update. */
function report(spec: JsonObject, value: JsonValue, old?: JsonValue, gates = defaultFeatureGates()) {
  const schema: JsonObject = { type: 'object', properties: { spec } };
  const compiled = compileSchema(schema, {
    gates,
    compileRules: compileRules(environments),
  });
  const objectOf = (of: JsonValue) => ({ apiVersion: 'v1', kind: 'Foo', metadata: { name: 'x' }, spec: of });
  const request = { object: objectOf(value), scope: 'object' } as const;
  const { errors, warnings } = compiled.validate(
    old === undefined ? request : { ...request, old: objectOf(old) },
  );
  return { errors: errors.map(fieldErrorText), warnings: [...warnings] };
}
const errorsOf = (...args: Parameters<typeof report>): string[] => report(...args).errors;

const rules = (...list: JsonObject[]): JsonObject => ({ 'x-kubernetes-validations': list });
const integer: JsonObject = { type: 'integer' };
const text: JsonObject = { type: 'string' };
const objectWith = (properties: JsonObject, ...list: JsonObject[]): JsonObject => ({
  type: 'object',
  properties,
  ...rules(...list),
});

describe('the data of rules', () => {
  test('fields named like reserved words', () => {
    const schema = objectWith(
      { namespace: text, if: integer },
      { rule: "self.namespace == 'a' && self.if == 1" },
    );
    expect(errorsOf(schema, { namespace: 'a', if: 1 })).toEqual([]);
    expect(errorsOf(schema, { namespace: 'b', if: 1 })).toHaveLength(1);
  });

  test('untyped fields, in comparisons of objects', () => {
    const open = { 'x-kubernetes-preserve-unknown-fields': true };
    const item = { type: 'object', properties: { known: integer, unknown: open }, ...open };
    const schema = { type: 'array', items: item, ...rules({ rule: 'self[0] == self[1]' }) };
    const equal = (left: JsonValue, right: JsonValue) => errorsOf(schema, [left, right]).length === 0;
    expect(equal({ known: 1, unknown: 'a' }, { known: 1, unknown: 'a' })).toBe(true);
    expect(equal({ known: 1, unknown: 'a' }, { known: 1, unknown: 1 })).toBe(false);
    expect(equal({ known: 1, more: [1] }, { known: 1, more: [2] })).toBe(false);
  });
});

describe('rules that take too long', () => {
  test('are aborted, and no further rule runs', () => {
    let now = 0;
    const slow = compileRules(new RuleEnvironments({ major: 1, minor: 35 }, { now: () => (now += 2_000) }));
    const list = { rule: 'self.all(x, x >= 0)' };
    const schema = {
      type: 'object',
      properties: { a: { type: 'array', items: integer, ...rules(list, list) } },
    };
    const compiled = compileSchema(schema, { gates: defaultFeatureGates(), compileRules: slow });
    const object = { a: Array.from({ length: 1000 }, (_, index) => index) };
    expect(compiled.validate({ object, scope: 'object' }).errors.map(fieldErrorText)).toEqual([
      'a: Invalid value: "array": \'operation interrupted\': no further validation rules will be run due to call cost exceeds limit for rule: self.all(x, x >= 0)',
    ]);
  });
});

describe('a rule that fails', () => {
  const range = { min: integer, max: integer };
  const rule = 'self.min <= self.max';

  test.each<[JsonObject, string]>([
    [{ rule }, 'spec: Invalid value: failed rule: self.min <= self.max'],
    [{ rule, message: ' min above max ' }, 'spec: Invalid value: min above max'],
    [{ rule, messageExpression: '"min above " + string(self.max)' }, 'spec: Invalid value: min above 3'],
    [{ rule, messageExpression: '"  "', message: 'plain' }, 'spec: Invalid value: plain'],
    [{ rule, messageExpression: '"a\\nb"' }, 'spec: Invalid value: failed rule: self.min <= self.max'],
    [
      { rule, messageExpression: 'string(1 / (self.min - 5))', message: 'plain' },
      'spec: Invalid value: plain',
    ],
    [{ rule, message: 'no', reason: 'FieldValueForbidden' }, 'spec: Forbidden: no'],
    [
      { rule, message: 'no', reason: 'FieldValueRequired', fieldPath: '.max' },
      'spec.max: Required value: no',
    ],
    [{ rule, message: 'no', reason: 'FieldValueDuplicate' }, 'spec: Duplicate value'],
    [{ rule, message: 'no', fieldPath: '.max' }, 'spec.max: Invalid value: no'],
  ])('%j', (given, error) => {
    expect(errorsOf(objectWith(range, given), { min: 5, max: 3 })).toEqual([error]);
    expect(errorsOf(objectWith(range, given), { min: 1, max: 3 })).toEqual([]);
  });

  test('prints a scalar value, but not an object or a list', () => {
    const schema = objectWith({
      n: { ...integer, ...rules({ rule: 'self > 1' }) },
      l: { type: 'array', items: text, ...rules({ rule: 'self.size() > 0' }) },
    });
    expect(errorsOf(schema, { n: 1, l: [] })).toEqual([
      'spec.n: Invalid value: 1: failed rule: self > 1',
      'spec.l: Invalid value: failed rule: self.size() > 0',
    ]);
  });

  test('names an entry of a map by its key', () => {
    const schema = objectWith(
      { labels: { type: 'object', additionalProperties: text } },
      { rule: "self.labels['a/b'] == 'x'", message: 'no', fieldPath: ".labels['a/b']" },
    );
    expect(errorsOf(schema, { labels: { 'a/b': 'y' } })).toEqual(['spec.labels[a/b]: Invalid value: no']);
  });

  test('is reported in schema order: rules of a value before those of its children', () => {
    const schema = objectWith(
      {
        a: { ...integer, ...rules({ rule: 'self > 1' }, { rule: 'self > 2' }) },
        b: { type: 'array', items: { ...text, ...rules({ rule: "self != ''" }) } },
        c: { type: 'object', additionalProperties: { ...text, ...rules({ rule: "self != ''" }) } },
      },
      { rule: 'has(self.d) || false' },
      { rule: 'false', message: 'never' },
    );
    expect(
      errorsOf(
        { ...schema, properties: { ...Object(schema['properties']), d: text } },
        { a: 1, b: ['', 'x'], c: { k: '' } },
      ),
    ).toEqual([
      'spec: Invalid value: failed rule: has(self.d) || false',
      'spec: Invalid value: never',
      'spec.a: Invalid value: 1: failed rule: self > 1',
      'spec.a: Invalid value: 1: failed rule: self > 2',
      `spec.b[0]: Invalid value: "": failed rule: self != ''`,
      `spec.c[k]: Invalid value: "": failed rule: self != ''`,
    ]);
  });
});

describe('a rule that cannot be evaluated', () => {
  test.each<[string, JsonObject, JsonObject, string]>([
    [
      'the key is missing',
      objectWith({ a: text, b: text }, { rule: "self.a == 'x'" }),
      { b: '' },
      'spec: Invalid value: "object": no such key: a evaluating rule: self.a == \'x\'',
    ],
    [
      'no function takes it',
      objectWith({ a: { 'x-kubernetes-int-or-string': true } }, { rule: 'self.a < 5', message: 'small' }),
      { a: 'x' },
      'spec: Invalid value: "object": \'no such overload\': call arguments did not match a supported operator, function or macro signature for rule: small',
    ],
    [
      'it is not an expression',
      objectWith({ a: text }, { rule: 'self.b' }),
      { a: 'x' },
      'spec: Invalid value: "object": rule compile error: compilation failed: ERROR: <input>:1:5: undefined field \'b\'\n | self.b\n | ....^',
    ],
  ])('%s', (_, schema, value, error) => {
    expect(errorsOf(schema, value)).toEqual([error]);
  });

  test('rules do not run on null, but on its parent', () => {
    const schema = objectWith(
      { a: { ...text, nullable: true, ...rules({ rule: 'false' }) } },
      { rule: 'has(self.a)', message: 'a is null' },
    );
    expect(errorsOf(schema, { a: null })).toEqual(['spec: Invalid value: a is null']);
  });
});

describe('the cost', () => {
  const list: JsonObject = { type: 'array', items: integer };
  const slow = 'self.l.all(x, self.l.all(y, self.l.all(z, z >= 0)))';
  const overCall = `spec: Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${slow}`;

  test('is limited per evaluation, and no further rule runs', () => {
    const schema = objectWith({ l: list }, { rule: slow }, { rule: 'false' });
    expect(errorsOf(schema, { l: Array(100).fill(1) })).toEqual([overCall]);
  });

  test('is limited for all rules of an object together', () => {
    const many = Array(14).fill({ rule: slow });
    const schema = objectWith({ l: list }, ...many, { rule: 'false' });
    expect(errorsOf(schema, { l: Array(58).fill(1) })).toEqual([
      'spec: Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });
});

describe('oldSelf', () => {
  const rule = 'self == oldSelf';
  const immutable = { ...text, ...rules({ rule, message: 'is immutable' }) };
  const failed = (path: string, value: string) => `${path}: Invalid value: "${value}": is immutable`;

  test.each<[string, JsonObject, JsonValue, JsonValue | undefined, string[]]>([
    ['is not asked on create', { a: immutable }, { a: 'x' }, undefined, []],
    ['is the field of the same name', { a: immutable }, { a: 'x' }, { a: 'y' }, [failed('spec.a', 'x')]],
    ['is not asked of a new field', { a: immutable }, { a: 'x' }, {}, []],
    [
      'is the entry under the same key',
      { m: { type: 'object', additionalProperties: immutable } },
      { m: { k: 'x', n: 'z' } },
      { m: { k: 'y' } },
      [failed('spec.m[k]', 'x')],
    ],
    [
      'is the item of the same keys',
      {
        l: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: text, a: immutable } },
        },
      },
      {
        l: [
          { name: 'n', a: 'x' },
          { name: 'm', a: 'x' },
        ],
      },
      { l: [{ name: 'm', a: 'y' }] },
      [failed('spec.l[1].a', 'x')],
    ],
    [
      'cannot be told in other lists',
      { l: { type: 'array', items: { type: 'object', properties: { a: immutable } } } },
      { l: [{ a: 'x' }] },
      { l: [{ a: 'y' }] },
      [],
    ],
  ])('%s', (_, properties, value, old, errors) => {
    expect(errorsOf({ type: 'object', properties }, value, old)).toEqual(errors);
  });

  test('may be optional: then the rule always runs', () => {
    const optional = {
      ...integer,
      ...rules({ rule: 'oldSelf.hasValue() ? self >= oldSelf.value() : self == 1', optionalOldSelf: true }),
    };
    const schema = { type: 'object', properties: { n: optional } };
    const failed = 'failed rule: oldSelf.hasValue() ? self >= oldSelf.value() : self == 1';
    expect(errorsOf(schema, { n: 1 })).toEqual([]);
    expect(errorsOf(schema, { n: 2 })).toEqual([`spec.n: Invalid value: 2: ${failed}`]);
    expect(errorsOf(schema, { n: 3 }, { n: 2 })).toEqual([]);
    expect(errorsOf(schema, { n: 1 }, { n: 2 })).toEqual([`spec.n: Invalid value: 1: ${failed}`]);
  });
});

describe('an unchanged value', () => {
  const short = { ...text, ...rules({ rule: 'self.size() < 3', message: 'too long' }) };
  const error = 'spec.a: Invalid value: "long": too long';

  test('gets a warning', () => {
    const schema = { type: 'object', properties: { a: short, b: text } };
    expect(report(schema, { a: 'long', b: 'x' }, { a: 'long', b: 'y' })).toEqual({
      errors: [],
      warnings: [error],
    });
    expect(report(schema, { a: 'long' }, { a: 'other' })).toEqual({ errors: [error], warnings: [] });
  });

  test('is an error if the rule uses the old value', () => {
    const once = { ...text, ...rules({ rule: "self == oldSelf && self != 'long'", message: 'no' }) };
    const schema = { type: 'object', properties: { a: once } };
    expect(errorsOf(schema, { a: 'long' }, { a: 'long' })).toEqual(['spec.a: Invalid value: "long": no']);
  });

  test('is the whole list, if its items cannot be correlated', () => {
    const schema = { type: 'object', properties: { l: { type: 'array', items: short }, b: text } };
    expect(report(schema, { l: ['long'], b: 'x' }, { l: ['long'] })).toEqual({
      errors: [],
      warnings: ['spec.l[0]: Invalid value: "long": too long'],
    });
    expect(errorsOf(schema, { l: ['long', 'x'] }, { l: ['long'] })).toEqual([
      'spec.l[0]: Invalid value: "long": too long',
    ]);
  });
});

describe('without CRDValidationRatcheting', () => {
  const gates = { ...defaultFeatureGates(), CRDValidationRatcheting: false };

  test('unchanged values and map keys are errors', () => {
    const short = rules({ rule: 'self.size() < 3', message: 'too long' });
    const keys = { additionalProperties: text, 'x-kubernetes-property-names': { ...text, ...short } };
    const schema = {
      type: 'object',
      properties: { a: { ...text, ...short }, m: { type: 'object', ...keys } },
    };
    const same = { a: 'long', m: { long: '' } };
    expect(report(schema, same, same, gates)).toEqual({
      errors: ['spec.a: Invalid value: "long": too long', 'spec.m: Invalid value: "long": too long'],
      warnings: [],
    });
  });

  test('a transition rule does not run on new values, optional or not', () => {
    const first = { rule: 'oldSelf.hasValue() || self == 1', optionalOldSelf: true };
    const schema = { type: 'object', properties: { n: { ...integer, ...rules(first) } } };
    expect(errorsOf(schema, { n: 2 }, undefined, gates)).toEqual([]);
    expect(errorsOf(schema, { n: 2 })).toEqual([`spec.n: Invalid value: 2: failed rule: ${first.rule}`]);
  });
});

describe('the keys of a map', () => {
  const map: JsonObject = {
    type: 'object',
    'x-kubernetes-property-names': {
      ...text,
      ...rules({ rule: "self.startsWith('x-')", message: 'wants x-' }),
    },
    additionalProperties: integer,
  };

  test('are self, and errors are reported at the map', () => {
    expect(errorsOf(map, { 'x-a': 1, b: 2 })).toEqual(['spec: Invalid value: "b": wants x-']);
  });

  test('of the old map get a warning', () => {
    expect(report(map, { b: 3, c: 1 }, { b: 2 })).toEqual({
      errors: ['spec: Invalid value: "c": wants x-'],
      warnings: ['spec: Invalid value: "b": wants x-'],
    });
  });
});

describe('self', () => {
  const check = (properties: JsonObject, rule: string, value: JsonObject): string[] =>
    errorsOf(objectWith(properties, { rule }), value);

  test.each<[string, JsonObject, string, JsonObject]>([
    [
      'names are escaped',
      { 'a-b.c/d__e': text },
      "self.a__dash__b__dot__c__slash__d__underscores__e == 'x'",
      { 'a-b.c/d__e': 'x' },
    ],
    [
      'reserved words too',
      { in: text, namespace: text },
      'self.__in__ == self.__namespace__',
      { in: 'x', namespace: 'x' },
    ],
    ['bytes', { b: { ...text, format: 'byte' } }, "self.b == b'hi'", { b: 'aGk=' }],
    ['dates', { d: { ...text, format: 'date' } }, 'self.d.getFullYear() == 2024', { d: '2024-02-29' }],
    [
      'times',
      { d: { ...text, format: 'date-time' } },
      "self.d > timestamp('2020-01-01T00:00:00Z')",
      { d: '2024-02-29T00:00:00Z' },
    ],
    ['durations', { d: { ...text, format: 'duration' } }, "self.d < duration('2h')", { d: '90m' }],
    [
      'other formats are text',
      { d: { ...text, format: 'uuid' } },
      'self.d.size() == 36',
      { d: '123e4567-e89b-12d3-a456-426614174000' },
    ],
    [
      'int or string',
      { p: { 'x-kubernetes-int-or-string': true } },
      'type(self.p) == int ? self.p > 1 : self.p == "a"',
      { p: 2 },
    ],
    ['numbers are doubles', { n: { type: 'number' } }, 'self.n == 2.0', { n: 2 }],
    [
      'sets have no order',
      { l: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } },
      "self.l == ['b', 'a']",
      { l: ['a', 'b'] },
    ],
    [
      'keys may be anything',
      { m: { type: 'object', additionalProperties: text } },
      "self.m['__proto__'] == 'x'",
      { m: JSON.parse('{"__proto__":"x"}') },
    ],
    [
      'embedded resources have names',
      {
        e: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
      "self.e.kind == 'Pod' && self.e.metadata.name == 'x'",
      { e: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, other: 1 } },
    ],
  ])('%s', (_, properties, rule, value) => {
    expect(check(properties, rule, value)).toEqual([]);
  });

  test('does not contain undeclared fields', () => {
    const properties = { p: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    expect(check(properties, 'has(self.p.x)', { p: { x: 1 } })[0]).toContain("undefined field 'x'");
  });
});
