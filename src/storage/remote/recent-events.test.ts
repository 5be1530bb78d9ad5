import { expect, test } from 'vitest';
import { prefixRange, type StoreEvent } from '../store.ts';
import { randomFrom } from '../suite/random.ts';
import { RecentEvents } from './recent-events.ts';

const usual = { windowEventsMax: 5_000, windowBytesMax: 32 * 1024 * 1024 };

const event = (key: string, revision: number, bytes = 1): StoreEvent => ({
  type: 'put',
  key,
  revision,
  value: new Uint8Array(bytes),
  previous: undefined,
});

const revisionsOf = (events: readonly StoreEvent[]) => events.map(({ revision }) => revision);

test('history has the changes of a range between two revisions', () => {
  const recent = new RecentEvents(usual);
  recent.restart(10);
  recent.add([event('/a/1', 11), event('/b/1', 12), event('/a/2', 15)], 17);
  const history = (prefix: string, after: number, upTo = 20, limit = 100) =>
    revisionsOf(recent.history(prefixRange(prefix), { after, upTo, limit }));
  expect([recent.head, recent.compacted]).toEqual([17, 11]);
  expect(history('/', 10)).toEqual([11, 12, 15]);
  expect(history('/a/', 11)).toEqual([15]);
  expect(history('/', 10, 12)).toEqual([11, 12]);
  expect(history('/', 10, 20, 2)).toEqual([11, 12]);
});

test('the changes of one revision come together, also beyond the limit', () => {
  const recent = new RecentEvents(usual);
  recent.restart(1);
  recent.add([event('/a', 2), event('/b', 2), event('/c', 2), event('/d', 3)], 3);
  expect(revisionsOf(recent.history(prefixRange('/'), { after: 1, upTo: 3, limit: 2 }))).toEqual([2, 2, 2]);
});

test.each([
  ['events', { windowEventsMax: 100 }, 1],
  ['bytes', { windowBytesMax: 1_000 }, 10],
] as const)('too many %s: the older half goes', (_, limits, bytes) => {
  const recent = new RecentEvents({ ...usual, ...limits });
  recent.restart(0);
  for (let revision = 1; revision <= 101; revision++) recent.add([event('/a', revision, bytes)], revision);
  expect([recent.compacted, recent.head]).toEqual([52, 101]);
  expect(recent.history(prefixRange('/'), { after: 51, upTo: 101, limit: 1_000 })).toHaveLength(50);
});

test('whatever was added and forgotten, what is left is what a plain list has', () => {
  const random = randomFrom(7);
  const recent = new RecentEvents({ ...usual, windowEventsMax: 60 });
  recent.restart(5);
  let all: StoreEvent[] = [];
  let head = 5;
  for (let step = 0; step < 500; step++) {
    const count = random.below(4);
    const added = Array.from({ length: count }, () => {
      head += random.below(3);
      return event(`/${random.pick(['a', 'b'])}/${random.below(5)}`, Math.max(head, 6));
    });
    head = Math.max(head, added.at(-1)?.revision ?? 0) + random.below(2);
    recent.add(added, head);
    all.push(...added);
    if (random.below(20) === 0) recent.forget(recent.compacted + random.below(10));
    all = all.filter(({ revision }) => revision >= recent.compacted);
    const after = recent.compacted - 1 + random.below(head - recent.compacted + 2);
    const upTo = after + random.below(10);
    const found = recent.history(prefixRange('/a/'), { after, upTo, limit: 1_000 });
    const expected = all.filter(
      ({ key, revision }) => key.startsWith('/a/') && revision > after && revision <= upTo,
    );
    expect(found).toEqual(expected);
  }
});
