import { expect } from 'vitest';
import {
  type Commit,
  type KeyRange,
  prefixRange,
  type Revision,
  type Store,
  type StoredRecord,
  type StoreEvent,
  type WatchMessage,
} from '../store.ts';
import { brokenPromises, lastRevision, type WatchSession } from '../watch-validators.ts';
import { bytes, type SuiteContext } from './context.ts';
import { type Random, randomFrom } from './random.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Every change that was acknowledged. The truth is what it replays to, in the order of revisions. */
class Acknowledged {
  readonly #changes: { readonly commit: Commit; readonly revision: Revision }[] = [];

  add(commit: Commit, revision: Revision): void {
    this.#changes.push({ commit, revision });
  }

  truth(): StoreEvent[] {
    const state = new Map<string, StoredRecord>();
    const inOrder = [...this.#changes].sort((a, b) => a.revision - b.revision);
    return inOrder.map(({ commit: { key, value }, revision }) => {
      const previous = state.get(key);
      if (value === null) state.delete(key);
      else state.set(key, { key, value, modRevision: revision });
      return { type: value === null ? 'delete' : 'put', key, revision, value: value ?? undefined, previous };
    });
  }
}

/** One of several writers, who meet on the same keys. */
async function writeRandomly(
  store: Store,
  random: Random,
  writes: number,
  acknowledged: Acknowledged,
): Promise<void> {
  for (let number = 0; number < writes; number++) {
    const key = `/${random.pick(['a', 'b', 'c'])}/${random.below(5)}`;
    const { record } = await store.get(key);
    const value = record !== undefined && random.below(3) === 0 ? null : bytes(`${number}`);
    const commit = { key, value, expect: record?.modRevision ?? 0 };
    const result = await store.commit(commit);
    if (result.ok) acknowledged.add(commit, result.revision);
    if (random.below(8) === 0) await turn();
  }
}

interface Reader {
  readonly range: KeyRange;
  readonly sessions: WatchSession[];
}

/** One watch for a random number of messages, asking for progress now and then. */
async function session(
  store: Store,
  range: KeyRange,
  after: Revision,
  random: Random,
): Promise<WatchSession> {
  const messages: WatchMessage[] = [];
  const watch = store.watch(range, { after });
  const most = 1 + random.below(30);
  watch.requestProgress();
  for await (const message of watch) {
    messages.push(message);
    if (messages.length >= most) break;
    if (random.below(3) === 0) watch.requestProgress();
    else if (message.events.length === 0) watch.requestProgress();
    if (random.below(5) === 0) await turn();
  }
  return { after, messages };
}

/** Opens one watch after the other until `finished` and everything was seen. */
async function read(
  store: Store,
  reader: Reader,
  start: Revision,
  options: { readonly random: Random; readonly finished: () => Revision | undefined },
): Promise<void> {
  let after = start;
  while (after !== options.finished()) {
    const one = await session(store, reader.range, after, options.random);
    reader.sessions.push(one);
    after = lastRevision(one);
    await turn();
  }
}

/** Concurrent writers, and readers that connect, disconnect and resume: all six guarantees hold. */
export function watchModelTests({ test }: SuiteContext): void {
  for (const seed of [11, 12]) {
    test(`watches keep their promises under concurrent writes (seed ${seed})`, async (store) => {
      const start = await store.revision();
      const acknowledged = new Acknowledged();
      let end: Revision | undefined;
      const readers: Reader[] = ['/', '/a/', '/a/', '/b/1', '/c/', '/nobody/'].map((prefix) => ({
        range: prefixRange(prefix),
        sessions: [],
      }));
      const reading = readers.map((reader, index) =>
        read(store, reader, start, { random: randomFrom(seed * 100 + index), finished: () => end }),
      );
      await Promise.all(
        Array.from({ length: 4 }, (_, index) =>
          writeRandomly(store, randomFrom(seed * 10 + index), 150, acknowledged),
        ),
      );
      end = await store.revision();
      await Promise.all(reading);

      const truth = acknowledged.truth();
      expect(truth.map(({ revision }) => revision)).toEqual(truth.map((_, index) => start + 1 + index));
      for (const { range, sessions } of readers)
        expect(brokenPromises({ range, sessions }, truth)).toEqual([]);
      expect(
        readers[0]?.sessions.flatMap(({ messages }) => messages.flatMap(({ events }) => events)),
      ).toEqual(truth);
    });
  }
}
