import { setTimeout as sleep } from 'node:timers/promises';
import { type IlkServer, startServer } from '../../src/server.ts';
import type { PostgresProcess } from '../../src/storage/postgres/postgres-process.test-support.ts';
import { widget, widgetCrd, widgetsPath } from '../http/served.ts';

const writes = 30;
const pauseMs = 100;
/** The statistics of a connection reach the view within a second. */
const statisticsMs = 1_500;

const jsonType = { 'content-type': 'application/json' };

async function transactions(postgres: PostgresProcess): Promise<number> {
  await sleep(statisticsMs);
  const [row] = await postgres.query(
    "SELECT (xact_commit + xact_rollback)::int FROM pg_stat_database WHERE datname = 'postgres'",
  );
  return Number(row?.[0]);
}

interface Watching {
  readonly count: number;
  readonly events: () => number;
  readonly end: () => Promise<void>;
}

/** Each event is a line. */
function linesIn(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}

async function watch(server: IlkServer, count: number): Promise<Watching> {
  let events = 0;
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = [];
  for (let index = 0; index < count; index++) {
    const { body } = await server.fetch(`${widgetsPath}?watch=1`);
    if (body === null) throw new Error('a watch has a body');
    readers.push(body.getReader());
  }
  for (const reader of readers) {
    void (async () => {
      for (let read = await reader.read(); !read.done; read = await reader.read())
        events += linesIn(read.value);
    })().catch(() => {});
  }
  return {
    count,
    events: () => events,
    end: async () => void (await Promise.all(readers.map((reader) => reader.cancel()))),
  };
}

async function counted(postgres: PostgresProcess, server: IlkServer, count: number) {
  const watching = await watch(server, count);
  const before = await transactions(postgres);
  const started = performance.now();
  for (let index = 0; index < writes; index++) {
    const body = JSON.stringify(widget(`w-${count}-${index}`));
    const { status } = await server.fetch(widgetsPath, { method: 'POST', body, headers: jsonType });
    if (status !== 201) throw new Error(`status ${status}`);
    await sleep(pauseMs);
  }
  while (watching.events() < writes * count) await sleep(20);
  const seconds = (performance.now() - started) / 1000;
  const statements = (await transactions(postgres)) - before;
  await watching.end();
  return { statements, seconds };
}

/** Statements of the database for the same writes, with few watchers and with many at one server. */
export async function compareWatchers(
  print: (line: string) => void,
  postgres: PostgresProcess,
): Promise<void> {
  await using server = await startServer({
    storage: { kind: 'postgres', url: postgres.url(), schema: 'watchers' },
    listen: false,
    crds: [widgetCrd],
    onTrouble: (error) => print(String(error)),
  });
  print(
    `\n| watchers | statements for ${writes} writes, each seen by all | per write | took |\n|---|---|---|---|`,
  );
  for (const count of [10, 10_000]) {
    const { statements, seconds } = await counted(postgres, server, count);
    const each = (statements / writes).toFixed(2);
    print(`| ${count} | ${statements} | ${each} | ${seconds.toFixed(1)} s |`);
  }
}
