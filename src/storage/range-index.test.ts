import { expect, test } from 'vitest';
import { contains, type SortRange } from './key-order.ts';
import { RangeIndex } from './range-index.ts';
import { randomFrom } from './suite/random.ts';
import { prefixRange } from './store.ts';

const found = (index: RangeIndex<string>, key: string) =>
  [...index.at(key)].flatMap((members) => [...members]).sort();

test('a key finds the ranges it is in, and no others', () => {
  const index = new RangeIndex<string>();
  index.add(prefixRange('/'), 'all');
  index.add(prefixRange('/a/'), 'a');
  index.add(prefixRange('/a/'), 'a again');
  index.add(prefixRange('/a/x'), 'x');

  expect(found(index, '/a/x1')).toEqual(['a', 'a again', 'all', 'x']);
  expect(found(index, '/a/y')).toEqual(['a', 'a again', 'all']);
  expect(found(index, '/b')).toEqual(['all']);
  expect(found(index, 'b')).toEqual([]);
});

test('of a thousand prefixes a key meets its own', () => {
  const index = new RangeIndex<string>();
  for (let number = 0; number < 1_000; number++) index.add(prefixRange(`/${number}/`), `${number}`);
  expect([...index.at('/537/x')].map((members) => [...members])).toEqual([['537']]);
});

test('random ranges, overlapping ones too, are found as a walk over all of them finds them', () => {
  const random = randomFrom(7);
  const index = new RangeIndex<string>();
  const present = new Map<string, SortRange>();
  const letter = () => String.fromCharCode(97 + random.below(12));
  for (let step = 0; step < 3_000; step++) {
    const id = `m${random.below(30)}`;
    const known = present.get(id);
    if (known !== undefined) {
      index.delete(known, id);
      present.delete(id);
    } else {
      const range = { start: random.below(20) === 0 ? '' : letter(), end: letter() };
      index.add(range, id);
      present.set(id, range);
    }
    const key = letter();
    const expected = [...present].filter(([, range]) => contains(range, key)).map(([member]) => member);
    expect(found(index, key)).toEqual(expected.sort());
  }
  for (const [id, range] of present) index.delete(range, id);
  expect('abcdefghijkl'.split('').flatMap((key) => found(index, key))).toEqual([]);
});
