import { expect, test } from 'vitest';
import { createMemoryStore } from '../memory/memory-store.ts';
import { prefixRange, type Store, type StoreEvent } from '../store.ts';
import { failure, take, write } from '../suite/context.ts';
import { threadLimits } from './limits.ts';
import { OwnerPort } from './owner-port.ts';
import { shareStore, type StoreShare } from './share-store.ts';
import { openSharedStore } from './shared-store.ts';
import type { PortMessage } from './wire.ts';

const everything = { range: undefined, after: 1 };

/** Counts the events that arrive on the port of a share. */
function countArrivals({ port }: StoreShare) {
  const arrived = { events: 0, bytes: 0 };
  port.on('message', ([, ...batches]: PortMessage) => {
    for (const { fields, bytes } of batches) {
      // Each event of a create has a revision, a key, no previous revision and the length of its value.
      arrived.events += (fields.length - 1) / 4;
      arrived.bytes += bytes.byteLength;
    }
  });
  return arrived;
}

async function fill(store: Store, count: number, value: string): Promise<void> {
  for (let number = 0; number < count; number += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => write(store, `/${number + index}`, value)));
}

/** A worker that has opened a stream and does not read it, while the owner writes. */
async function stalled(count: number, value: string) {
  const memory = createMemoryStore();
  const owner = shareStore(memory);
  const share = owner.share();
  const arrived = countArrivals(share);
  const port = new OwnerPort(share.port, () => {});
  const stream = port.open({ ...everything, signal: new AbortController().signal });
  await fill(owner.store, count, value);
  return { memory, owner, arrived, stream, messages: stream.messages() };
}

test('a worker that does not read is sent a bounded number of events, and reads all of them later', async () => {
  const { owner, arrived, messages } = await stalled(10_000, 'x');
  await expect.poll(() => arrived.events).toBeGreaterThan(threadLimits.unreadEventsMax);
  expect(arrived.events).toBeLessThan(threadLimits.unreadEventsMax + 1_000);
  const events: readonly StoreEvent[] = await take(messages, 10_000);
  expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index + 2));
  await owner.store.close();
  expect((await failure(messages.next())).code).toBe('closed');
});

test('the same in bytes', async () => {
  const { owner, arrived, messages } = await stalled(400, 'x'.repeat(100_000));
  await expect.poll(() => arrived.bytes).toBeGreaterThan(threadLimits.unreadBytesMax);
  expect(arrived.bytes).toBeLessThan(threadLimits.unreadBytesMax + threadLimits.pageBytesMax + 100_000);
  expect(await take(messages, 400)).toHaveLength(400);
  await owner.store.close();
});

test('a worker that stalls until its place is compacted has to start again', async () => {
  const { memory, owner, arrived, messages } = await stalled(10_000, 'x');
  await expect.poll(() => arrived.events).toBeGreaterThan(threadLimits.unreadEventsMax);
  await memory.compact(9_000);
  const read = async () => {
    for await (const _ of messages);
  };
  expect((await failure(read())).code).toBe('compacted');
  await owner.store.close();
});

test('a change reaches the watches of its range in each worker', async () => {
  const owner = shareStore(createMemoryStore());
  const stores = [openSharedStore(owner.share()), openSharedStore(owner.share())];
  const readers = stores.flatMap((store) =>
    ['/a/', '/a/', '/b/'].map((prefix) =>
      store.watch(prefixRange(prefix), { after: 1 })[Symbol.asyncIterator](),
    ),
  );
  const first = readers.map((reader) => reader.next());
  await write(stores[0] ?? owner.store, '/a/1', 'x');
  await write(owner.store, '/b/1', 'x');
  const revisions = await Promise.all(
    first.map(async (message) => (await message).value?.events[0]?.revision),
  );
  expect(revisions).toEqual([2, 2, 3, 2, 2, 3]);
  await owner.store.close();
});

test('a watch of a revision that the owner has compacted fails, though the worker still has the changes', async () => {
  const owner = shareStore(createMemoryStore());
  const shared = openSharedStore(owner.share());
  const messages = shared.watch(prefixRange('/'), { after: 1 })[Symbol.asyncIterator]();
  await fill(owner.store, 50, 'x');
  await take(messages, 50);
  await owner.store.compact(40);
  const late = shared.watch(prefixRange('/'), { after: 10 })[Symbol.asyncIterator]();
  const error = await failure(late.next());
  expect([error.code, error.revision]).toEqual(['compacted', 40]);
  expect(
    (await shared.watch(prefixRange('/'), { after: 45 })[Symbol.asyncIterator]().next()).value?.revision,
  ).toBe(51);
  await owner.store.close();
});
