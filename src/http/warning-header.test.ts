import { expect, test } from 'vitest';
import { warningHeaders } from './warning-header.ts';

test('escapes quotes and backslashes, and drops texts with control characters', () => {
  expect(warningHeaders(['unknown field "spec.x"', 'a\\b', 'two\nlines', ''])).toEqual([
    '299 - "unknown field \\"spec.x\\""',
    '299 - "a\\\\b"',
  ]);
});

test('truncates many long warnings, then drops them', () => {
  const headers = warningHeaders(Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(300, 'x')));
  expect(headers).toHaveLength(16);
  expect(headers[0]).toHaveLength('299 - ""'.length + 256);
});
