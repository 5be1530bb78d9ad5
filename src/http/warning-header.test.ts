import { expect, test } from 'vitest';
import { warningHeaders } from './warning-header.ts';

test('quotes and backslashes are escaped, control characters silence a text', () => {
  expect(warningHeaders(['unknown field "spec.x"', 'a\\b', 'two\nlines', ''])).toEqual([
    '299 - "unknown field \\"spec.x\\""',
    '299 - "a\\\\b"',
  ]);
});

test('many long warnings are cut, then left out', () => {
  const headers = warningHeaders(Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(300, 'x')));
  expect(headers).toHaveLength(16);
  expect(headers[0]).toHaveLength('299 - ""'.length + 256);
});
