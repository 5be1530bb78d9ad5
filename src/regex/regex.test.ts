import { expect, test } from 'vitest';
import { compileRegex, RegexSyntaxError } from './index.ts';

test('a pattern matches anywhere in the text', () => {
  expect(compileRegex('b+').test('abbbc')).toBe(true);
  expect(compileRegex('^b+$').test('abbbc')).toBe(false);
});

test('an invalid pattern is refused with the message of Go', () => {
  expect(() => compileRegex('(a')).toThrow(new RegexSyntaxError('missing closing )', '(a'));
  expect(() => compileRegex('a\\')).toThrow(
    'error parsing regexp: trailing backslash at end of expression: ``',
  );
});

test('find returns the leftmost match, findAll the successive ones', () => {
  expect(compileRegex('a|ab').find('xab')).toEqual({ start: 1, end: 2 });
  expect(compileRegex('z').find('xab')).toBeUndefined();
  expect(compileRegex('a*').findAll('baab')).toEqual([
    { start: 0, end: 0 },
    { start: 1, end: 3 },
    { start: 4, end: 4 },
  ]);
  expect(compileRegex('.').findAll('abc', 2)).toEqual([
    { start: 0, end: 1 },
    { start: 1, end: 2 },
  ]);
});
