import { describe, expect, test } from 'vitest';
import { defaultFeatureGates, fieldErrorText, type JsonObject } from '../meta/index.ts';
import { compileSchema } from './index.ts';

const gates = defaultFeatureGates();

/** The errors of an update by a schema of spec. */
function update(schema: JsonObject, from: JsonObject, to: JsonObject, states = gates): string[] {
  const compiled = compileSchema({ type: 'object', properties: { spec: schema } }, { gates: states });
  const request = { object: { spec: to }, old: { spec: from }, scope: 'object' } as const;
  return compiled.validate(request).errors.map(fieldErrorText);
}

const string = { type: 'string' };
const short = { type: 'string', maxLength: 1 };
const tooLongAt = (path: string) => `${path}: Too long: may not be more than 1 byte`;
const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });
const mapList = (properties: JsonObject) => ({
  type: 'array',
  items: object({ k: string, ...properties }),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
});

describe('an update tolerates', () => {
  test('an unchanged invalid field', () => {
    const schema = object({ a: short, b: string });
    expect(update(schema, { a: 'xx', b: '1' }, { a: 'xx', b: '2' })).toEqual([]);
    expect(update(schema, { a: 'xx' }, { a: 'yy' })).toEqual([tooLongAt('spec.a')]);
    expect(update(schema, {}, { a: 'xx' })).toEqual([tooLongAt('spec.a')]);
  });

  test('an unchanged invalid map entry', () => {
    const schema = object({ m: { type: 'object', additionalProperties: short } });
    expect(update(schema, { m: { x: 'xx' } }, { m: { x: 'xx', y: 'y' } })).toEqual([]);
    expect(update(schema, { m: { x: 'xx' } }, { m: { z: 'xx' } })).toEqual([tooLongAt('spec.m.z')]);
  });

  test('an invalid item of a map list, even if it moves', () => {
    const schema = object({ l: mapList({ v: short }) });
    const from = {
      l: [
        { k: '1', v: 'xx' },
        { k: '2', v: 'y' },
      ],
    };
    expect(
      update(schema, from, {
        l: [
          { k: '3', v: 'z' },
          { k: '2', v: 'y' },
          { k: '1', v: 'xx' },
        ],
      }),
    ).toEqual([]);
    expect(update(schema, from, { l: [{ k: '1', v: 'zz' }] })).toEqual([tooLongAt('spec.l[0].v')]);
    expect(update(schema, from, { l: [{ k: '3', v: 'xx' }] })).toEqual([tooLongAt('spec.l[0].v')]);
  });

  test('a failing rule of an unchanged value', () => {
    const schema = object({ o: object({ a: string, b: string }, { required: ['c'] }), other: string });
    expect(update(schema, { o: { a: '1' } }, { o: { a: '1' }, other: 'x' })).toEqual([]);
    expect(update(schema, { o: { a: '1' } }, { o: { a: '2' } })).toEqual(['spec.o.c: Required value']);
  });

  test('an unchanged atomic list', () => {
    const schema = object({ l: { type: 'array', items: short }, other: string });
    expect(update(schema, { l: ['xx'] }, { l: ['xx'], other: 'x' })).toEqual([]);
    expect(update(schema, { l: ['xx'] }, { l: ['xx', 'y'] })).toEqual([tooLongAt('spec.l[0]')]);
  });

  test('duplicates, if there were any before', () => {
    const set = { type: 'array', items: string, 'x-kubernetes-list-type': 'set' };
    const schema = object({ l: set, m: set });
    expect(update(schema, { l: ['x', 'x'] }, { l: ['x', 'x'], m: ['y', 'y'] })).toEqual([]);
    expect(update(schema, { l: ['x'] }, { l: ['x', 'x'] })).toEqual(['spec.l[1]: Duplicate value: "x"']);
  });
});

describe('an update is refused for', () => {
  test('errors in branches, unless the whole value is unchanged', () => {
    const schema = object({ a: string, b: string }, { allOf: [{ properties: { a: { maxLength: 1 } } }] });
    expect(update(schema, { a: 'xx', b: '1' }, { a: 'xx', b: '1' })).toEqual([]);
    expect(update(schema, { a: 'xx', b: '1' }, { a: 'xx', b: '2' })).toEqual([
      tooLongAt('spec.a'),
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ]);
  });

  test('invalid apiVersion and kind, which conversion makes equal', () => {
    const schema = object({ kind: { ...string, enum: ['Other'] }, spec: string });
    const [old, changed] = [
      { kind: 'Widget', spec: '1' },
      { kind: 'Widget', spec: '2' },
    ];
    const { errors } = compileSchema(schema, { gates }).validate({ object: changed, old, scope: 'object' });
    expect(errors.map(fieldErrorText)).toEqual([
      'kind: Unsupported value: "Widget": supported values: "Other"',
    ]);
  });

  test('objects with undeclared fields', () => {
    const schema = object({
      o: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, maxProperties: 1 },
    });
    const same = { o: { a: 1, b: 2 } };
    expect(update(schema, same, same)).toEqual(['spec.o: Too many: 2: must have at most 1 item']);
  });
});

test('changes of the status on /status', () => {
  const schema = object({ status: object({ a: short, b: string }) });
  const compiled = compileSchema(schema, { gates });
  const old = { status: { a: 'xx' } };
  const validate = (status: JsonObject) =>
    compiled.validate({ object: { status }, old, scope: 'status' }).errors.map(fieldErrorText);
  expect(validate({ a: 'xx', b: '1' })).toEqual([]);
  expect(validate({ a: 'yy' })).toEqual([tooLongAt('status.a')]);
});

test('without CRDValidationRatcheting only existing duplicates are tolerated', () => {
  const set = { type: 'array', items: string, 'x-kubernetes-list-type': 'set' };
  const schema = object({ a: short, m: { type: 'object', additionalProperties: short }, l: set });
  const same = { a: 'xx', m: { x: 'xx' }, l: ['y', 'y'] };
  expect(update(schema, same, same)).toEqual([]);
  expect(update(schema, same, same, { ...gates, CRDValidationRatcheting: false })).toEqual([
    tooLongAt('spec.a'),
    tooLongAt('spec.m.x'),
  ]);
});

test('an old object of another shape has no effect', () => {
  const schema = object({ a: short, l: mapList({ v: short }), o: object({ x: short }) });
  const to = { a: 'xx', l: [{ k: '1', v: 'xx' }], o: { x: 'xx' } };
  const wrong = [tooLongAt('spec.a'), tooLongAt('spec.l[0].v'), tooLongAt('spec.o.x')];
  expect(update(schema, { a: {}, l: 'x', o: [] }, to)).toEqual(wrong);
  expect(update(schema, { l: [null, 1, { k: {} }, {}] }, to)).toEqual(wrong);
});
