import { expect, test } from 'vitest';
import { RecentTexts } from './recent-texts.ts';

test('keeps the last texts, up to a count and a total size', () => {
  const recent = new RecentTexts({ count: 3, chars: 10 });
  for (const text of ['a', 'b', 'c', 'd']) recent.add(text);
  expect(recent.texts).toEqual(['b', 'c', 'd']);
  recent.add('x'.repeat(11));
  expect(recent.texts).toEqual(['b', 'c', 'd']);
  recent.add('y'.repeat(9));
  expect(recent.texts).toEqual(['d', 'y'.repeat(9)]);
  expect(recent.total).toBe(6);
});
