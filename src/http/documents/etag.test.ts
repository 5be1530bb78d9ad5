import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { HttpRequest } from '../message.ts';
import { contentHash, hasAlready } from './etag.ts';

test('the hash does not depend on the chunks', () => {
  const expected = createHash('sha512').update('abc').digest('hex').toUpperCase();
  expect(contentHash([Buffer.from('a'), Buffer.from('bc')])).toBe(expected);
});

test.each([
  [undefined, false],
  ['"x"', true],
  ['W/"x"', true],
  ['"y", "x"', true],
  ['*', true],
  ['"y"', false],
  ['x', false],
])('If-None-Match: %s', (tags, expected) => {
  const request: Pick<HttpRequest, 'header'> = { header: () => tags };
  expect(hasAlready(request as HttpRequest, 'x')).toBe(expected); // Only this header is read.
});
