import { expect, test } from 'vitest';
import { fieldErrorText, invalid, type JsonObject } from '../../meta/index.ts';
import { fieldChangeErrors, fieldRuleErrors, type KindRule } from './field-rules.ts';

const rules: readonly KindRule[] = [
  { path: 'spec.controller', required: true, immutable: true },
  { path: 'type', required: true, oneOf: ['A', 'B'] },
  { path: 'policy', oneOf: ['Delete', 'Retain'], immutable: true },
];

const errors = (object: JsonObject) => fieldRuleErrors(rules, object).map(fieldErrorText);
const changes = (object: JsonObject, old: JsonObject) =>
  fieldChangeErrors(rules, object, old).map(fieldErrorText);

test('a field that is required must be there and not empty', () => {
  expect(errors({ type: 'A', spec: { controller: 'example.com/c' } })).toEqual([]);
  expect(errors({})).toEqual(['spec.controller: Required value', 'type: Required value']);
  expect(errors({ type: '', spec: { controller: '' } })).toEqual([
    'spec.controller: Required value',
    'type: Required value',
  ]);
});

test('a field has one of the values, or none where it is not required', () => {
  expect(errors({ type: 'C', policy: 'Keep', spec: { controller: 'c' } })).toEqual([
    'type: Unsupported value: "C": supported values: "A", "B"',
    'policy: Unsupported value: "Keep": supported values: "Delete", "Retain"',
  ]);
});

test('an immutable field stays as it is, also absent', () => {
  const old = { spec: { controller: 'c' }, policy: 'Delete' };
  expect(changes({ spec: { controller: 'c' }, policy: 'Delete', type: 'B' }, old)).toEqual([]);
  expect(changes({ spec: { controller: 'd' } }, old)).toEqual([
    'spec.controller: Invalid value: "d": field is immutable',
    'policy: Invalid value: null: field is immutable',
  ]);
});

test('numbers have a bound, and code stands among the rows in its place', () => {
  const mixed: readonly KindRule[] = [
    { path: 'replicas', min: 0 },
    () => [invalid('name', 'x', 'said by code')],
    { path: 'seconds', above: 0 },
    { path: 'list', required: 'at least one is required' },
  ];
  const texts = (object: JsonObject) => fieldRuleErrors(mixed, object).map(fieldErrorText);
  const code = 'name: Invalid value: "x": said by code';
  expect(texts({ replicas: 0, seconds: 1, list: [1] })).toEqual([code]);
  expect(texts({ replicas: -1n, seconds: 0, list: [] })).toEqual([
    'replicas: Invalid value: -1: must be greater than or equal to 0',
    code,
    'seconds: Invalid value: 0: must be greater than 0',
    'list: Required value: at least one is required',
  ]);
  expect(texts({ list: { a: 1 } })).toEqual([code]);
});

test('a change may be forbidden in words of its own', () => {
  const rows = [{ path: 'value', immutable: 'may not be changed in an update.' }];
  expect(fieldChangeErrors(rows, { value: 2 }, { value: 1 }).map(fieldErrorText)).toEqual([
    'value: Forbidden: may not be changed in an update.',
  ]);
});
