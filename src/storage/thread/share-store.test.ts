import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { createMemoryStore } from '../memory/memory-store.ts';
import { prefixRange, type Store, StoreError } from '../store.ts';
import { bytes, failure, take, write } from '../suite/context.ts';
import { type SharedStoreOwner, shareStore } from './share-store.ts';
import { openSharedStore } from './shared-store.ts';
import { SharedRevision } from './shared-revision.ts';
import { withMethods } from './with-methods.test-support.ts';

const owners: SharedStoreOwner[] = [];
afterEach(async () => {
  for (const owner of owners.splice(0)) await owner.store.close();
});

function ownerOf(store: Store = createMemoryStore(), health?: () => Promise<unknown>): SharedStoreOwner {
  const owner = shareStore(store, health === undefined ? {} : { health });
  owners.push(owner);
  return owner;
}

async function fill(store: Store, count: number, value = 'x'): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `/a/${String(index).padStart(6, '0')}`);
  await Promise.all(names.map((name) => write(store, name, value)));
}

describe('the revision', () => {
  test('of a commit is known to everybody before it is acknowledged to anybody', async () => {
    const owner = ownerOf();
    const [a, b] = [openSharedStore(owner.share()), openSharedStore(owner.share())];
    const stores = [a, b, owner.store];
    for (const [index, store] of [...stores, ...stores].entries()) {
      const revision = await write(store, `/${index}`, 'x');
      expect(stores.map(({ knownRevision }) => knownRevision)).toEqual([revision, revision, revision]);
      expect(await Promise.all(stores.map((each) => each.revision()))).toEqual([
        revision,
        revision,
        revision,
      ]);
    }
  });

  test('counts beyond 32 bits', () => {
    const writer = new SharedRevision();
    const reader = new SharedRevision(writer.buffer);
    expect(reader.revision).toBeUndefined();
    writer.raise(Number.MAX_SAFE_INTEGER - 1);
    writer.raise(5);
    expect(reader.revision).toBe(Number.MAX_SAFE_INTEGER - 1);
    writer.close();
    writer.raise(Number.MAX_SAFE_INTEGER);
    expect(reader.revision).toBeUndefined();
  });

  test('of a store that others write to is not known: it cannot be shared', () => {
    const store = createMemoryStore();
    const unknown = { ...withMethods(store, {}), knownRevision: undefined };
    expect(() => shareStore(unknown)).toThrow(
      'only an open store that no other process writes to can be shared with threads',
    );
  });
});

describe('what crosses', () => {
  test('keys are what they were: of the prototype, beyond UTF-16, and no keys at all', async () => {
    const owner = ownerOf();
    const shared = openSharedStore(owner.share());
    for (const key of ['__proto__', '/😀', '/\ufffd']) {
      const revision = await write(shared, key, key);
      const record = { key, value: bytes(key), modRevision: revision };
      expect((await shared.get(key)).record).toEqual(record);
      expect((await owner.store.get(key)).record).toEqual(record);
    }
    expect((await shared.get('/\ud800')).record).toBeUndefined();
    expect((await shared.list({ start: '__proto__', end: '__proto__\0' })).records).toHaveLength(1);
  });

  test('a kept value keeps no more memory than its own', async () => {
    const owner = ownerOf();
    const shared = openSharedStore(owner.share());
    const after = await shared.revision();
    const large = 'x'.repeat(10_000);
    const messages = shared.watch(prefixRange('/'), { after })[Symbol.asyncIterator]();
    const values = ['one', 'two', large];
    await Promise.all(values.map((value, index) => write(shared, `/${index}`, value)));
    const kept = [
      ...(await take(messages, 3)).map(({ value }) => value),
      (await shared.get('/0')).record?.value,
      (await owner.store.get('/0')).record?.value,
      (await shared.list(prefixRange('/'))).records[2]?.value,
    ];
    expect(kept.map((value) => value?.buffer.byteLength)).toEqual([3, 3, 10_000, 3, 3, 10_000]);
    await messages.return?.();
  });

  test('a conflict that names a precondition, and one that names a record', async () => {
    const owner = ownerOf();
    const shared = openSharedStore(owner.share());
    const modRevision = await write(owner.store, '/guard', 'x');
    const guarded = { key: '/a', value: bytes('x'), expect: 0 };
    const wrong = { key: '/guard', modRevision: 1 };
    const refused = { ok: false, current: undefined, revision: modRevision };
    expect(await shared.commit({ ...guarded, preconditions: [wrong] })).toEqual(refused);
    expect(await shared.commit({ ...guarded, preconditions: [{ ...wrong, modRevision }] })).toMatchObject({
      ok: true,
    });
  });

  test('errors: of the store with their code and revision, others with their message', async () => {
    const codes = ['no-space', 'damaged', 'unreadable', 'too-large', 'outcome-unknown'] as const;
    const errors = [...codes.map((code) => new StoreError(code, `it is ${code}`, { revision: 7 }))];
    const store = withMethods(createMemoryStore(), {
      get: async (key) => Promise.reject(errors[Number(key)] ?? new TypeError('a bug')),
    });
    const shared = openSharedStore(ownerOf(store).share());
    for (const [index, code] of codes.entries()) {
      const error = await failure(shared.get(`${index}`));
      expect([error.code, error.message, error.revision]).toEqual([code, `it is ${code}`, 7]);
    }
    await expect(shared.get('100')).rejects.toThrow('a bug');
  });

  test('the health of the owner', async () => {
    let error: Error | undefined = new StoreError('no-space', 'the disk is full');
    const health = async () => {
      if (error !== undefined) throw error;
    };
    const shared = openSharedStore(ownerOf(createMemoryStore(), health).share());
    expect((await failure(shared.health())).code).toBe('no-space');
    error = undefined;
    await shared.health();
  });
});

describe('a long list', () => {
  test('crosses in pages of one revision, shorter ones where the records are large', async () => {
    const limits: (number | undefined)[] = [];
    const memory = createMemoryStore();
    const store = withMethods(memory, {
      list(range, options) {
        limits.push(options?.limit);
        return memory.list(range, options);
      },
    });
    const shared = openSharedStore(ownerOf(store).share());
    await fill(memory, 5_000);
    const all = await shared.list(prefixRange('/'));
    expect([all.records.length, all.count, all.more, all.revision]).toEqual([5_000, 5_000, false, 5_001]);
    expect(limits).toEqual([128, 256, 512, 1_000, 1_000, 1_000, 1_000, 1_000]);
    expect(all).toEqual(await memory.list(prefixRange('/')));
    limits.length = 0;
    const some = await shared.list(prefixRange('/'), { limit: 300, revision: 2_000 });
    expect(some).toEqual(await memory.list(prefixRange('/'), { limit: 300, revision: 2_000 }));
    expect(limits).toEqual([128, 172]);
  });

  test('of large records has few on a page', async () => {
    const memory = createMemoryStore();
    const shared = openSharedStore(ownerOf(memory).share());
    await fill(memory, 20, 'x'.repeat(300_000));
    const { records, ...rest } = await shared.list(prefixRange('/'));
    expect(rest).toEqual({ revision: 21, count: 20, more: false });
    expect(records.map(({ key, modRevision }) => [Number(key.slice(3)) + 2, modRevision])).toEqual(
      Array.from({ length: 20 }, (_, index) => [index + 2, index + 2]),
    );
    expect(new Set(records.map(({ value }) => value.byteLength))).toEqual(new Set([300_000]));
  });

  test('starts again where its revision was compacted between two pages', async () => {
    const memory = createMemoryStore();
    let isFirst = true;
    const store = withMethods(memory, {
      async list(range, options) {
        const page = await memory.list(range, options);
        if (isFirst) await memory.compact(await write(memory, '/a/new', 'x'));
        isFirst = false;
        return page;
      },
    });
    const shared = openSharedStore(ownerOf(store).share());
    await fill(memory, 200);
    const { records, revision } = await shared.list(prefixRange('/'));
    expect([records.length, revision]).toEqual([201, 202]);
  });

  test('ends with its signal, and so does the read of the owner', async () => {
    const memory = createMemoryStore();
    const ownersSignal = new Promise<AbortSignal>((resolve) => {
      store = withMethods(memory, {
        list(_, options) {
          const signal = options?.signal ?? AbortSignal.abort();
          resolve(signal);
          return new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        },
      });
    });
    const shared = openSharedStore(ownerOf(store).share());
    const abort = new AbortController();
    const listing = shared.list(prefixRange('/'), { signal: abort.signal });
    const signal = await ownersSignal;
    abort.abort(new Error('not wanted any more'));
    await expect(listing).rejects.toThrow('not wanted any more');
    if (!signal.aborted) await once(signal, 'abort');
    // What follows on the port is understood.
    expect((await shared.get('/a')).record).toBeUndefined();
  });
  let store: Store;
});
