import { expect, test } from 'vitest';
import { checkHistory } from './check-history.ts';
import type { Change, History, Read, Seen, Watching, Write } from './history.ts';

const changes: Change[] = [
  { revision: 2, name: 'a', value: 1, previous: 0 },
  { revision: 4, name: 'a', value: 2, previous: 2 },
  { revision: 5, name: 'b', value: 3, previous: 0 },
  { revision: 7, name: 'a', value: undefined, previous: 4 },
  { revision: 8, name: 'a', value: 4, previous: 0 },
];

function write(index: number, more: Partial<Write> = {}): Write {
  const { name, value, previous, revision } = changes[index] as Change; // the tests below stay within it
  const kind = value === undefined ? 'delete' : previous === 0 ? 'create' : 'update';
  return {
    name,
    kind,
    base: previous,
    value,
    startedMs: index * 10,
    endedMs: index * 10 + 5,
    outcome: 'ok',
    revision: value === undefined ? undefined : revision,
    ...more,
  };
}

const writes = changes.map((_, index) => write(index));
const lines: Seen[] = [
  { type: 'MODIFIED', revision: 4, name: 'a', value: 2 },
  { type: 'ADDED', revision: 5, name: 'b', value: 3 },
  { type: 'DELETED', revision: 7, name: 'a', value: 2 },
  { type: 'ADDED', revision: 8, name: 'a', value: 4 },
];
const watching = (seen: readonly Seen[], more: Partial<Watching> = {}): Watching => ({
  listedAt: 3,
  listed: new Map([['a', { revision: 2, value: 1 }]]),
  seen,
  toTheEnd: true,
  ...more,
});
const read = (revision: number, value: number | undefined, startedMs: number): Read => ({
  name: 'a',
  revision,
  value,
  startedMs,
  endedMs: startedMs + 1,
});

const check = (more: Partial<History>) =>
  checkHistory({ writes, reads: [], watchings: [], changes, ...more });
const bookmark = (revision: number): Seen => ({ type: 'BOOKMARK', revision, name: '', value: undefined });

test('a history that keeps every promise', () => {
  const reads = [
    read(0, undefined, -1),
    read(2, 1, 6),
    read(2, 1, 14),
    read(4, 2, 16),
    read(0, undefined, 36),
    read(8, 4, 46),
  ];
  const [one, two, ...rest] = lines as [Seen, Seen, ...Seen[]];
  const watchings = [watching(lines), watching([one, bookmark(4), two, bookmark(6), ...rest, bookmark(9)])];
  expect(check({ reads, watchings })).toEqual([]);
});

test('an acknowledged write that is not there', () => {
  const lost = write(4, { value: 9, revision: 9, startedMs: 60, endedMs: 61 });
  expect(check({ writes: [...writes, lost] })).toEqual(['lost write: create a = 9 was acknowledged at 9']);
  const undeleted = write(3, { base: 8, startedMs: 60, endedMs: 61 });
  expect(check({ writes: [...writes, undeleted] })).toEqual(['lost write: delete a of 8 was acknowledged']);
});

test('an acknowledged write that is elsewhere', () => {
  expect(check({ writes: writes.with(4, write(4, { revision: 9 })) })).toEqual([
    'create a = 4 was acknowledged at 9, and happened at 8',
  ]);
  expect(check({ writes: writes.with(1, write(1, { base: 1 })) })).toEqual([
    'update a = 2 on 1 became a = 2 at 4',
  ]);
});

test('a write that was refused and happened, or was unknown and happened twice', () => {
  expect(check({ writes: writes.with(4, write(4, { outcome: 'refused', revision: undefined })) })).toEqual([
    'create a = 4 was refused, and happened at 8',
  ]);
  const twice = [...changes, { revision: 9, name: 'a', value: 4, previous: 8 }];
  const unknown = write(4, { outcome: 'unknown', revision: undefined });
  expect(check({ writes: writes.with(4, unknown) })).toEqual([]);
  expect(check({ writes: writes.with(4, unknown), changes: twice })).toEqual([
    'create a = 4 happened 2 times',
  ]);
});

test('an update that overwrites one it has not seen', () => {
  const blind = [...changes, { revision: 9, name: 'b', value: 10, previous: 1 }];
  const update = write(2, { kind: 'update', base: 1, value: 10, revision: 9, startedMs: 60, endedMs: 61 });
  expect(check({ changes: blind, writes: [...writes, update] })).toEqual([
    'lost update: b = 10 at 9 replaced 1, and there was 5',
  ]);
});

test('a change without a request', () => {
  expect(check({ writes: writes.slice(0, 4) })).toEqual(['nobody asked for a = 4 at 8']);
});

test('a later write with a smaller revision', () => {
  expect(check({ writes: writes.with(1, write(1, { startedMs: 26, endedMs: 27 })) })).toEqual([
    'update a began after 5 was acknowledged, and got 4',
  ]);
});

test('a stale read, and one of what never was', () => {
  expect(check({ reads: [read(2, 1, 26)] })).toEqual([
    'read a: stale: 2, replaced by 4, though 5 was acknowledged',
  ]);
  expect(check({ reads: [read(0, undefined, 60)] })).toEqual([
    'read a: nothing was there, though 8 was acknowledged',
  ]);
  expect(check({ reads: [read(8, 4, 41), read(0, undefined, 43)] })).toEqual([
    'read a: nothing was there, though 8 was acknowledged',
  ]);
  expect(check({ reads: [read(4, 3, 16)] })).toEqual(['read a: 3 at 4 never was']);
});

test('a watch that misses, repeats, reorders, invents or ends early', () => {
  const [one, two, three, four] = lines as [Seen, Seen, Seen, Seen];
  const found = (seen: Seen[]) => check({ watchings: [watching(seen)] });
  expect(found([one, three, four])).toEqual(['a watch from 3 had DELETED a = 2 at 7, not ADDED b = 3 at 5']);
  expect(found([one, one, two])).toEqual(['a watch from 3 had MODIFIED a = 2 at 4, not ADDED b = 3 at 5']);
  expect(found([two, one])).toEqual(['a watch from 3 had ADDED b = 3 at 5, not MODIFIED a = 2 at 4']);
  expect(found([one, { ...two, type: 'MODIFIED' }])).toHaveLength(1);
  expect(found([one, two, { ...three, value: 1 }])).toHaveLength(1);
  expect(found([one, two, three])).toEqual(['a watch from 3 never had ADDED a = 4 at 8']);
  expect(check({ watchings: [watching([one], { toTheEnd: false })] })).toEqual([]);
  expect(found([one, bookmark(5), two, three, four])).toEqual(['bookmark 5 before the event of 5']);
});

test('a list of what was not', () => {
  const listed = new Map([['a', { revision: 4, value: 2 }]]);
  expect(check({ watchings: [watching(lines, { listed })] })).toEqual([
    'a list at 3 had a = 2 of 4, not 1 of 2',
  ]);
});
