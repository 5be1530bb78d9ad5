import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { EtcdProcess } from '../src/storage/etcd/etcd-process.test-support.ts';
import { txnRpc, watchRpc } from '../src/storage/etcd/messages.ts';
import { openEtcdStore } from '../src/storage/etcd/open-etcd-store.ts';
import { type LoadResult, load, requestBytes } from './http/client.ts';
import { follow, pacedUpdates } from './http/event-delays.ts';
import { adminTls, type Served, startIlk, widget, widgetCrd, widgetsPath } from './http/served.ts';

/** Many short turns: what else the machine does changes by the second. */
const turns = 7;
const creates = 1_000;
const reads = 3_000;
const lists = 400;
const listed = 100;

/** What is compared, by name: each gives a rate or a time. */
type Measures<K extends string> = Readonly<Record<K, () => Promise<number>>>;

/** Measures by turns, so that what else the machine does falls on all alike. */
async function byTurns<K extends string>(
  measures: Measures<K>,
  { turns, warmUp }: { readonly turns: number; readonly warmUp: boolean },
): Promise<Record<K, number[]>> {
  const names = Object.keys(measures) as K[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let turn = warmUp ? -1 : 0; turn < turns; turn++) {
    for (const name of names) {
      const value = await measures[name]();
      if (turn >= 0) values[name].push(value);
    }
  }
  return values;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

type Print = (line: string) => void;

/** One etcd, two servers on it and one on sqlite, each in a process of its own. */
interface Bench {
  readonly folder: string;
  readonly etcd: EtcdProcess;
  readonly crds: string;
  readonly first: Served;
}

/** With the same certificates, as servers that share an etcd should have them. */
function startOnEtcd(bench: Omit<Bench, 'first'>, name: string): Promise<Served> {
  const { folder, etcd, crds } = bench;
  const flags = ['--etcd-servers', etcd.url, '--crds', crds, '--cert-dir', join(folder, 'pki')];
  return startIlk(join(folder, name), ...flags);
}

/** Sends requests to one server, or to several at once. */
async function send(bench: Pick<Bench, 'folder'>, servers: readonly Served[], one: Load): Promise<number> {
  const tls = adminTls(bench.folder);
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
  return results.reduce((sum, { perSecond }) => sum + perSecond, 0);
}

interface Load {
  readonly connections: number;
  readonly requests: number;
  readonly request: (index: number) => Buffer;
}

/** Creates as etcd itself takes them, by gRPC and nothing else: as many at once, of as many bytes. */
async function bareCreates(client: Client, bytes: number): Promise<number> {
  const value = Buffer.alloc(bytes, 'x');
  const metadata = new Metadata();
  const series = Math.random().toString(36).slice(2);
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < creates) {
      const key = Buffer.from(`/bare/${series}/${next++}`);
      await new Promise<void>((resolve, reject) => {
        client.makeUnaryRequest(
          txnRpc.path,
          txnRpc.encode,
          txnRpc.decode,
          { key, modRevision: 0, value },
          metadata,
          (error) => (error === null ? resolve() : reject(error)),
        );
      });
    }
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  return creates / ((performance.now() - started) / 1000);
}

/** What an object is in etcd, with its metadata and managed fields. */
async function storedBytes(bench: Bench): Promise<number> {
  const request = requestBytes('POST', widgetsPath, JSON.stringify(widget('measured')));
  await send(bench, [bench.first], { connections: 1, requests: 1, request: () => request });
  const store = await openEtcdStore({ endpoints: [bench.etcd.url], prefix: '/registry', root: '/registry' });
  const { record } = await store.get('/registry/bench.example.com/widgets/default/measured');
  await store.close();
  return record?.value.byteLength ?? 0;
}

async function compareCreates(print: Print, bench: Bench): Promise<void> {
  const client = new Client(new URL(bench.etcd.url).host, credentials.createInsecure());
  const bytes = await storedBytes(bench);
  const second = await startOnEtcd(bench, 'second');
  const through = (servers: readonly Served[]) => () => {
    const series = Math.random().toString(36).slice(2);
    const request = (index: number) =>
      requestBytes('POST', widgetsPath, JSON.stringify(widget(`${series}-${index}-${Math.random()}`)));
    return send(bench, servers, { connections: 64, requests: creates, request });
  };
  const measures = {
    bare: () => bareCreates(client, bytes),
    one: through([bench.first]),
    two: through([bench.first, second]),
  };
  const { bare, one, two } = await byTurns(measures, { turns, warmUp: true });
  await second.stop();
  client.close();
  row(print, 'durable create over TLS, 64 in flight, against bare gRPC', { floor: bare, ours: one });
  row(print, 'the same through two servers', { floor: bare, ours: two });
}

/** What was measured, turn by turn. */
interface Compared {
  readonly floor: readonly number[];
  readonly ours: readonly number[];
  readonly unit?: '/s' | 'ms';
}

/** Medians; the ratio is that of the ratios of each turn. */
function row(print: Print, name: string, { floor, ours, unit = '/s' }: Compared): void {
  const shown = (values: readonly number[]) => `${median(values).toFixed(unit === '/s' ? 0 : 2)} ${unit}`;
  const ratio = median(ours.map((value, turn) => value / (floor[turn] ?? 0)));
  print(`| ${name} | ${shown(floor)} | ${shown(ours)} | ${ratio.toFixed(2)} x |`);
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

async function compareReads(print: Print, bench: Bench): Promise<void> {
  const { folder, crds } = bench;
  const sqlite = await startIlk(join(folder, 'sqlite'), '--crds', crds, '--cert-dir', join(folder, 'pki'));
  const second = await startOnEtcd(bench, 'second');
  for (const server of [sqlite, bench.first]) await fill(bench, server);
  const asks: readonly (readonly [name: string, path: string, requests: number])[] = [
    ['GET of the latest', `${readPath}/read-7`, reads],
    ['GET of what is at hand (resourceVersion=0)', `${readPath}/read-7?resourceVersion=0`, reads],
    [`list of ${listed}, of the latest`, readPath, lists],
    [`list of ${listed} at hand`, `${readPath}?resourceVersion=0`, lists],
  ];
  for (const [name, path, requests] of asks) {
    const request = requestBytes('GET', path);
    const from = (servers: readonly Served[]) => () =>
      send(bench, servers, { connections: 32, requests, request: () => request });
    const measures = {
      floor: from([sqlite]),
      one: from([bench.first]),
      two: from([bench.first, second]),
    };
    const { floor, one, two } = await byTurns(measures, { turns, warmUp: true });
    row(print, `${name}, 32 connections, against sqlite`, { floor, ours: one });
    row(print, '- two servers against one', { floor: one, ours: two });
  }
  await sqlite.stop();
  await second.stop();
}

/** From the start of a write by gRPC until a watch of etcd itself has it. */
async function bareDelays(etcd: EtcdProcess): Promise<number[]> {
  const [writer, reader] = [0, 1].map(
    () =>
      new Client(new URL(etcd.url).host, credentials.createInsecure(), {
        'grpc.use_local_subchannel_pool': 1,
      }),
  );
  if (writer === undefined || reader === undefined) throw new Error('no clients');
  const stream = reader.makeBidiStreamRequest(
    watchRpc.path,
    watchRpc.encode,
    watchRpc.decode,
    new Metadata(),
  );
  const writtenMs: number[] = [];
  const delaysMs: number[] = [];
  stream.on('error', () => {});
  stream.on('data', ({ events }: ReturnType<typeof watchRpc.decode>) => {
    for (const { keyValue } of events) {
      const step = Number(Buffer.from(keyValue.value).toString().split(' ')[0]);
      delaysMs.push(performance.now() - (writtenMs[step] ?? 0));
    }
  });
  const key = Buffer.from(`/bare/watched/${Math.random()}`);
  stream.write({ create: { key, rangeEnd: Buffer.from('/bare/watched0'), startRevision: 0 } });
  await sleep(200);
  let modRevision = 0;
  await pacedUpdates(async (step) => {
    const value = Buffer.from(`${step} ${'x'.repeat(1_000)}`);
    writtenMs[step] = performance.now();
    modRevision = await new Promise((resolve, reject) => {
      writer.makeUnaryRequest(
        txnRpc.path,
        txnRpc.encode,
        txnRpc.decode,
        { key, modRevision, value },
        (error, answer) => (error === null ? resolve(answer?.revision ?? 0) : reject(error)),
      );
    });
  });
  await sleep(200);
  stream.cancel();
  writer.close();
  reader.close();
  return delaysMs;
}

async function compareEvents(print: Print, bench: Bench): Promise<void> {
  const second = await startOnEtcd(bench, 'second');
  const tls = adminTls(bench.folder);
  const seenAt = (watched: Served) => async () => {
    const ways = { writeTo: bench.first.port, watchAt: watched.port };
    return median(await follow({ tls, path: widgetsPath, ...ways, make: widget }));
  };
  const measures = {
    bare: async () => median(await bareDelays(bench.etcd)),
    same: seenAt(bench.first),
    other: seenAt(second),
  };
  // Each is a median of hundreds already.
  const { bare, same, other } = await byTurns(measures, { turns: 1, warmUp: false });
  row(print, 'write to event at the same server, median, against a bare watch', {
    floor: bare,
    ours: same,
    unit: 'ms',
  });
  row(print, 'write to event at the other server, median, against a bare watch', {
    floor: bare,
    ours: other,
    unit: 'ms',
  });
  await second.stop();
}

/** Servers on etcd against etcd itself, and against a server on sqlite. */
export async function run(print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-bench-'));
  const crds = join(folder, 'crd.json');
  writeFileSync(crds, JSON.stringify(widgetCrd));
  const etcd = await EtcdProcess.start({ onDisk: true });
  const first = await startOnEtcd({ folder, etcd, crds }, 'first');
  const bench = { folder, etcd, crds, first };
  try {
    print('| what | floor | Ilk | ratio |\n|---|---|---|---|');
    await compareCreates(print, bench);
    await compareReads(print, bench);
    await compareEvents(print, bench);
  } finally {
    await first.stop();
    await etcd[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}
