import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { EtcdProcess } from '../src/storage/etcd/etcd-process.test-support.ts';
import { txnRpc, watchRpc } from '../src/storage/etcd/messages.ts';
import { type LoadResult, load, requestBytes } from './http/client.ts';
import { follow, pacedUpdates } from './http/event-delays.ts';
import { adminTls, type Served, startIlk, widget, widgetCrd, widgetsPath } from './http/served.ts';

const rounds = 3;
const creates = 4_000;
const reads = 12_000;

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
async function bareCreates(client: Client, bytes: number, series: number): Promise<number> {
  const value = Buffer.alloc(bytes, 'x');
  const metadata = new Metadata();
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

async function compareCreates(print: Print, bench: Bench): Promise<void> {
  const client = new Client(new URL(bench.etcd.url).host, credentials.createInsecure());
  const [bare, ours, both]: number[][] = [[], [], []];
  // The stored object has its metadata and managed fields too.
  const storedBytes = 1_100;
  const second = await startOnEtcd(bench, 'second');
  const make = (series: string) => (index: number) =>
    requestBytes(
      'POST',
      widgetsPath,
      JSON.stringify(widget(`${series}-${index}-${Math.random().toString(36).slice(2)}`)),
    );
  for (let round = 0; round < rounds; round++) {
    bare?.push(await bareCreates(client, storedBytes, round));
    ours?.push(
      await send(bench, [bench.first], { connections: 64, requests: creates, request: make(`a${round}`) }),
    );
    both?.push(
      await send(bench, [bench.first, second], {
        connections: 64,
        requests: creates,
        request: make(`b${round}`),
      }),
    );
  }
  await second.stop();
  client.close();
  row(
    print,
    'durable create over TLS, 64 in flight, against bare gRPC',
    median(bare ?? []),
    median(ours ?? []),
    '/s',
  );
  row(print, 'the same through two servers', median(bare ?? []), median(both ?? []), '/s');
}

function row(print: Print, name: string, floor: number, ours: number, unit: string): void {
  print(
    `| ${name} | ${floor.toFixed(unit === '/s' ? 0 : 2)} ${unit} | ${ours.toFixed(unit === '/s' ? 0 : 2)} ${unit} | ${(ours / floor).toFixed(2)} x |`,
  );
}

async function compareReads(print: Print, bench: Bench): Promise<void> {
  const { folder, crds } = bench;
  const sqlite = await startIlk(join(folder, 'sqlite'), '--crds', crds, '--cert-dir', join(folder, 'pki'));
  const second = await startOnEtcd(bench, 'second');
  const names = Array.from({ length: 500 }, (_, index) => `read-${index}`);
  const fill = (index: number) =>
    requestBytes('POST', widgetsPath, JSON.stringify(widget(names[index] ?? '')));
  for (const server of [sqlite, bench.first]) {
    await send(bench, [server], { connections: 8, requests: names.length, request: fill });
  }
  const asks: readonly (readonly [name: string, path: string, requests: number])[] = [
    ['GET of the latest, 32 connections, against sqlite', `${widgetsPath}/read-7`, reads],
    ['GET of what is at hand (resourceVersion=0)', `${widgetsPath}/read-7?resourceVersion=0`, reads],
    ['list of 100 at hand', `${widgetsPath}?resourceVersion=0&labelSelector=!none&limit=100`, reads / 20],
  ];
  for (const [name, path, requests] of asks) {
    const request = requestBytes('GET', path);
    const one = { connections: 32, requests, request: () => request };
    const [onSqlite, onEtcd, onBoth]: number[][] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      onSqlite?.push(await send(bench, [sqlite], one));
      onEtcd?.push(await send(bench, [bench.first], one));
      onBoth?.push(await send(bench, [bench.first, second], one));
    }
    row(print, name, median(onSqlite ?? []), median(onEtcd ?? []), '/s');
    row(print, `- two servers against one`, median(onEtcd ?? []), median(onBoth ?? []), '/s');
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
  const key = Buffer.from('/bare/watched');
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
  const bare = await bareDelays(bench.etcd);
  const same = await follow({
    tls,
    path: widgetsPath,
    writeTo: bench.first.port,
    watchAt: bench.first.port,
    make: widget,
  });
  const other = await follow({
    tls,
    path: widgetsPath,
    writeTo: bench.first.port,
    watchAt: second.port,
    make: widget,
  });
  row(
    print,
    'write to event at the same server, median, against a bare watch',
    median(bare),
    median(same),
    'ms',
  );
  row(
    print,
    'write to event at the other server, median, against a bare watch',
    median(bare),
    median(other),
    'ms',
  );
  await second.stop();
}

/** Servers on etcd against etcd itself, and against a server on sqlite. */
export async function run(print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-bench-'));
  const crds = join(folder, 'crd.json');
  writeFileSync(crds, JSON.stringify(widgetCrd));
  const etcd = await EtcdProcess.start();
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
