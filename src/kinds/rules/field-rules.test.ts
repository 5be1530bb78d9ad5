import { expect, test } from 'vitest';
import { fieldErrorText, invalid, type JsonObject } from '../../meta/index.ts';
import {
  checkBy,
  fieldChangeErrors,
  fieldRuleErrors,
  type ItemRule,
  itemRuleErrors,
  type KindRule,
} from './field-rules.ts';

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

test('a field that must be present may be empty', () => {
  const rows: readonly KindRule[] = [{ path: 'policy', present: true, oneOf: ['Fail'] }];
  const texts = (object: JsonObject) => fieldRuleErrors(rows, object).map(fieldErrorText);
  expect(texts({})).toEqual(['policy: Required value']);
  expect(texts({ policy: '' })).toEqual(['policy: Unsupported value: "": supported values: "Fail"']);
  expect(texts({ policy: 'Fail' })).toEqual([]);
});

test('numbers have a maximum or a range, with a detail of their own', () => {
  const rows: readonly KindRule[] = [
    { path: 'queues', above: 0, says: 'must be positive' },
    { path: 'queues', max: 10 },
    { path: 'percent', range: [0, 100] },
  ];
  const texts = (object: JsonObject) => fieldRuleErrors(rows, object).map(fieldErrorText);
  expect(texts({ queues: 10, percent: 100 })).toEqual([]);
  expect(texts({ queues: 0, percent: -1 })).toEqual([
    'queues: Invalid value: 0: must be positive',
    'percent: Invalid value: -1: must be between 0 and 100, inclusive',
  ]);
  expect(texts({ queues: 11, percent: 101 })).toEqual([
    'queues: Invalid value: 11: must not be greater than 10',
    'percent: Invalid value: 101: must be between 0 and 100, inclusive',
  ]);
});

test('rows about an item have its path, and check texts that are not empty', () => {
  const rows: readonly ItemRule[] = [
    { path: 'name', required: true, check: (text) => (text.length > 3 ? ['too long', 'and bad'] : []) },
    (_item, path) => [invalid(`${path}.code`, 1, 'said by code')],
    { path: 'inner.alias', check: () => ['never right'] },
  ];
  const texts = (item: JsonObject) => itemRuleErrors(rows, item, 'list[0]').map(fieldErrorText);
  const code = 'list[0].code: Invalid value: 1: said by code';
  expect(texts({})).toEqual(['list[0].name: Required value', code]);
  expect(texts({ name: 'long', inner: { alias: 'a' } })).toEqual([
    'list[0].name: Invalid value: "long": too long',
    'list[0].name: Invalid value: "long": and bad',
    code,
    'list[0].inner.alias: Invalid value: "a": never right',
  ]);
  expect(checkBy(rows)({ name: 'a', inner: { alias: '' } }, 'list[0]').map(fieldErrorText)).toEqual([code]);
});

test('each text of a list has one of the values', () => {
  const rows: readonly KindRule[] = [{ path: 'modes', itemsOneOf: ['A', 'B'] }];
  const texts = (object: JsonObject) => fieldRuleErrors(rows, object).map(fieldErrorText);
  expect(texts({})).toEqual([]);
  expect(texts({ modes: ['A', 'C', 'B', ''] })).toEqual([
    'modes: Unsupported value: "C": supported values: "A", "B"',
    'modes: Unsupported value: "": supported values: "A", "B"',
  ]);
});

test('the length of a text is limited in bytes', () => {
  const rows: readonly KindRule[] = [{ path: 'message', maxBytes: 4 }];
  const texts = (object: JsonObject) => fieldRuleErrors(rows, object).map(fieldErrorText);
  expect(texts({ message: 'éé' })).toEqual([]);
  expect(texts({ message: 'ééé' })).toEqual(['message: Too long: may not be more than 4 bytes']);
});

test('errors about changes can have another path', () => {
  const rows: readonly KindRule[] = [{ path: 'spec.attach', immutable: true, changePath: 'spec.attached' }];
  expect(fieldChangeErrors(rows, { spec: {} }, { spec: { attach: true } }).map(fieldErrorText)).toEqual([
    'spec.attached: Invalid value: null: field is immutable',
  ]);
});
