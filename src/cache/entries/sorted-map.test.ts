import { expect, test } from 'vitest';
import { countRange, emptySortedMap, type SortedMap } from './sorted-map.ts';
import { randomFrom } from '../random.test-support.ts';

const counted = (map: SortedMap<number>, start: string, end: string) => {
  let count = 0;
  map.forRange(start, end, false, () => {
    count += 1;
    return undefined;
  });
  return count;
};

test('counts of ranges hold through writes, deletes and copies', () => {
  const random = randomFrom(7);
  const key = () => `k${random.below(3_000)}`;
  let map = emptySortedMap<number>();
  const copies: { readonly map: SortedMap<number>; readonly size: number }[] = [];
  for (let step = 0; step < 20_000; step += 1) {
    if (random.below(3) === 0) map.delete(key());
    else map.set(key(), step);
    if (step % 1_000 === 0) {
      copies.push({ map, size: map.size });
      map = map.clone();
    }
    if (step % 50 !== 0) continue;
    const [start, end] = [key(), key()];
    expect(countRange(map, start, end)).toBe(start < end ? counted(map, start, end) : 0);
  }
  for (const { map: copy, size } of copies) expect(countRange(copy, '', '~')).toBe(size);
});

test('a range may begin before the first key and end after the last', () => {
  const map = emptySortedMap<number>();
  expect(countRange(map, 'a', 'z')).toBe(0);
  for (const key of ['b', 'd', 'f']) map.set(key, 1);
  expect([
    countRange(map, 'a', 'z'),
    countRange(map, 'b', 'f'),
    countRange(map, 'c', 'e'),
    countRange(map, 'g', 'z'),
    countRange(map, 'f', 'b'),
  ]).toEqual([3, 2, 1, 0, 0]);
});
