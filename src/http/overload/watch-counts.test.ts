import { expect, test } from 'vitest';
import { WatchCounts } from './watch-counts.ts';

const tooMany = (message: string) =>
  expect.objectContaining({
    code: 429,
    message,
    status: expect.objectContaining({ details: { retryAfterSeconds: 5 } }),
  });

test('limits the watches of a user; a new one is possible after one has ended', () => {
  const counts = new WatchCounts({ watchesMax: 10, watchesPerUserMax: 2 });
  const end = counts.begin('jane');
  counts.begin('jane');
  expect(() => counts.begin('jane')).toThrow(tooMany('user "jane" has 2 watches open, which is the limit'));
  counts.begin('joe');
  end();
  counts.begin('jane');
  expect(counts.families().map(({ read }) => [...read()].map(({ value }) => value))).toEqual([[3], [1]]);
});

test('limits the watches of all users together', () => {
  const counts = new WatchCounts({ watchesMax: 2, watchesPerUserMax: 2 });
  counts.begin('a');
  counts.begin('b');
  expect(() => counts.begin('c')).toThrow(tooMany('this server has 2 watches open, which is the limit'));
});
