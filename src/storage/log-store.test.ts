import { expect, test } from 'vitest';
import { maxQueuedEvents } from './log-watch.ts';
import { createMemoryStore } from './memory/memory-store.ts';
import { prefixRange, type Store } from './store.ts';
import { failure, take, write } from './suite/context.ts';

async function writeMany(store: Store, prefix: string, count: number): Promise<number> {
  for (let index = 0; index < count; index++) await write(store, `${prefix}${index}`, 'x');
  return store.revision();
}

test('a watch that never reads keeps a bounded queue, and learns that the log has forgotten the rest', async () => {
  const store = createMemoryStore();
  const messages = store.watch(prefixRange('/a/'), { after: 1 })[Symbol.asyncIterator]();
  const head = await writeMany(store, '/a/', maxQueuedEvents + 500);
  await store.compact(head);
  expect(await take(messages, maxQueuedEvents)).toHaveLength(maxQueuedEvents);
  const error = await failure(messages.next());
  expect([error.code, error.revision, error.message]).toEqual([
    'compacted',
    head,
    `the changes after revision ${maxQueuedEvents + 1} were compacted`,
  ]);
});

test('a watch that had nothing to see was up to date, however much was compacted meanwhile', async () => {
  const store = createMemoryStore();
  const messages = store.watch(prefixRange('/a/'), { after: 1 })[Symbol.asyncIterator]();
  const quiet = await writeMany(store, '/b/', 3_000);
  await store.compact(quiet);
  await writeMany(store, '/a/', maxQueuedEvents + 500);
  const events = await take(messages, maxQueuedEvents + 500);
  expect(events.map(({ revision }) => revision - quiet)).toEqual(events.map((_, index) => index + 1));
});

test('progress that was asked for often waits as one message', async () => {
  const store = createMemoryStore();
  const watch = store.watch(prefixRange('/'), { after: 1 });
  for (let times = 0; times < 10_000; times++) watch.requestProgress();
  await write(store, '/a', 'x');
  const messages = watch[Symbol.asyncIterator]();
  expect((await messages.next()).value).toEqual({ events: [], revision: 1 });
  expect((await messages.next()).value).toMatchObject({ events: [{ key: '/a' }], revision: 2 });
});

test('watches of one range share one message', async () => {
  const store = createMemoryStore();
  const watches = [1, 2, 3].map(() => store.watch(prefixRange('/a/'), { after: 1 })[Symbol.asyncIterator]());
  await write(store, '/a/1', 'x');
  const [first, second, third] = await Promise.all(watches.map(async (watch) => (await watch.next()).value));
  expect(second).toBe(first);
  expect(third).toBe(first);
});

test('a reader of a deep past lets the loop turn between windows', async () => {
  const store = createMemoryStore();
  const end = await writeMany(store, '/b/', 10_000);
  await write(store, '/a/last', 'x');
  let turns = 0;
  const count = () => {
    turns++;
    setImmediate(count).unref();
  };
  setImmediate(count).unref();
  const [event] = await take(store.watch(prefixRange('/a/'), { after: 1 })[Symbol.asyncIterator](), 1);
  expect(event?.revision).toBe(end + 1);
  expect(turns).toBeGreaterThan(2);
});
