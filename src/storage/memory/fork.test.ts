import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import { prefixRange, type Store, type StoreEvent } from '../store.ts';
import { storeSuite } from '../suite.ts';
import { brief, bytes, failure, take, text, write } from '../suite/context.ts';
import { type Random, randomFrom } from '../suite/random.ts';
import { createMemoryStore, type ForkableStore, copyToMemory } from './memory-store.ts';

storeSuite({ name: 'forked memory', open: async () => createMemoryStore().fork() });

const everything = prefixRange('');

/** `/a=1@2`: key, value and revision of all that a store holds. */
async function contents(store: Store): Promise<string[]> {
  const { records } = await store.list(everything);
  return records.map(({ key, value, modRevision }) => `${key}=${text(value)}@${modRevision}`);
}

describe('a fork', () => {
  test('goes on from where its parent is, and neither sees the other from then on', async () => {
    const parent = createMemoryStore();
    await write(parent, '/a', '1');
    const fork = parent.fork();
    await write(parent, '/parent', 'x');
    await write(fork, '/fork', 'y');
    await write(fork, '/a', null, 2);
    expect(await contents(parent)).toEqual(['/a=1@2', '/parent=x@3']);
    expect(await contents(fork)).toEqual(['/fork=y@3']);
  });

  test('has the past of its parent, to list and to watch', async () => {
    const parent = createMemoryStore();
    await write(parent, '/a', '1');
    await write(parent, '/b', '2');
    const fork = parent.fork();
    await write(parent, '/c', '3');
    const { records } = await fork.list(everything, { revision: 2 });
    expect(records.map(({ key }) => key)).toEqual(['/a']);
    const watch = fork.watch(everything, { after: 1 })[Symbol.asyncIterator]();
    expect((await take(watch, 2)).map(brief)).toEqual(['put /a 1', 'put /b 2']);
    await write(fork, '/d', '4');
    expect((await take(watch, 1)).map(brief)).toEqual(['put /d 4']);
  });

  test('is closed by itself', async () => {
    const parent = createMemoryStore();
    await write(parent, '/a', '1');
    const [first, second] = [parent.fork(), parent.fork()];
    await first.close();
    await parent.close();
    expect(await contents(second)).toEqual(['/a=1@2']);
    expect(() => parent.fork()).toThrow('the store was closed');
    expect((await failure(contents(first))).code).toBe('closed');
  });

  test('forgets by itself', async () => {
    const parent = createMemoryStore();
    for (const key of ['/a', '/b', '/c']) await write(parent, key, key);
    const fork = parent.fork();
    await fork.compact(4);
    expect((await failure(fork.list(everything, { revision: 2 }))).code).toBe('compacted');
    expect((await parent.list(everything, { revision: 2 })).count).toBe(1);
  });
});

test('a store of another kind is copied, with its revisions and without its past', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ilk-fork-'));
  const sqlite = await openSqliteStore({ dataDir });
  try {
    for (let number = 0; number < 1_100; number++) await write(sqlite, `/many/${number}`, `${number}`);
    await write(sqlite, '/many/7', 'seven', 9);
    const fork = await copyToMemory(sqlite);
    expect(await contents(fork)).toEqual(await contents(sqlite));
    expect(await fork.revision()).toBe(await sqlite.revision());
    expect((await failure(fork.list(everything, { revision: 2 }))).code).toBe('compacted');
    expect(await write(fork, '/fork', 'y')).toBe((await sqlite.revision()) + 1);
  } finally {
    await sqlite.close();
    rmSync(dataDir, { recursive: true });
  }
});

/** The reference: every event since the beginning, and what they lead to. */
class Model {
  readonly store: ForkableStore;
  readonly events: string[];
  readonly current: Map<string, string>;

  constructor(store: ForkableStore, from?: Model) {
    this.store = store;
    this.events = [...(from?.events ?? [])];
    this.current = new Map(from?.current);
  }

  async write(key: string, value: string | null): Promise<void> {
    const { record } = await this.store.get(key);
    const expectation = record?.modRevision ?? 0;
    if (value === null && record === undefined) return;
    const commit = { key, value: value === null ? null : bytes(value), expect: expectation };
    const { ok, revision } = await this.store.commit(commit);
    expect(ok).toBe(true);
    this.events.push(value === null ? `delete ${key}` : `put ${key} ${value}`);
    if (value === null) this.current.delete(key);
    else this.current.set(key, `${key}=${value}@${revision}`);
  }

  async check(): Promise<void> {
    const sorted = [...this.current].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
    expect(await contents(this.store)).toEqual(sorted);
    const from = await this.store.compactRevision();
    const head = await this.store.revision();
    const watch = this.store.watch(everything, { after: from })[Symbol.asyncIterator]();
    const seen: StoreEvent[] = await take(watch, head - from);
    expect(seen.map(brief)).toEqual(this.events.slice(from - 1));
    await watch.return?.();
  }
}

async function step(models: Model[], random: Random, number: number): Promise<void> {
  const model = models[random.below(models.length)];
  if (model === undefined) return;
  const what = random.below(40);
  if (what === 0) models.push(new Model(model.store.fork(), model));
  else if (what === 1) await model.store.compact(await model.store.revision());
  else if (what === 2 && models.length > 1) {
    await model.store.close();
    models.splice(models.indexOf(model), 1);
  } else await model.write(`/${random.below(300)}`, random.below(3) === 0 ? null : `${number}`);
}

test.each([1, 2, 3])('forks of forks do what the model does (seed %d)', async (seed) => {
  const random = randomFrom(seed);
  const models = [new Model(createMemoryStore())];
  for (let number = 0; number < 4_000; number++) {
    await step(models, random, number);
    if (number % 200 === 0) for (const model of models) await model.check();
  }
  for (const model of models) await model.check();
  expect(models.length).toBeGreaterThan(3);
});
