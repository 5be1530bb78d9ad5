import { describe, expect, test } from 'vitest';
import { declared, declaredLast } from './declared-errors.ts';
import {
  aggregateText,
  duplicate,
  type FieldError,
  fieldErrorBody,
  fieldErrorText,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './field-error.ts';
import { FieldPath } from './field-path.ts';

const path = FieldPath.of('spec', 'x');

test('errors of declared rules come last, in their order', () => {
  const errors = [declared(required('a')), required('b'), declared(required('c')), required('d')];
  expect(declaredLast(errors).map(({ field }) => field)).toEqual(['b', 'd', 'a', 'c']);
});

describe('a field error as text', () => {
  test.each<[FieldError, string]>([
    [required(path), 'spec.x: Required value'],
    [required(path, 'why'), 'spec.x: Required value: why'],
    [invalid(path, 'v', 'why'), 'spec.x: Invalid value: "v": why'],
    [invalid(path, undefined, 'why'), 'spec.x: Invalid value: null: why'],
    [invalid(path, { b: 1, a: '<' }, 'why'), 'spec.x: Invalid value: {"a":"\\u003c","b":1}: why'],
    [invalid(undefined, 1.5, 'why'), '<nil>: Invalid value: 1.5: why'],
    [invalid('plain', true, ''), 'plain: Invalid value: true'],
    [{ ...invalid(path, 'v', 'why'), valueText: '{}' }, 'spec.x: Invalid value: {}: why'],
    [typeInvalid(path, 'v', 'why'), 'spec.x: Invalid value: "v": why'],
    [duplicate(path, 'v'), 'spec.x: Duplicate value: "v"'],
    [notFound(path, 'v'), 'spec.x: Not found: "v"'],
    [forbidden(path, 'why'), 'spec.x: Forbidden: why'],
    [notSupported(path, 'v', ['a', '"']), 'spec.x: Unsupported value: "v": supported values: "a", "\\""'],
    [notSupported(path, 'v', []), 'spec.x: Unsupported value: "v"'],
    [tooLong(path, 1), 'spec.x: Too long: may not be more than 1 byte'],
    [tooLong(path, 63), 'spec.x: Too long: may not be more than 63 bytes'],
    [tooLong(path, -1), 'spec.x: Too long: value is too long'],
    [tooMany(path, 3, 2), 'spec.x: Too many: 3: must have at most 2 items'],
    [tooMany(path, 3, 1), 'spec.x: Too many: 3: must have at most 1 item'],
    [tooMany(path, -1, 2), 'spec.x: Too many: must have at most 2 items'],
    [tooMany(path, 3, -1), 'spec.x: Too many: 3: has too many items'],
  ])('%#', (error, text) => {
    expect(fieldErrorText(error)).toBe(text);
    expect(`${error.field}: ${fieldErrorBody(error)}`).toBe(text);
  });
});

describe('several field errors as one text', () => {
  const a = required('a');
  const b = required('b');

  test.each<[FieldError[], string]>([
    [[a], 'a: Required value'],
    [[a, a], 'a: Required value'],
    [[a, b, a], '[a: Required value, b: Required value]'],
  ])('%#', (errors, text) => expect(aggregateText(errors)).toBe(text));
});
