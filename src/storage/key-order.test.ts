import { expect, test } from 'vitest';
import { isKey, sortKey } from './key-order.ts';
import { prefixRange } from './store.ts';

const keys = [
  '',
  '/',
  '/a',
  '/a\0',
  '/a/',
  '/a0',
  '/aé',
  '/a\ud7ff',
  '/a\ue000',
  '/a\ufffd',
  '/a\uffff',
  '/a😀',
  '/a\u{10ffff}',
];

test('sort keys stand in the order of the UTF-8 bytes', () => {
  const byBytes = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(byBytes).toEqual(keys);
  expect([...keys].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))).toEqual(keys);
});

test('a key is not empty and has no NUL and no half of a pair', () => {
  expect(['/a', 'é😀'].map(isKey)).toEqual([true, true]);
  expect(['', 'a\0', '\ud800', 'a\udc00b'].map(isKey)).toEqual([false, false, false, false]);
});

test('the range of a prefix ends where the prefix ends', () => {
  expect(prefixRange('/a/')).toEqual({ start: '/a/', end: '/a0' });
  expect(prefixRange('/\ud7ff')).toEqual({ start: '/\ud7ff', end: '/\ue000' });
  expect(prefixRange('/a\u{10ffff}')).toEqual({ start: '/a\u{10ffff}', end: '/b' });
  expect(prefixRange('/😀')).toEqual({ start: '/😀', end: '/😁' });
});

test('the range of the empty prefix has every key', () => {
  const { start, end } = prefixRange('');
  expect(keys.every((key) => sortKey(start) <= sortKey(key) && sortKey(key) < sortKey(end))).toBe(true);
});
