import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore } from '../src/storage/postgres/open-postgres-store.ts';
import { PostgresProcess, postgresBin } from '../src/storage/postgres/postgres-process.test-support.ts';
import { byTurns, median, row } from './etcd/turns.ts';
import { load, requestBytes } from './http/client.ts';
import { follow } from './http/event-delays.ts';
import {
  adminTls,
  type Served,
  startIlk,
  startProcess,
  widget,
  widgetCrd,
  widgetsPath,
} from './http/served.ts';
import { bareEventDelays } from './postgres/bare-events.ts';
import { measureBloat } from './postgres/bloat.ts';
import { GroupedInserts, insertRate } from './postgres/grouped-inserts.ts';
import { hasKine, startOnKine } from './postgres/kine.ts';
import { profileCreates } from './postgres/profile-creates.ts';
import { compareOrders } from './postgres/revision-orders.ts';
import { storeEventDelays } from './postgres/store-events.ts';
import { compareWatchers } from './postgres/watcher-statements.ts';

const turns = 7;
const creates = 1_000;
const inFlight = 64;
const readConnections = 32;
const reads = 3_000;
const lists = 400;
const listed = 100;

type Print = (line: string) => void;

interface Bench {
  readonly folder: string;
  readonly postgres: PostgresProcess;
  readonly flags: readonly string[];
}

/** Servers of one schema have the same objects; each comparison has its own, and begins empty. */
function startOn({ folder, postgres, flags }: Bench, schema: string, name = 'one'): Promise<Served> {
  const storage = ['--postgres', postgres.url(), '--postgres-schema', schema];
  return startIlk(join(folder, `${schema}-${name}`), ...storage, ...flags);
}

interface Sent {
  readonly connections: number;
  readonly requests: number;
  readonly request: (index: number) => Buffer;
}

async function send({ folder }: Bench, { port }: Served, sent: Sent): Promise<number> {
  return (await load({ ...adminTls(folder), port, ...sent })).perSecond;
}

const createRequest = (name: string) => requestBytes('POST', widgetsPath, JSON.stringify(widget(name)));
const newSeries = () => Math.random().toString(36).slice(2);

/** What an object is in the storage, with its metadata and managed fields. */
async function storedBytes(bench: Bench, server: Served, schema: string): Promise<number> {
  const request = () => createRequest('measured');
  await send(bench, server, { connections: 1, requests: 1, request });
  const store = await openPostgresStore({ url: bench.postgres.url(), schema });
  const { record } = await store.get('/registry/bench.example.com/widgets/default/measured');
  await store.close();
  return record?.value.byteLength ?? 0;
}

async function compareCreates(print: Print, bench: Bench): Promise<void> {
  const url = bench.postgres.url();
  const server = await startOn(bench, 'creates');
  const sqlite = await startIlk(join(bench.folder, 'creates-sqlite'), ...bench.flags);
  const bytes = await storedBytes(bench, server, 'creates');
  await bench.postgres.query('CREATE TABLE bare (id bigserial PRIMARY KEY, key bytea UNIQUE, value bytea)');
  const statement = 'INSERT INTO bare (key, value) SELECT * FROM unnest($1::bytea[], $2::bytea[])';
  const inserts = await GroupedInserts.open({ url, statement, connections: 2 });
  const store = await openPostgresStore({ url, schema: 'commits' });
  const through = (target: Served) => {
    const series = newSeries();
    const request = (index: number) => createRequest(`${series}-${index}`);
    return send(bench, target, { connections: inFlight, requests: creates, request });
  };
  const measures = {
    bare: () => insertRate([inserts], { rows: creates, inFlight, bytes }),
    commits: async () => {
      const series = newSeries();
      const value = Buffer.alloc(bytes, 'x');
      const started = performance.now();
      let next = 0;
      const worker = async () => {
        while (next < creates) await store.commit({ key: `/${series}/${next++}`, value, expect: 0 });
      };
      await Promise.all(Array.from({ length: inFlight }, worker));
      return creates / ((performance.now() - started) / 1000);
    },
    served: () => through(server),
    onSqlite: () => through(sqlite),
  };
  const { bare, commits, served, onSqlite } = await byTurns(measures, { turns });
  await inserts.close();
  await store.close();
  await Promise.all([server.stop(), sqlite.stop()]);
  const floor = `grouped inserts of ${bytes} bytes through \`pg\``;
  print(
    row(`conditional commits of the store, ${inFlight} in flight, against ${floor}`, {
      floor: bare,
      ours: commits,
    }),
  );
  print(
    row(`durable create over TLS, ${inFlight} in flight, against the same`, { floor: bare, ours: served }),
  );
  print(row('the same, against a server on SQLite', { floor: onSqlite, ours: served }));
}

const readPath = '/apis/bench.example.com/v1/namespaces/reads/widgets';

async function fill(bench: Bench, server: Served): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'reads' } };
  const first = requestBytes('POST', '/api/v1/namespaces', JSON.stringify(namespace));
  await send(bench, server, { connections: 1, requests: 1, request: () => first });
  const request = (index: number) => requestBytes('POST', readPath, JSON.stringify(widget(`read-${index}`)));
  await send(bench, server, { connections: 1, requests: listed, request });
}

const compared = [
  { name: 'cached GET (resourceVersion=0)', path: `${readPath}/read-7?resourceVersion=0`, requests: reads },
  { name: `cached list of ${listed}`, path: `${readPath}?resourceVersion=0`, requests: lists },
  { name: 'GET of the latest', path: `${readPath}/read-7`, requests: reads },
  { name: `list of ${listed}, of the latest`, path: readPath, requests: lists },
] as const;

async function compareReads(print: Print, bench: Bench): Promise<void> {
  const sqlite = await startIlk(join(bench.folder, 'sqlite'), ...bench.flags);
  const server = await startOn(bench, 'reads');
  for (const each of [sqlite, server]) await fill(bench, each);
  for (const { name, path, requests } of compared) {
    const request = () => requestBytes('GET', path);
    const from = (served: Served) => () =>
      send(bench, served, { connections: readConnections, requests, request });
    const { floor, ours } = await byTurns({ floor: from(sqlite), ours: from(server) }, { turns });
    print(row(`${name}, ${readConnections} connections, against SQLite`, { floor, ours }));
  }
  await Promise.all([sqlite.stop(), server.stop()]);
}

/** Each measure is a median of hundreds already. */
async function compareEvents(print: Print, bench: Bench): Promise<void> {
  const { folder, postgres } = bench;
  const first = await startOn(bench, 'events', 'first');
  const second = await startOn(bench, 'events', 'second');
  const script = join(import.meta.dirname, 'postgres', 'event-server.mjs');
  await postgres.query('CREATE DATABASE bare');
  const startBare = () =>
    startProcess([script, join(folder, 'pki'), postgres.url('bare')], /listening (\d+)/);
  const [bareFirst, bareSecond] = [await startBare(), await startBare()];
  const ways = { tls: adminTls(folder), path: widgetsPath, make: widget };
  const between = (writer: Served, watcher: Served) => async () =>
    median(await follow({ ...ways, writeTo: writer.port, watchAt: watcher.port }));
  const measures = {
    bare: async () => median(await bareEventDelays(postgres)),
    stores: async () => median(await storeEventDelays(postgres)),
    bareServers: between(bareFirst, bareSecond),
    servers: between(first, second),
  };
  const { bare, stores, bareServers, servers } = await byTurns(measures, { turns: 3, warmUp: false });
  const what = (where: string) => `write to event at the other ${where}, median, against`;
  const floor = 'LISTEN, NOTIFY and a read';
  const compared = { floor: bare, unit: 'ms' } as const;
  print(row(`${what('store')} ${floor}`, { ...compared, ours: stores }));
  print(row(`${what('server')} ${floor}`, { ...compared, ours: servers }));
  const withServers = { floor: bareServers, ours: servers, unit: 'ms' } as const;
  print(row(`${what('server')} bare Node servers over TLS in front of the same`, withServers));
  await Promise.all([first, second, bareFirst, bareSecond].map((server) => server.stop()));
}

/** Upstream's server with kine on the same PostgreSQL, where `ILK_BENCH_KINE` and `ILK_BENCH_UPSTREAM` name both. */
async function compareKine(print: Print, bench: Bench): Promise<void> {
  if (!hasKine) return;
  const ilk = await startOn(bench, 'kine');
  const upstream = await startOnKine(bench.postgres, bench.folder);
  const through = (port: number) => async () => {
    const series = newSeries();
    const request = (index: number) => createRequest(`${series}-${index}`);
    const sent = { connections: inFlight, requests: creates, request };
    return (await load({ ...adminTls(bench.folder), port, ...sent })).perSecond;
  };
  const measures = { floor: through(upstream.port), ours: through(ilk.port) };
  const { floor, ours } = await byTurns(measures, { turns: 3 });
  print(
    row(`durable create over TLS, ${inFlight} in flight, against upstream's server on kine`, { floor, ours }),
  );
  await ilk.stop();
  await upstream.stop();
}

const parts = { creates: compareCreates, reads: compareReads, events: compareEvents, kine: compareKine };

/** Servers on PostgreSQL against bare PostgreSQL, and against a server on SQLite. `--rows creates,orders` measures some, `profile` only if named. */
export async function run(print: Print, options: readonly string[] = []): Promise<void> {
  if (postgresBin === undefined) return print('There is no PostgreSQL here.');
  const at = options.indexOf('--rows');
  const rows = at === -1 ? undefined : options[at + 1]?.split(',');
  const isAsked = (name: string) => rows === undefined || rows.includes(name);
  const folder = mkdtempSync(join(tmpdir(), 'ilk-bench-'));
  const crds = join(folder, 'crd.json');
  writeFileSync(crds, JSON.stringify(widgetCrd));
  const postgres = await PostgresProcess.start(['fsync=on']);
  const flags = ['--crds', crds, '--cert-dir', join(folder, 'pki')];
  const bench = { folder, postgres, flags };
  try {
    print('| what | floor | Ilk | ratio |\n|---|---|---|---|');
    for (const [name, compare] of Object.entries(parts)) if (isAsked(name)) await compare(print, bench);
    if (isAsked('watchers')) await compareWatchers(print, postgres);
    if (rows?.includes('profile')) await profileCreates(print, bench);
    if (isAsked('bloat')) await measureBloat(print);
    if (isAsked('orders')) await compareOrders(print, postgres);
  } finally {
    await postgres[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}
