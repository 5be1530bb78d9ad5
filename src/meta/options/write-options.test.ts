import { describe, expect, test } from 'vitest';
import { StatusError } from '../refusal/status.ts';
import { parseIncludeObject } from './table-options.ts';
import { parseCreateOptions, parsePatchOptions, parseUpdateOptions } from './write-options.ts';

const create = (query: string) => parseCreateOptions(new URLSearchParams(query));
const update = (query: string) => parseUpdateOptions(new URLSearchParams(query));
const patch = (query: string) => parsePatchOptions(new URLSearchParams(query), { isApply: false });
const apply = (query: string) => parsePatchOptions(new URLSearchParams(query), { isApply: true });

function refusal(parse: () => unknown) {
  try {
    parse();
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('create and update options', () => {
  test.each([
    ['', { dryRun: false, fieldManager: '', fieldValidation: 'Warn' }],
    ['fieldValidation=', { dryRun: false, fieldManager: '', fieldValidation: 'Warn' }],
    [
      'dryRun=All&dryRun=All&fieldManager=me&fieldValidation=Strict',
      { dryRun: true, fieldManager: 'me', fieldValidation: 'Strict', sentFieldValidation: 'Strict' },
    ],
  ])('%j', (query, expected) => {
    expect(create(query)).toEqual(expected);
    expect(update(query)).toEqual(expected);
  });

  test.each([
    ['dryRun=', 'dryRun: Unsupported value: [""]: supported values: "All"'],
    ['dryRun=All&dryRun=x', 'dryRun: Unsupported value: ["All","x"]: supported values: "All"'],
    [
      'fieldValidation=strict',
      'fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    [`fieldManager=${'é'.repeat(65)}`, 'fieldManager: Too long: may not be more than 128 bytes'],
    ['fieldManager=é%0A', 'fieldManager: Invalid value: "é\\n": invalid character U+000A (at position 2)'],
  ])('%j is refused', (query, text) => {
    expect(refusal(() => create(query))).toBe(`422 CreateOptions.meta.k8s.io "" is invalid: ${text}`);
    expect(refusal(() => update(query))).toBe(`422 UpdateOptions.meta.k8s.io "" is invalid: ${text}`);
  });
});

describe('patch options', () => {
  test('an apply names its manager and may be forced', () => {
    expect(apply('fieldManager=me&force=1')).toEqual({
      dryRun: false,
      fieldManager: 'me',
      fieldValidation: 'Warn',
      force: true,
    });
    expect(patch('')).toEqual({ dryRun: false, fieldManager: '', fieldValidation: 'Warn', force: false });
  });

  test.each([
    [apply, '', 'fieldManager: Required value: is required for apply patch'],
    [patch, 'force=false', 'force: Forbidden: may not be specified for non-apply patch'],
    [
      patch,
      'force=1&dryRun=x',
      '[force: Forbidden: may not be specified for non-apply patch, dryRun: Unsupported value: ["x"]: supported values: "All"]',
    ],
  ])('%# is refused', (parse, query, text) =>
    expect(refusal(() => parse(query))).toBe(`422 PatchOptions.meta.k8s.io "" is invalid: ${text}`),
  );
});

describe('includeObject', () => {
  const includeObject = (query: string) => parseIncludeObject(new URLSearchParams(query));

  test.each([
    ['', 'Metadata'],
    ['includeObject=', 'Metadata'],
    ['includeObject=None', 'None'],
    ['includeObject=Object', 'Object'],
  ])('%j: %s', (query, expected) => expect(includeObject(query)).toBe(expected));

  test('anything else is refused', () => {
    expect(refusal(() => includeObject('includeObject=x'))).toBe(
      `400 Unable to convert to Table as requested: includeObject: Invalid value: "x": must be 'Metadata', 'Object', 'None', or empty`,
    );
  });
});
