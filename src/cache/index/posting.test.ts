import { describe, expect, test } from 'vitest';
import { randomFrom } from '../random.test-support.ts';
import type { KeyCursor } from './key-cursor.ts';
import { IntersectionCursor, UnionCursor } from './joined-cursors.ts';
import { countKeys, cursorOver, KeyTree, type Posting, withKey, withoutKey } from './posting.ts';

const owner = {};
const keysOf = (count: number, step = 1) =>
  Array.from({ length: count }, (_, index) => String(index * step).padStart(4, '0'));
const postingOf = (keys: readonly string[]): Posting => {
  let posting: Posting | undefined;
  for (const key of keys) posting = withKey(posting, key, owner);
  if (posting === undefined) throw new Error('no keys');
  return posting;
};
const walk = (cursor: KeyCursor): string[] => {
  const keys: string[] = [];
  for (; cursor.key !== undefined; cursor.next()) keys.push(cursor.key);
  return keys;
};
const all = (posting: Posting) => walk(cursorOver(posting, '', '~'));

describe('the keys of a value', () => {
  test('one is itself, a few are a list, many are a tree, and back', () => {
    const shapes = [1, 2, 32, 33].map((count) => {
      const posting = postingOf(keysOf(count));
      return posting instanceof KeyTree ? 'tree' : Array.isArray(posting) ? 'list' : posting;
    });
    expect(shapes).toEqual(['0000', 'list', 'list', 'tree']);
    let posting: Posting | undefined = postingOf(keysOf(33));
    const shrunk: string[] = [];
    for (const key of keysOf(33)) {
      posting = posting && withoutKey(posting, key, owner);
      shrunk.push(posting instanceof KeyTree ? 'tree' : Array.isArray(posting) ? 'list' : String(posting));
    }
    expect(shrunk.filter((shape, at) => shape !== shrunk[at - 1])).toEqual([
      'tree',
      'list',
      '0032',
      'undefined',
    ]);
  });

  test('a copy does not see what its original becomes', () => {
    const old = postingOf(keysOf(100));
    const now = withoutKey(withKey(old, '5000', {}), '0007', {});
    expect(all(old)).toEqual(keysOf(100));
    expect(now && all(now)).toEqual([...keysOf(100).filter((key) => key !== '0007'), '5000']);
  });

  test.each([5, 500])('parts of %i keys: counted and walked', (count) => {
    const posting = postingOf(keysOf(count, 2));
    for (const [start, end] of [
      ['', '~'],
      ['0002', '0006'],
      ['0003', '0005'],
      ['0003', '0003'],
      ['0006', '0002'],
      ['0008', '~'],
      ['~', '~~'],
    ] as const) {
      const expected = keysOf(count, 2).filter((key) => key >= start && key < end);
      expect(walk(cursorOver(posting, start, end))).toEqual(expected);
      expect(countKeys(posting, start, end)).toBe(expected.length);
    }
  });

  test('leaps go where steps would have gone', () => {
    const random = randomFrom(1);
    for (const count of [3, 30, 3_000]) {
      const keys = keysOf(count, 3);
      for (let round = 0; round < 50; round += 1) {
        const cursor = cursorOver(postingOf(keys), '', '~');
        let at = 0;
        while (cursor.key !== undefined) {
          expect(cursor.key).toBe(keys[at]);
          if (random.below(2) === 0) {
            cursor.next();
            at += 1;
          } else {
            const target = String(at * 3 + random.below(count)).padStart(4, '0');
            cursor.seek(target);
            while ((keys[at] ?? '~') < target) at += 1;
          }
        }
        expect(keys[at]).toBeUndefined();
      }
    }
  });
});

describe('cursors together', () => {
  const random = randomFrom(2);
  const sets = Array.from({ length: 60 }, () =>
    Array.from({ length: 1 + random.below(5) }, () => {
      const share = random.of([2, 3, 10, 50]);
      return keysOf(1_000).filter(() => random.below(share) === 0);
    }),
  );
  const cursors = (lists: readonly (readonly string[])[]) =>
    lists.filter((keys) => keys.length > 0).map((keys) => cursorOver(postingOf(keys), '', '~'));

  test('what all have', () => {
    for (const lists of sets) {
      if (lists.some((keys) => keys.length === 0)) continue;
      const expected = keysOf(1_000).filter((key) => lists.every((keys) => keys.includes(key)));
      expect(walk(new IntersectionCursor(cursors(lists)))).toEqual(expected);
    }
  });

  test('what any has, once', () => {
    for (const lists of sets) {
      const expected = keysOf(1_000).filter((key) => lists.some((keys) => keys.includes(key)));
      expect(walk(new UnionCursor(cursors(lists)))).toEqual(expected);
    }
  });

  test('unions within an intersection leap too', () => {
    for (const lists of sets) {
      const halves = [lists.slice(0, 2), lists.slice(1)].filter((half) => half.length > 0);
      const expected = keysOf(1_000).filter((key) =>
        halves.every((half) => half.some((keys) => keys.includes(key))),
      );
      const unions = halves.map((half) => new UnionCursor(cursors(half)));
      expect(walk(new IntersectionCursor(unions))).toEqual(expected);
      const leaper = new UnionCursor(cursors(lists));
      const some = keysOf(1_000).filter((key) => lists.some((keys) => keys.includes(key)));
      for (let at = 0; at < 1_000; at += 37) {
        const target = String(at).padStart(4, '0');
        leaper.seek(target);
        expect(leaper.key).toBe(some.find((key) => key >= target));
      }
    }
  });

  test('of nothing', () => {
    expect(new UnionCursor([]).key).toBeUndefined();
    expect(new IntersectionCursor([]).key).toBeUndefined();
  });
});
