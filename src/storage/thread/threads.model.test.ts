import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../memory/memory-store.ts';
import { prefixRange, type Revision, type StoredRecord, type StoreEvent } from '../store.ts';
import { brokenPromises } from '../watch-validators.ts';
import type { SeenRead, UserData, UserReport } from './random-user.test-support.ts';
import { shareStore } from './share-store.ts';
import { bundledProgram, startThread } from './start-thread.test-support.ts';

type State = ReadonlyMap<string, StoredRecord>;

/** The state at each revision from `start` on, and every change, as the acknowledged writes tell. */
function replay(start: Revision, reports: readonly UserReport[]) {
  const writes = reports.flatMap((report) => report.writes).sort((a, b) => a.revision - b.revision);
  const states: State[] = [new Map()];
  const events: StoreEvent[] = [];
  for (const { key, value, revision } of writes) {
    const state = new Map(states.at(-1));
    const previous = state.get(key);
    const bytes = value === null ? undefined : new Uint8Array(value);
    if (bytes === undefined) state.delete(key);
    else state.set(key, { key, value: bytes, modRevision: revision });
    states.push(state);
    events.push({ type: bytes === undefined ? 'delete' : 'put', key, revision, value: bytes, previous });
  }
  return { events, at: (revision: Revision): State => states[revision - start] ?? new Map() };
}

function recordsOf(state: State, { range }: SeenRead): StoredRecord[] {
  const found = [...state.values()].filter(({ key }) => range.start <= key && key < range.end);
  return found.sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function runThreads(seeds: readonly number[]): Promise<UserReport[]> {
  const owner = shareStore(createMemoryStore());
  const program = await bundledProgram('random-user.test-support.ts');
  const acknowledged = new SharedArrayBuffer(4);
  const threads = seeds.map((seed) => {
    const share = owner.share();
    const workerData: UserData = { share, acknowledged, seed, start: 1, steps: 100 };
    return startThread(program, { workerData, transferList: [share.port] });
  });
  // The program posts one message, its report.
  const reports = await Promise.all(
    threads.map(async (thread) => (await once(thread, 'message'))[0] as UserReport),
  );
  await Promise.all(threads.map((thread) => thread.terminate()));
  await owner.store.close();
  return reports;
}

test('two threads see one store: writes in one order, no stale read, watches without a gap', async () => {
  const reports = await runThreads([1, 2]);
  const { events, at } = replay(1, reports);
  expect(events.length).toBeGreaterThan(100);
  expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index + 2));
  for (const { stale, reads, sessions } of reports) {
    expect(stale).toEqual([]);
    for (const read of reads) expect(read.records).toEqual(recordsOf(at(read.revision), read));
    expect(brokenPromises({ range: prefixRange('/'), sessions }, events)).toEqual([]);
    expect(sessions.length).toBeGreaterThan(2);
  }
});
