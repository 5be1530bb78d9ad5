import { expect, test } from 'vitest';
import { type CopyOptions, type CopyProgress, copyStore } from './copy-store.ts';
import { createMemoryStore } from './memory/memory-store.ts';
import { prefixRange, type Store } from './store.ts';
import { failure, text, write } from './suite/context.ts';

const root = '/registry/';

/** A store with a number of records, the last of which was written often. */
async function filled(count: number, extraWrites = 0): Promise<Store> {
  const store = createMemoryStore();
  for (let index = 0; index < count; index++) await write(store, `${root}a/${index}`, `value ${index}`);
  let last = await store.revision();
  for (let more = 0; more < extraWrites; more++) {
    last = await write(store, `${root}a/${count - 1}`, `later ${more}`, last);
  }
  return store;
}

async function contents(store: Store): Promise<string[]> {
  const { records } = await store.list(prefixRange('/'));
  return records.map(({ key, value }) => `${key} ${text(value)}`);
}

const copy = (from: Store, to: Store, options: Partial<CopyOptions> = {}) =>
  copyStore(from, to, { root, ...options });

test('everything is copied, and revisions go on above the old ones', async () => {
  const [from, to] = [await filled(2_500, 700), createMemoryStore()];
  const told: CopyProgress[] = [];
  const result = await copy(from, to, { onProgress: (progress) => told.push(progress) });
  expect(await contents(to)).toEqual(await contents(from));
  expect(result).toEqual({
    records: 2_500,
    alreadyThere: 0,
    revision: 3_201,
    targetRevision: await to.revision(),
  });
  const { records } = await to.list(prefixRange('/'));
  expect(records.every(({ modRevision }) => modRevision > 3_201)).toBe(true);
  expect([...new Set(told.map(({ step }) => step))]).toEqual(['raising revisions', 'copying', 'verifying']);
  expect(told.at(-1)).toEqual({ step: 'verifying', done: 2_500, total: 2_500 });
  expect(told.filter(({ done, total }) => done > total)).toEqual([]);
});

test('revisions may stay as they come', async () => {
  const [from, to] = [await filled(3, 100), createMemoryStore()];
  expect(await copy(from, to, { raiseRevisions: false })).toMatchObject({ targetRevision: 4 });
});

/** A store that can be written so often; then it fails. */
function failingAfter(store: Store, writes: number): Store {
  let left = writes;
  return {
    tellsTrueProgress: store.tellsTrueProgress,
    revision: () => store.revision(),
    get: (...args) => store.get(...args),
    list: (...args) => store.list(...args),
    commit: (commit) =>
      left-- > 0 ? store.commit(commit) : Promise.reject(new Error('the network is gone')),
    watch: (...args) => store.watch(...args),
    compact: (...args) => store.compact(...args),
    compactRevision: () => store.compactRevision(),
    close: () => store.close(),
  };
}

test.each([0, 50, 100, 164, 165, 200, 300, 364, 365])(
  'a copy that is broken off after %i writes goes on where it was',
  async (writes) => {
    const [from, to] = [await filled(200, 100), createMemoryStore()];
    await expect(copy(from, failingAfter(to, writes))).rejects.toThrow('the network is gone');
    const { alreadyThere } = await copy(from, to);
    expect(alreadyThere).toBeGreaterThanOrEqual(0);
    expect(await contents(to)).toEqual(await contents(from));
    expect((await to.list(prefixRange('/'))).records.every(({ modRevision }) => modRevision > 301)).toBe(
      true,
    );
    // Once more: nothing is left to do.
    const head = await to.revision();
    expect(await copy(from, to)).toMatchObject({ records: 200, alreadyThere: 200, targetRevision: head });
  },
);

test('a target that has something else is refused and left as it is, or replaced', async () => {
  const [from, to] = [await filled(3), createMemoryStore()];
  await write(to, `${root}a/0`, 'value 0');
  await write(to, `${root}a/1`, 'another value');
  await write(to, `${root}b`, 'mine');
  const before = await contents(to);
  const { code, message } = await failure(copy(from, to));
  expect([code, message]).toEqual([
    'refused',
    'the target is not empty: it has 2 other records, /registry/a/1 among them',
  ]);
  expect(await contents(to)).toEqual(before);
  await copy(from, to, { overwrite: true });
  expect(await contents(to)).toEqual(await contents(from));
});

test('an original that changes meanwhile is no original', async () => {
  const [from, to] = [await filled(3), createMemoryStore()];
  const onProgress = ({ step }: CopyProgress) => {
    if (step === 'verifying') void from.commit({ key: `${root}new`, value: new Uint8Array(1), expect: 0 });
  };
  expect((await failure(copy(from, to, { onProgress }))).message).toBe(
    'the original has changed meanwhile: /registry/new; run it again',
  );
});
