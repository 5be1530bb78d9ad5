import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../memory/memory-store.ts';
import { prefixRange, type Store, type StoreWatch } from '../store.ts';
import { bytes, failure, write } from '../suite/context.ts';
import { type StoreShare, shareStore } from './share-store.ts';
import { openSharedStore } from './shared-store.ts';
import { SharedRevision } from './shared-revision.ts';
import { bundledProgram, startThread } from './start-thread.test-support.ts';
import { withMethods } from './with-methods.test-support.ts';

const commit = { key: '/a', value: bytes('x'), expect: 0 };

/** Every kind of call, and how it fails. */
async function failures(store: Store): Promise<string[]> {
  const calls = [
    store.revision(),
    store.get('/a'),
    store.list(prefixRange('/')),
    store.commit(commit),
    store.compact(1),
    store.compactRevision(),
    store.watch(prefixRange('/'), { after: 1 })[Symbol.asyncIterator]().next(),
  ];
  return Promise.all(calls.map(async (call) => (await failure(call)).code));
}

const allClosed = Array.from({ length: 7 }, () => 'closed');

/** A store that counts its open watches. */
function countingWatches(store: Store) {
  const open = new Set<StoreWatch>();
  const counted = withMethods(store, {
    watch(range, options) {
      const watch = store.watch(range, options);
      const close = () => {
        open.delete(watch);
        watch.close();
      };
      const counting = { ...watch, close, requestProgress: () => watch.requestProgress() };
      open.add(watch);
      return { ...counting, [Symbol.asyncIterator]: () => watch[Symbol.asyncIterator]() };
    },
  });
  return { store: counted, open };
}

test('when the owner closes the store, its writes are finished, and the shares fail with closed', async () => {
  const owner = shareStore(createMemoryStore());
  const [a, b] = [openSharedStore(owner.share()), openSharedStore(owner.share())];
  const waiting = b.watch(prefixRange('/'), { after: 1 })[Symbol.asyncIterator]().next();
  await b.compactRevision();
  const writing = a.commit(commit);
  // So that the owner has the write.
  await a.compactRevision();
  await owner.store.close();
  expect(await writing).toEqual({ ok: true, revision: 2 });
  const { value } = await waiting;
  expect([undefined, 2]).toContain(value?.revision);
  await expect.poll(() => failures(a)).toEqual(allClosed);
  await expect.poll(() => failures(b)).toEqual(allClosed);
  expect([a.knownRevision, b.knownRevision]).toEqual([undefined, undefined]);
  expect(() => owner.share()).toThrow('the store was closed');
  await Promise.all([a.close(), b.close()]);
});

test('when the owner ends the shares, its store goes on', async () => {
  const memory = createMemoryStore();
  const owner = shareStore(memory);
  const shared = openSharedStore(owner.share());
  const waiting = shared.watch(prefixRange('/'), { after: 1 })[Symbol.asyncIterator]().next();
  await owner.close();
  expect(await waiting).toEqual({ done: true, value: undefined });
  await expect.poll(() => failures(shared)).toEqual(allClosed);
  expect(await write(owner.store, '/a', 'x')).toBe(2);
  await memory.close();
});

test('when the owner ends the shares, a write that fails did not happen', async () => {
  const memory = createMemoryStore();
  const owner = shareStore(memory);
  const shared = openSharedStore(owner.share());
  const written: string[] = [];
  const writeAll = async (writer: number) => {
    for (let number = 0; ; number++) {
      const key = `/${writer}/${number}`;
      await write(shared, key, 'x');
      written.push(key);
    }
  };
  const writers = [1, 2, 3].map((writer) => failure(writeAll(writer)));
  await expect.poll(() => written.length).toBeGreaterThan(20);
  await owner.close();
  expect((await Promise.all(writers)).map(({ code }) => code)).toEqual(['closed', 'closed', 'closed']);
  const { records } = await memory.list(prefixRange('/'));
  expect(records.map(({ key }) => key)).toEqual(written.sort());
  await memory.close();
});

test('a share that closes gives back its watches, and the owner and other shares go on', async () => {
  const counting = countingWatches(createMemoryStore());
  const owner = shareStore(counting.store);
  const [a, b] = [openSharedStore(owner.share()), openSharedStore(owner.share())];
  const watches = [a, a, b].map((store) =>
    store.watch(prefixRange('/'), { after: 1 })[Symbol.asyncIterator](),
  );
  const waiting = watches.map((watch) => watch.next());
  await expect.poll(() => counting.open.size).toBe(2);
  await a.close();
  await expect.poll(() => counting.open.size).toBe(1);
  expect(await waiting[0]).toEqual({ done: true, value: undefined });
  expect(await failures(a)).toEqual(allClosed);
  await write(b, '/b', 'x');
  expect((await waiting[2])?.value.revision).toBe(2);
  await b.close();
  await expect.poll(() => counting.open.size).toBe(0);
  expect(await write(owner.store, '/c', 'x')).toBe(3);
  await owner.store.close();
});

test('when the port ends without a word, writes have an unknown outcome, and other calls fail with closed', async () => {
  const { port1, port2 } = new MessageChannel();
  const revision = new SharedRevision();
  revision.raise(5);
  const shared = openSharedStore({ port: port2, revision: revision.buffer });
  const calls = [shared.commit(commit), shared.get('/a'), shared.list(prefixRange('/')), shared.compact(2)];
  const codes = Promise.all(calls.map(async (call) => (await failure(call)).code));
  // The calls are sent at the end of the turn.
  await once(port1, 'message');
  port1.close();
  expect(await codes).toEqual(['outcome-unknown', 'closed', 'closed', 'closed']);
  expect(await failures(shared)).toEqual(allClosed);
});

test('when the thread of the owner ends, nothing hangs', async () => {
  const thread = startThread(await bundledProgram('owner.test-support.ts'), { workerData: undefined });
  thread.postMessage('');
  // The program posts shares only.
  const [share] = (await once(thread, 'message')) as [StoreShare];
  const shared = openSharedStore(share);
  const waiting = shared.watch(prefixRange('/'), { after: 1 })[Symbol.asyncIterator]().next();
  await write(shared, '/a', 'x');
  await thread.terminate();
  expect([undefined, 2]).toContain((await waiting).value?.revision);
  await expect.poll(() => failures(shared)).toEqual(allClosed);
});

test('when the thread of a worker ends, the owner frees its watches', async () => {
  const counting = countingWatches(createMemoryStore());
  const owner = shareStore(counting.store);
  const share = owner.share();
  const workerData = { share, acknowledged: new SharedArrayBuffer(4), seed: 1, start: 1, steps: 1e9 };
  const program = await bundledProgram('random-user.test-support.ts');
  const thread = startThread(program, { workerData, transferList: [share.port] });
  await expect.poll(() => counting.open.size).toBe(1);
  await thread.terminate();
  await expect.poll(() => counting.open.size).toBe(0);
  await owner.store.close();
});
