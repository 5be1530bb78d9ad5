import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../src/storage/etcd/etcd-process.test-support.ts';
import { openEtcdStore } from '../src/storage/etcd/open-etcd-store.ts';
import { bareClient, bareCreates, bareDelays } from './etcd/bare.ts';
import { byTurns, median, row } from './etcd/turns.ts';
import { type LoadResult, load, requestBytes } from './http/client.ts';
import { follow } from './http/event-delays.ts';
import { adminTls, type Served, startIlk, widget, widgetCrd, widgetsPath } from './http/served.ts';
import { hasWrk, wrk } from './http/wrk.ts';

/** Many short turns: what else the machine does changes by the second. */
const turns = 7;
const creates = 1_000;
const createsInFlight = 64;
const readConnections = 32;
/** By `wrk`; for the client in Node, so many requests. */
const readSeconds = 2;
const reads = 3_000;
const lists = 400;
const listed = 100;
const token = 'bench';

type Print = (line: string) => void;

/** What all servers of a run have in common: one etcd, one CRD, and certificates, as servers that share an etcd should. */
interface Bench {
  readonly folder: string;
  readonly etcd: EtcdProcess;
  readonly flags: readonly string[];
}

interface ServerName {
  readonly name: string;
  /** Servers of one prefix have the same objects; each comparison has a prefix of its own, and begins empty. */
  readonly prefix: string;
}

function startOnEtcd({ folder, etcd, flags }: Bench, { name, prefix }: ServerName): Promise<Served> {
  const data = join(folder, `${name}${prefix.replace('/', '-')}`);
  return startIlk(data, '--etcd-servers', etcd.url, '--etcd-prefix', prefix, ...flags);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

interface Load {
  readonly connections: number;
  readonly requests: number;
  readonly request: (index: number) => Buffer;
}

/** Sends requests to one server, or to several at once. */
async function send({ folder }: Bench, servers: readonly Served[], one: Load): Promise<number> {
  const tls = adminTls(folder);
  const parts = servers.map(({ port }) =>
    load({
      ...tls,
      port,
      connections: Math.ceil(one.connections / servers.length),
      requests: Math.ceil(one.requests / servers.length),
      request: one.request,
    }),
  );
  const results: LoadResult[] = await Promise.all(parts);
  return sum(results.map(({ perSecond }) => perSecond));
}

/** What an object is in etcd, with its metadata and managed fields. */
async function storedBytes(bench: Bench, server: Served, prefix: string): Promise<number> {
  const request = requestBytes('POST', widgetsPath, JSON.stringify(widget('measured')));
  await send(bench, [server], { connections: 1, requests: 1, request: () => request });
  const store = await openEtcdStore({ endpoints: [bench.etcd.url], prefix, root: '/registry' });
  const { record } = await store.get('/registry/bench.example.com/widgets/default/measured');
  await store.close();
  return record?.value.byteLength ?? 0;
}

async function compareCreates(print: Print, bench: Bench): Promise<void> {
  const prefix = '/creates';
  const first = await startOnEtcd(bench, { name: 'first', prefix });
  const second = await startOnEtcd(bench, { name: 'second', prefix });
  const client = bareClient(bench.etcd.url);
  const bytes = await storedBytes(bench, first, prefix);
  const through = (servers: readonly Served[]) => () => {
    const series = Math.random().toString(36).slice(2);
    const request = (index: number) =>
      requestBytes('POST', widgetsPath, JSON.stringify(widget(`${series}-${index}-${Math.random()}`)));
    return send(bench, servers, { connections: createsInFlight, requests: creates, request });
  };
  const measures = {
    bare: () => bareCreates(client, { creates, inFlight: createsInFlight, bytes }),
    one: through([first]),
    two: through([first, second]),
  };
  const { bare, one, two } = await byTurns(measures, { turns });
  client.close();
  await Promise.all([first.stop(), second.stop()]);
  const what = `durable create over TLS, ${createsInFlight} in flight, against bare gRPC`;
  print(row(what, { floor: bare, ours: one }));
  print(row('the same through two servers', { floor: bare, ours: two }));
}

/** Objects of which both storages have the same, in a namespace of their own. */
const readPath = '/apis/bench.example.com/v1/namespaces/reads/widgets';

async function fill(bench: Bench, server: Served): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'reads' } };
  const first = requestBytes('POST', '/api/v1/namespaces', JSON.stringify(namespace));
  await send(bench, [server], { connections: 1, requests: 1, request: () => first });
  const request = (index: number) => requestBytes('POST', readPath, JSON.stringify(widget(`read-${index}`)));
  await send(bench, [server], { connections: 1, requests: listed, request });
}

interface Read {
  readonly name: string;
  readonly path: string;
  readonly requests: number;
}

const compared: readonly Read[] = [
  { name: 'GET of the latest', path: `${readPath}/read-7`, requests: reads },
  {
    name: 'cached GET (resourceVersion=0)',
    path: `${readPath}/read-7?resourceVersion=0`,
    requests: reads,
  },
  { name: `list of ${listed}, of the latest`, path: readPath, requests: lists },
  { name: `cached list of ${listed}`, path: `${readPath}?resourceVersion=0`, requests: lists },
];

/** By `wrk` where it is there: the client in Node would need a good part of the core that the second server is to have. */
async function readFrom(bench: Bench, servers: readonly Served[], { path, requests }: Read): Promise<number> {
  if (hasWrk()) {
    const connections = readConnections / servers.length;
    const parts = servers.map(({ port }) => wrk({ port, path, connections, seconds: readSeconds, token }));
    return sum(await Promise.all(parts));
  }
  const request = requestBytes('GET', path);
  return send(bench, servers, { connections: readConnections, requests, request: () => request });
}

async function compareReads(print: Print, bench: Bench): Promise<void> {
  const prefix = '/reads';
  const sqlite = await startIlk(join(bench.folder, 'sqlite'), ...bench.flags);
  const first = await startOnEtcd(bench, { name: 'first', prefix });
  const second = await startOnEtcd(bench, { name: 'second', prefix });
  for (const server of [sqlite, first]) await fill(bench, server);
  for (const read of compared) {
    const from = (servers: readonly Served[]) => () => readFrom(bench, servers, read);
    const measures = { floor: from([sqlite]), one: from([first]), two: from([first, second]) };
    const { floor, one, two } = await byTurns(measures, { turns });
    print(row(`${read.name}, ${readConnections} connections, against sqlite`, { floor, ours: one }));
    print(row('- two servers against one', { floor: one, ours: two }));
  }
  await Promise.all([sqlite, first, second].map((server) => server.stop()));
}

async function compareEvents(print: Print, bench: Bench): Promise<void> {
  const prefix = '/events';
  const first = await startOnEtcd(bench, { name: 'first', prefix });
  const second = await startOnEtcd(bench, { name: 'second', prefix });
  const tls = adminTls(bench.folder);
  const seenAt = (watched: Served) => async () => {
    const ways = { writeTo: first.port, watchAt: watched.port };
    return median(await follow({ tls, path: widgetsPath, ...ways, make: widget }));
  };
  const measures = {
    bare: async () => median(await bareDelays(bench.etcd.url)),
    same: seenAt(first),
    other: seenAt(second),
  };
  // Each is a median of hundreds already.
  const { bare, same, other } = await byTurns(measures, { turns: 1, warmUp: false });
  const what = (where: string) => `write to event at the ${where} server, median, against a bare watch`;
  print(row(what('same'), { floor: bare, ours: same, unit: 'ms' }));
  print(row(what('other'), { floor: bare, ours: other, unit: 'ms' }));
  await Promise.all([first.stop(), second.stop()]);
}

/** Servers on etcd against etcd itself, and against a server on sqlite. */
export async function run(print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-bench-'));
  const [crds, tokens] = [join(folder, 'crd.json'), join(folder, 'tokens.csv')];
  writeFileSync(crds, JSON.stringify(widgetCrd));
  writeFileSync(tokens, `${token},admin,,"system:masters"\n`);
  const etcd = await EtcdProcess.start({ onDisk: true });
  const flags = ['--crds', crds, '--cert-dir', join(folder, 'pki'), '--token-auth-file', tokens];
  const bench = { folder, etcd, flags };
  try {
    print(`Reads are asked for by ${hasWrk() ? '`wrk`' : 'a client in Node'}.\n`);
    print('| what | floor | Ilk | ratio |\n|---|---|---|---|');
    await compareCreates(print, bench);
    await compareReads(print, bench);
    await compareEvents(print, bench);
  } finally {
    await etcd[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}
