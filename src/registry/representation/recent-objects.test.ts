import { expect, test } from 'vitest';
import { RecentObjects } from './recent-objects.ts';

const object = (name: string) => ({ metadata: { name } });
const namesOf = (recent: RecentObjects, revisions: readonly number[]) =>
  revisions.map((revision) => recent.get(revision)?.['metadata']).map((metadata) => JSON.stringify(metadata));

test('what was written is there until it is written again', () => {
  const recent = new RecentObjects(100);
  const first = object('a');
  recent.put(5, first, { bytes: 40, replaces: 4 });
  expect(recent.get(5)).toBe(first);
  recent.put(7, object('a2'), { bytes: 40, replaces: 5 });
  expect([recent.get(5), recent.get(7)]).toEqual([undefined, object('a2')]);
});

test('beyond the limit, the least recently used objects are removed', () => {
  const recent = new RecentObjects(100);
  for (const revision of [1, 2, 3]) recent.put(revision, object(`r${revision}`), { bytes: 30, replaces: 0 });
  recent.get(1);
  recent.put(4, object('r4'), { bytes: 30, replaces: 0 });
  expect(namesOf(recent, [1, 2, 3, 4])).toEqual([
    '{"name":"r1"}',
    undefined,
    '{"name":"r3"}',
    '{"name":"r4"}',
  ]);
});

test('one that is too large for all the room is not kept, and takes none along', () => {
  const recent = new RecentObjects(100);
  recent.put(1, object('a'), { bytes: 30, replaces: 0 });
  recent.put(2, object('b'), { bytes: 101, replaces: 0 });
  expect(namesOf(recent, [1, 2])).toEqual(['{"name":"a"}', undefined]);
  recent.put(3, object('b'), { bytes: 101, replaces: 1 });
  expect(namesOf(recent, [1, 3])).toEqual([undefined, undefined]);
});

test('what was deleted makes room', () => {
  const recent = new RecentObjects(100);
  for (const revision of [1, 2]) recent.put(revision, object(`r${revision}`), { bytes: 50, replaces: 0 });
  recent.forget(2);
  recent.forget(2);
  recent.put(3, object('r3'), { bytes: 50, replaces: 0 });
  expect(namesOf(recent, [1, 2, 3])).toEqual(['{"name":"r1"}', undefined, '{"name":"r3"}']);
});
