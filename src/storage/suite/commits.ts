import { expect } from 'vitest';
import { bytes, failure, type SuiteContext, text, write } from './context.ts';

/** Conditional writes of one key. */
export function commitTests({ test, ordersCommits }: SuiteContext): void {
  test('every write raises the revision by one', async (store) => {
    const base = await store.revision();
    expect(await write(store, '/a', 'one')).toBe(base + 1);
    expect(await write(store, '/b', 'two')).toBe(base + 2);
    expect(await write(store, '/a', null, base + 1)).toBe(base + 3);
    expect(await store.revision()).toBe(base + 3);
  });

  test('a store that knows its revision without asking knows the latest', async (store) => {
    for (const name of ['/a', '/b', '/c']) {
      const revision = await write(store, name, 'one');
      expect([revision, undefined]).toContain(store.knownRevision);
    }
    await store.close();
    expect(store.knownRevision).toBeUndefined();
  });

  test('a record carries the revision of the write that made it', async (store) => {
    const created = await write(store, '/a', 'one');
    const updated = await write(store, '/a', 'two', created);
    await write(store, '/b', 'other');
    const { record, revision } = await store.get('/a');
    expect(record).toEqual({ key: '/a', value: bytes('two'), modRevision: updated });
    expect(revision).toBe(updated + 1);
  });

  test('a commit that is guarded happens where every guard is as it was seen', async (store) => {
    const guard = { key: '/guard', modRevision: await write(store, '/guard', 'one') };
    const absent = { key: '/none', modRevision: 0 };
    const commit = { key: '/a', value: bytes('one'), expect: 0 };
    expect((await store.commit({ ...commit, preconditions: [guard, absent] })).ok).toBe(true);
    const head = await write(store, '/guard', 'two', guard.modRevision);
    const refused = { ok: false, current: undefined, revision: head };
    expect(await store.commit({ ...commit, key: '/b', preconditions: [absent, guard] })).toEqual(refused);
    const gone = { key: '/a', modRevision: 0 };
    expect(await store.commit({ ...commit, key: '/b', preconditions: [gone] })).toEqual(refused);
    expect((await store.get('/b')).record).toBeUndefined();
    expect(await store.revision()).toBe(head);
  });

  test('a create of a key that is there tells what is there', async (store) => {
    const created = await write(store, '/a', 'one');
    expect(await store.commit({ key: '/a', value: bytes('two'), expect: 0 })).toEqual({
      ok: false,
      current: { key: '/a', value: bytes('one'), modRevision: created },
      revision: created,
    });
  });

  test('an update of another revision than expected tells what is there', async (store) => {
    const created = await write(store, '/a', 'one');
    const updated = await write(store, '/a', 'two', created);
    const result = await store.commit({ key: '/a', value: bytes('three'), expect: created });
    expect(result).toEqual({
      ok: false,
      current: { key: '/a', value: bytes('two'), modRevision: updated },
      revision: updated,
    });
  });

  test('an update or a delete of a key that is absent finds nothing', async (store) => {
    const revision = await write(store, '/other', 'x');
    const nothing = { ok: false, current: undefined, revision };
    expect(await store.commit({ key: '/a', value: bytes('x'), expect: revision })).toEqual(nothing);
    expect(await store.commit({ key: '/a', value: null, expect: revision })).toEqual(nothing);
    expect(await store.commit({ key: '/a', value: null, expect: 0 })).toEqual(nothing);
    expect(await store.revision()).toBe(revision);
  });

  test('a delete needs the expected revision too', async (store) => {
    const created = await write(store, '/a', 'one');
    const updated = await write(store, '/a', 'two', created);
    expect(await store.commit({ key: '/a', value: null, expect: created })).toMatchObject({ ok: false });
    await write(store, '/a', null, updated);
    expect((await store.get('/a')).record).toBeUndefined();
  });

  test('a deleted key can be created again', async (store) => {
    const created = await write(store, '/a', 'one');
    await write(store, '/a', null, created);
    const again = await write(store, '/a', 'two');
    expect((await store.get('/a')).record).toEqual({ key: '/a', value: bytes('two'), modRevision: again });
  });

  test('of concurrent writers of one key exactly one wins', async (store) => {
    const created = await write(store, '/a', 'start');
    const attempts = Array.from({ length: 50 }, (_, index) =>
      store.commit({ key: '/a', value: bytes(`writer ${index}`), expect: created }),
    );
    const results = await Promise.all(attempts);
    const winners = results.flatMap((result, index) => (result.ok ? [`writer ${index}`] : []));
    expect(winners).toHaveLength(1);
    expect(text((await store.get('/a')).record?.value)).toBe(winners[0]);
  });

  test('a thousand concurrent creates all count', async (store) => {
    const base = await store.revision();
    const creates = Array.from({ length: 1_000 }, (_, index) => write(store, `/n/${index}`, `${index}`));
    const revisions = await Promise.all(creates);
    expect(new Set(revisions).size).toBe(1_000);
    expect(await store.revision()).toBe(base + 1_000);
  });

  test('values are bytes: empty, binary and large ones come back as they were', async (store) => {
    const values = [new Uint8Array(0), new Uint8Array([0, 255, 128, 0]), new Uint8Array(1_500_000).fill(7)];
    for (const [index, value] of values.entries()) {
      await store.commit({ key: `/v${index}`, value, expect: 0 });
      const read = (await store.get(`/v${index}`)).record?.value;
      expect(read?.byteLength).toBe(value.byteLength);
      expect(Buffer.compare(read ?? new Uint8Array(1), value)).toBe(0);
    }
  });

  test('a key is not empty and has no NUL and no half of a surrogate pair', async (store) => {
    for (const key of ['', 'a\0b', '\ud800']) {
      const error = await failure(store.commit({ key, value: bytes('x'), expect: 0 }));
      expect([error.code, error.message]).toEqual(['refused', `${JSON.stringify(key)} cannot be a key`]);
    }
  });

  if (ordersCommits) orderTests({ test, ordersCommits });

  test('after close everything is refused', async (store) => {
    await store.close();
    const range = { start: '/', end: '0' };
    const calls = [
      store.revision(),
      store.get('/a'),
      store.list(range),
      store.commit({ key: '/a', value: bytes('x'), expect: 0 }),
      store.compact(1),
      store.compactRevision(),
      store.watch(range, { after: 1 })[Symbol.asyncIterator]().next(),
    ];
    const codes = await Promise.all(calls.map(async (call) => (await failure(call)).code));
    expect(codes).toEqual(calls.map(() => 'closed'));
  });

  test('close finishes the writes under way', async (store) => {
    const writing = write(store, '/a', 'one');
    await store.close();
    expect(await writing).toBeGreaterThan(0);
  });
}

function orderTests({ test }: SuiteContext): void {
  test('a commit sees the ones that were asked for before it', async (store) => {
    const base = await store.revision();
    const results = await Promise.all([
      store.commit({ key: '/a', value: bytes('one'), expect: 0 }),
      store.commit({ key: '/a', value: bytes('two'), expect: 0 }),
      store.commit({ key: '/a', value: bytes('three'), expect: base + 1 }),
      store.commit({ key: '/a', value: null, expect: base + 2 }),
    ]);
    expect(results.map(({ ok, revision }) => [ok, revision - base])).toEqual([
      [true, 1],
      [false, 1],
      [true, 2],
      [true, 3],
    ]);
    expect(results[1]).toMatchObject({ current: { modRevision: base + 1, value: bytes('one') } });
  });
}
