import { setTimeout as sleep } from 'node:timers/promises';
import { prefixRange, type Store, type StoreEvent } from '../../src/storage/index.ts';
import { checkHistory } from './check-history.ts';
import { type Api, type Apis, type Run, watcher, writer } from './clients.ts';
import type { Change, History } from './history.ts';

/** Set to a number above 1, runs take so many times longer. */
export const faultFactor = Number(process.env['ILK_FAULT_FACTOR'] ?? 1);

/** What a fault knows of the clients. */
interface Clients {
  /** Waits until a number of further writes was acknowledged, however long the machine takes for that. */
  wrote(count: number): Promise<void>;
}

export interface FaultRun {
  /** The ways to the servers. */
  readonly apis: Apis;
  /** Injects and removes faults while the clients run. */
  readonly fault: (clients: Clients) => Promise<void>;
  /** The storage itself, once everything is whole again. */
  readonly truth: () => Promise<readonly Change[]>;
  readonly writers?: number;
  readonly watchers?: number;
}

/** What a run had, for those who want to know that it was one. */
export interface Outcome {
  readonly findings: readonly string[];
  readonly history: History;
  readonly surprises: readonly string[];
}

/** Lets clients work while things break, and says which promises were broken with them. */
export async function runWithFault(options: FaultRun): Promise<Outcome> {
  const { apis, fault, truth, writers = 8, watchers = 4 } = options;
  const abort = new AbortController();
  let value = 0;
  let end: number | undefined;
  const run: Run = {
    signal: abort.signal,
    writes: [],
    reads: [],
    watchings: [],
    nextValue: () => (value += 1),
    surprises: [],
  };
  const writing = Array.from({ length: writers }, (_, index) => writer(run, apis, index + 1));
  const watching = Array.from({ length: watchers }, (_, index) =>
    watcher(run, rotated(apis, index), () => end),
  );
  await fault({ wrote: (count) => wrote(run, count) });
  abort.abort();
  await Promise.all(writing);
  await settled(apis);
  const changes = await truth();
  end = changes.at(-1)?.revision ?? 0;
  await Promise.all(watching);
  const history = { writes: run.writes, reads: run.reads, watchings: run.watchings, changes };
  return { findings: checkHistory(history), history, surprises: run.surprises };
}

async function wrote({ writes }: Run, count: number): Promise<void> {
  const acknowledged = () => writes.filter(({ outcome }) => outcome === 'ok').length;
  const wanted = acknowledged() + count;
  while (acknowledged() < wanted) await sleep(20);
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

/** Waits until every server writes and reads again: what was under way has then happened, or never will. */
async function settled(apis: readonly Api[]): Promise<void> {
  for (const [index, api] of apis.entries()) {
    const path = '/api/v1/namespaces';
    const body = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: `settled-${index}-${Date.now()}` },
    };
    for (;;) {
      const answer = await api.call('POST', path, body).catch(() => undefined);
      if (answer?.code === 201 || answer?.code === 409) break;
      await sleep(50);
    }
  }
}

/** Where the objects of these runs are. */
export const widgets = prefixRange('/registry/example.com/widgets/');

export function changeOf({ key, value, revision, previous }: StoreEvent): Change {
  return {
    revision,
    name: key.split('/').at(-1) ?? '',
    value: value === undefined ? undefined : JSON.parse(Buffer.from(value).toString()).spec.size,
    previous: previous?.modRevision ?? 0,
  };
}

/** Every change of the widgets since a revision, read from the storage itself. */
export async function changesIn(store: Store, after: number): Promise<Change[]> {
  const end = await store.revision();
  const watch = store.watch(widgets, { after });
  watch.requestProgress();
  const changes: Change[] = [];
  for await (const { events, revision } of watch) {
    changes.push(...events.map(changeOf));
    if (revision >= end) break;
    if (events.length === 0) watch.requestProgress();
  }
  return changes;
}
