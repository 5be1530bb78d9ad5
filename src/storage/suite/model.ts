import { expect } from 'vitest';
import type { Commit, CommitResult, KeyRange, ListOptions, Revision, Store } from '../store.ts';
import { bytes, failure, type SuiteContext, text } from './context.ts';
import { type Random, randomFrom } from './random.ts';

type State = ReadonlyMap<string, { readonly value: string; readonly modRevision: Revision }>;

/** The reference: the whole map at every revision. `base` is where the store began. */
class History {
  readonly base: Revision;
  readonly states: State[] = [new Map()];
  constructor(base: Revision) {
    this.base = base;
  }
  get head(): Revision {
    return this.base + this.states.length - 1;
  }
  at(revision: Revision): State {
    return this.states[revision - this.base] ?? new Map();
  }
  /** What `Store.commit` should answer. */
  commit({ key, value, expect: expected }: Commit): boolean {
    const state = new Map(this.at(this.head));
    if ((state.get(key)?.modRevision ?? 0) !== expected || (value === null && !state.has(key))) return false;
    if (value === null) state.delete(key);
    else state.set(key, { value: text(value) ?? '', modRevision: this.head + 1 });
    this.states.push(state);
    return true;
  }
  /** What `Store.list` should answer. The keys of this test are ASCII, so `<` is the order of bytes. */
  list({ start, end }: KeyRange, revision: Revision, limit = Number.POSITIVE_INFINITY) {
    const all = [...this.at(revision)]
      .filter(([key]) => start <= key && key < end)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return { records: all.slice(0, limit), count: all.length, more: all.length > limit, revision };
  }
}

const key = (random: Random): string => `/${random.pick(['a', 'b'])}/${random.below(8)}`;

/** A commit that is as expected three times of four. */
function randomCommit(random: Random, history: History, step: number): Commit {
  const chosen = key(random);
  const known = history.at(history.head).get(chosen)?.modRevision ?? 0;
  const wrong = history.base + random.below(step + 1);
  return {
    key: chosen,
    value: random.below(3) === 0 ? null : bytes(`value ${step}`),
    expect: random.below(4) === 0 ? wrong : known,
  };
}

async function compareList(store: Store, history: History, random: Random): Promise<void> {
  const range = random.pick<KeyRange>([
    { start: '/', end: '0' },
    { start: '/a/', end: '/a0' },
    { start: key(random), end: key(random) },
    { start: `${key(random)}\0`, end: '/b0' },
  ]);
  const oldest = await store.compactRevision();
  const revision = oldest + random.below(history.head - oldest + 1);
  const limit = random.pick([undefined, 1, 3, 100]);
  const options: ListOptions = limit === undefined ? { revision } : { revision, limit };
  const { records, ...rest } = await store.list(range, options);
  const seen = records.map((record) => [
    record.key,
    { value: text(record.value), modRevision: record.modRevision },
  ]);
  expect({ records: seen, ...rest }).toEqual(history.list(range, revision, limit));
  const uncounted = await store.list(range, { ...options, counted: false });
  expect([uncounted.records, uncounted.more]).toEqual([records, rest.more]);
}

async function compactSome(store: Store, history: History, random: Random): Promise<void> {
  const oldest = await store.compactRevision();
  const revision = oldest + random.below(history.head - oldest + 1);
  await store.compact(revision);
  if (revision === oldest) return;
  const error = await failure(store.list({ start: '/', end: '0' }, { revision: revision - 1 }));
  expect([error.code, error.revision]).toEqual(['compacted', revision]);
}

/** What a store answered to a commit. */
interface Answered {
  readonly commit: Commit;
  readonly result: CommitResult;
}

/**
 * Commits that were under way together, in the order in which the store carried them out: those that were ok by their
 * revisions, and each of the others after the one whose revision it has seen.
 */
function inOrder(answered: readonly Answered[], ordersCommits: boolean): readonly Answered[] {
  if (ordersCommits) return answered;
  const place = ({ result }: Answered) => result.revision + (result.ok ? 0 : 0.5);
  return [...answered].sort((a, b) => place(a) - place(b));
}

async function step(store: Store, history: History, random: Random, use: Use): Promise<void> {
  const commits = Array.from({ length: 1 + random.below(4) }, () => randomCommit(random, history, use.step));
  const results = await Promise.all(
    commits.map(async (commit) => ({ commit, result: await store.commit(commit) })),
  );
  for (const { commit, result } of inOrder(results, use.ordersCommits)) {
    const before = history.at(history.head).get(commit.key);
    const ok = history.commit(commit);
    const current = before && {
      key: commit.key,
      value: bytes(before.value),
      modRevision: before.modRevision,
    };
    expect(result).toEqual(ok ? { ok, revision: history.head } : { ok, current, revision: history.head });
  }
  await compareList(store, history, random);
  if (random.below(25) === 0) await compactSome(store, history, random);
}

interface Use {
  readonly step: number;
  readonly ordersCommits: boolean;
}

/** Random commits, deletes, lists of the past, limits and compactions against the map of every revision. */
export function modelTests({ test, ordersCommits }: SuiteContext): void {
  for (const seed of [1, 2, 3]) {
    test(`random use does what the model does (seed ${seed})`, async (store) => {
      const history = new History(await store.revision());
      // Where the store's own past begins is the store's business: compacting there makes it known.
      await store.compact(history.base);
      const random = randomFrom(seed);
      for (let number = 0; number < 250; number++) {
        await step(store, history, random, { step: number, ordersCommits });
      }
      expect(history.states.length).toBeGreaterThan(200);
    });
  }
}
