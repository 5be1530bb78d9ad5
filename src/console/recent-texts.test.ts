import { expect, test } from 'vitest';
import { RecentTexts } from './recent-texts.ts';

test('keeps the last texts, up to a count and a total size', () => {
  const recent = new RecentTexts({ count: 3, chars: 10 });
  const texts = () => recent.list().texts.map(({ text }) => text);
  for (const text of ['a', 'b', 'c', 'd']) recent.add(text, 0);
  expect(texts()).toEqual(['b', 'c', 'd']);
  recent.add('x'.repeat(11), 0);
  expect(texts()).toEqual(['b', 'c', 'd']);
  recent.add('y'.repeat(9), 7);
  expect(recent.list()).toEqual({
    texts: [
      { text: 'd', atMs: 0 },
      { text: 'y'.repeat(9), atMs: 7 },
    ],
    total: 6,
  });
});
