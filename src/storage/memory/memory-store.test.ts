import { expect, test } from 'vitest';
import { prefixRange } from '../store.ts';
import { storeSuite } from '../suite.ts';
import { createMemoryStore } from './memory-store.ts';

storeSuite({ name: 'memory', open: async () => createMemoryStore() });

test('an empty store is at revision 1', async () => {
  const store = createMemoryStore();
  expect([await store.revision(), await store.compactRevision()]).toEqual([1, 1]);
});

test('everybody who reads a value holds the same bytes, and they pin no pool', async () => {
  const store = createMemoryStore();
  const watch = store.watch(prefixRange('/'), { after: 1 })[Symbol.asyncIterator]();
  const own = new Uint8Array([1, 2, 3]);
  await store.commit({ key: '/own', value: own, expect: 0 });
  await store.commit({ key: '/pooled', value: Buffer.from('from the pool'), expect: 0 });
  const { records } = await store.list(prefixRange('/'));
  expect(records[0]?.value).toBe(own);
  expect(records[1]?.value.buffer.byteLength).toBe('from the pool'.length);
  expect((await store.get('/pooled')).record?.value).toBe(records[1]?.value);
  const first = await watch.next();
  expect(first.value?.events[0]?.value).toBe(own);
});
