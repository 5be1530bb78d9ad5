import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  adminTls,
  type Served,
  startIlk,
  startProcess,
  widget,
  widgetCrd,
  widgetsPath,
} from './http/served.ts';
import { load, type LoadResult, requestBytes } from './http/client.ts';

const floor = join(dirname(fileURLToPath(import.meta.url)), 'http', 'floor-server.mjs');
const rounds = 3;

const start = startProcess;

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** A client of one server: its certificates are those that Ilk made. */
function client(folder: string) {
  const tls = adminTls(join(folder, 'data'));
  return (port: number, requests: number, connections: number, request: (index: number) => Buffer) =>
    load({ ...tls, port, connections, requests, request });
}

interface Case {
  readonly name: string;
  readonly floor: () => Promise<LoadResult>;
  readonly ours: () => Promise<LoadResult>;
  readonly unit: string;
}

async function compare(print: (line: string) => void, { name, floor, ours, unit }: Case): Promise<void> {
  const floors: number[] = [];
  const ourss: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floors.push((await floor()).perSecond);
    ourss.push((await ours()).perSecond);
  }
  const [a, b] = [median(floors), median(ourss)];
  print(`| ${name} | ${a.toFixed(0)} ${unit} | ${b.toFixed(0)} ${unit} | ${(b / a).toFixed(2)} x |`);
}

/** Spawn to ready on an empty folder, against `node -e 0`. */
function startUp(print: (line: string) => void, folder: string): Promise<void> {
  const floors: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const started = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    floors.push(performance.now() - started);
  }
  return (async () => {
    const ours: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const started = performance.now();
      const data = join(folder, `start-${round}`);
      const running = await startIlk(data);
      ours.push(performance.now() - started);
      await running.stop();
    }
    const [a, b] = [median(floors), median(ours)];
    print(
      `| spawn to ready, empty data directory | ${a.toFixed(0)} ms | ${b.toFixed(0)} ms | ${(b / a).toFixed(2)} x |`,
    );
  })();
}

/** Requests over TLS against bare `node:https` servers that send the same bytes or store the same rows. */
export async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-bench-'));
  mkdirSync(join(folder, 'data'), { recursive: true });
  const crds = join(folder, 'crd.json');
  writeFileSync(crds, JSON.stringify(widgetCrd));
  print('| what | floor | Ilk | ratio |\n|---|---|---|---|');
  await startUp(print, folder);
  const server = await startIlk(join(folder, 'data'), '--crds', crds);
  try {
    await compareRequests(print, folder, server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareRequests(print: (line: string) => void, folder: string, server: Served): Promise<void> {
  const pki = join(folder, 'data', 'pki');
  const send = client(folder);
  const startFloor = (mode: string, path: string) => start([floor, mode, pki, path], /listening (\d+)/);

  const creating = await startFloor('create', join(folder, 'floor.db'));
  let series = 0;
  const createAll = (port: number) => {
    series += 1;
    const names = series;
    return send(port, 3_300, 64, (index) =>
      requestBytes('POST', widgetsPath, JSON.stringify(widget(`w-${names}-${index}`))),
    );
  };
  await compare(print, {
    name: 'durable create over TLS, 64 in flight',
    unit: '/s',
    floor: () => createAll(creating.port),
    ours: () => createAll(server.port),
  });
  await creating.stop();

  const one = await fetchBytes(send, server.port, `${widgetsPath}/w-2-0`, folder);
  const getting = await startFloor('get', one);
  const get = requestBytes('GET', `${widgetsPath}/w-2-0`);
  await compare(print, {
    name: 'GET of a 1 KB object over TLS, 32 connections',
    unit: '/s',
    floor: () => send(getting.port, 20_000, 32, () => get),
    ours: () => send(server.port, 20_000, 32, () => get),
  });
  await getting.stop();

  const whole = await fetchBytes(send, server.port, widgetsPath, folder);
  const listing = await startFloor('get', whole);
  const list = requestBytes('GET', widgetsPath);
  await compare(print, {
    name: 'LIST of 10,000 x 1 KB',
    unit: '/s',
    floor: () => send(listing.port, 60, 2, () => list),
    ours: () => send(server.port, 60, 2, () => list),
  });
  await listing.stop();
}

/** Keeps an answer's body in a file, for the floor to send. */
async function fetchBytes(_: unknown, port: number, path: string, folder: string): Promise<string> {
  const { request } = await import('node:https');
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, ...adminTls(join(folder, 'data')) };
    request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    })
      .on('error', reject)
      .end();
  });
  const file = join(folder, `answer-${bytes.length}.json`);
  writeFileSync(file, bytes);
  return file;
}
