import { describe, expect, test } from 'vitest';
import { fieldErrorText } from '../refusal/field-error.ts';
import { fieldManagerErrors, fieldManagerFromUserAgent } from './field-manager.ts';

const errors = (manager: string) => fieldManagerErrors('fieldManager', manager).map(fieldErrorText);

describe('a field manager', () => {
  test.each<[string, string[]]>([
    ['', []],
    ['kubectl-client-side-apply', []],
    ['日本 語', []],
    ['a'.repeat(128), []],
    ['a'.repeat(129), ['fieldManager: Too long: may not be more than 128 bytes']],
    ['\n'.repeat(1_000_000), ['fieldManager: Too long: may not be more than 128 bytes']],
    [
      '\u00a0é\u200b',
      [
        'fieldManager: Invalid value: "\\u00a0é\\u200b": invalid character U+00A0 (at position 0)',
        'fieldManager: Invalid value: "\\u00a0é\\u200b": invalid character U+200B (at position 4)',
      ],
    ],
  ])('%#', (manager, expected) => expect(errors(manager)).toEqual(expected));
});

describe('the User-Agent as a field manager', () => {
  test.each([
    ['kubectl/v1.30.0 (linux/amd64)', 'kubectl'],
    ['curl', 'curl'],
    ['', ''],
    ['/x', ''],
    ['a\tb\u0000c/1', 'abc'],
    [`${'a'.repeat(127)}é`, 'a'.repeat(127)],
    [`${'a'.repeat(126)}éz`, `${'a'.repeat(126)}é`],
  ])('%j', (userAgent, manager) => expect(fieldManagerFromUserAgent(userAgent)).toBe(manager));
});
