import { expect, test } from 'vitest';
import { fieldErrorText, type JsonObject } from '../../meta/index.ts';
import { type FieldRule, fieldChangeErrors, fieldRuleErrors } from './field-rules.ts';

const rules: readonly FieldRule[] = [
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
