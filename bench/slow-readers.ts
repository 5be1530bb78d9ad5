import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { type ClientOptions, load, open, readAnswers, requestBytes } from './http/client.ts';
import { adminTls, type Served, startIlkWith, widget, widgetCrd, widgetsPath } from './http/served.ts';

/** `SLOW_READERS=deaf npm run bench -- slow-readers` runs the first part only, `slow` the second. */
const only = process.env['SLOW_READERS'];
const deafReaders = 100;
/** Objects of 1 KB that make a list of 24 MB. */
const deafObjects = 24_000;
/** Until a reader without progress is ended, and some more. */
const endedMsMax = 90_000;
const slowReaders = 200;
const slowObjects = 100_000;
const slowMs = 60_000;
/** Each slow reader takes a piece, then waits. */
const slowPauseMs = 250;
const heapMb = 1_024;
const aloneMs = 5_000;

interface Target extends Served {
  readonly client: ClientOptions;
}

/** Responses that are not read. */
interface Unread {
  /** How many of them the server has ended. */
  ended(): number;
  close(): void;
}

const mb = (bytes: number) => Math.round(bytes / 1e6);

function rssOf({ child }: Served): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

async function start(folder: string): Promise<Target> {
  const crds = join(folder, 'crd.json');
  writeFileSync(crds, JSON.stringify(widgetCrd));
  const dataDir = join(folder, 'data');
  const served = await startIlkWith([`--max-old-space-size=${heapMb}`], dataDir, '--crds', crds);
  return { ...served, client: { ...adminTls(dataDir), port: served.port } };
}

async function fill({ client }: Target, from: number, to: number): Promise<void> {
  const request = (index: number) =>
    requestBytes('POST', widgetsPath, JSON.stringify(widget(`w-${from + index}`)));
  await load({ ...client, connections: 64, requests: to - from, request });
}

/** Milliseconds that the answers to another client take, who asks a hundred times a second. */
async function otherClient({ client }: Target, isOver: () => boolean): Promise<number[]> {
  const socket = await open(client);
  const request = requestBytes('GET', `${widgetsPath}/w-1`);
  const latencies: number[] = [];
  let done: (status: number) => void = () => {};
  readAnswers(socket, (status) => done(status));
  while (!isOver()) {
    const started = performance.now();
    socket.write(request);
    const status = await new Promise<number>((resolve) => {
      done = resolve;
      socket.once('close', () => resolve(0));
    });
    socket.removeAllListeners('close');
    if (status !== 200) throw new Error(`the other client got ${status}`);
    latencies.push(performance.now() - started);
    await sleep(10);
  }
  socket.destroy();
  return latencies.sort((a, b) => a - b);
}

const percentiles = (sorted: readonly number[]) =>
  [0.5, 0.99].map((part) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)).join(' / ');

async function deafHttp1({ client }: Target): Promise<Unread> {
  const sockets: TLSSocket[] = [];
  let ended = 0;
  for (let index = 0; index < deafReaders; index += 1) {
    const socket = await open(client);
    socket.on('close', () => {
      ended += 1;
    });
    socket.on('error', () => {});
    socket.write(requestBytes('GET', widgetsPath));
    sockets.push(socket);
  }
  return {
    ended: () => ended,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function deafHttp2({ client }: Target): Promise<Unread> {
  const streams = Array.from({ length: deafReaders }, () => {
    const session = connectHttp2(`https://127.0.0.1:${client.port}`, { ...client });
    session.on('error', () => {});
    const stream = session.request({ ':path': widgetsPath });
    stream.on('error', () => {});
    return { session, stream };
  });
  return {
    ended: () => streams.filter(({ stream }) => stream.closed || stream.destroyed).length,
    close: () => {
      for (const { session } of streams) session.destroy();
    },
  };
}

/** Connections that the server has ended because their clients read nothing. */
async function endedByServer({ client }: Target): Promise<number> {
  const socket = await open(client);
  const text = await new Promise<string>((resolve) => {
    let all = '';
    socket.on('data', (chunk: Buffer) => {
      all += chunk.toString('latin1');
      if (all.includes('ilk_closed_connections_total') && all.includes('ilk_open_connections{')) resolve(all);
    });
    socket.write(requestBytes('GET', '/metrics'));
  });
  await sleep(200);
  socket.destroy();
  return Number(/ilk_closed_connections_total\{reason="answer not read"\} (\d+)/.exec(text)?.[1] ?? 0);
}

async function deaf(
  print: (line: string) => void,
  target: Target,
  { name, openReaders }: { name: string; openReaders: (target: Target) => Promise<Unread> },
): Promise<void> {
  await sleep(2_000);
  const [rssBefore, endedBefore] = [rssOf(target), await endedByServer(target)];
  let isOver = false;
  const other = otherClient(target, () => isOver);
  const startedMs = performance.now();
  const unread = await openReaders(target);
  let rssPeak = 0;
  let endedMs: number | undefined;
  while (performance.now() - startedMs < endedMsMax && endedMs === undefined) {
    rssPeak = Math.max(rssPeak, rssOf(target));
    await sleep(500);
    const ended = Math.max(unread.ended(), (await endedByServer(target)) - endedBefore);
    if (ended >= deafReaders) endedMs = performance.now() - startedMs;
  }
  isOver = true;
  const latencies = await other;
  unread.close();
  await sleep(10_000);
  const perReader = Math.round((rssPeak - rssBefore) / deafReaders / 1024);
  const end = endedMs === undefined ? 'not ended' : `${(endedMs / 1_000).toFixed(0)} s`;
  print(
    `| ${deafReaders} over ${name} | ${mb(rssBefore)}, ${mb(rssPeak)}, ${mb(rssOf(target))} MB | ${perReader} KB | ${end} | ${percentiles(latencies)} ms |`,
  );
}

/** What clients ask for that is the most to hold. */
const forms = {
  json: 'application/json',
  table: 'application/json;as=Table;g=meta.k8s.io;v=v1',
  metadata: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  YAML: 'application/yaml',
} as const;

/** Reads a list a piece at a time, over and over. */
async function slowReader({ client }: Target, accept: string, isOver: () => boolean): Promise<Tally> {
  const tally = { bytes: 0, refused: 0, closed: 0 };
  const query = { method: 'GET', path: widgetsPath };
  while (!isOver()) {
    const socket = await open(client);
    socket.on('error', () => {});
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    const head = `${query.method} ${query.path} HTTP/1.1\r\nhost: a\r\naccept: ${accept}\r\nconnection: close\r\n\r\n`;
    socket.write(head);
    let isFirst = true;
    while (!isOver() && !isClosed) {
      const chunk: Buffer | null = socket.read();
      if (chunk !== null && isFirst) {
        isFirst = false;
        if (chunk.toString('latin1', 9, 12) !== '200') tally.refused += 1;
      }
      tally.bytes += chunk?.length ?? 0;
      await sleep(slowPauseMs);
    }
    if (isClosed) tally.closed += 1;
    socket.destroy();
  }
  return tally;
}

interface Tally {
  bytes: number;
  refused: number;
  closed: number;
}

async function slow(print: (line: string) => void, target: Target, form: keyof typeof forms): Promise<void> {
  await sleep(2_000);
  const rssBefore = rssOf(target);
  let isOver = false;
  let exit = '';
  target.child.once('exit', (code, signal) => {
    exit = `ended: ${code ?? signal}`;
  });
  const other = otherClient(target, () => isOver || exit !== '').catch(() => []);
  const readers = Array.from({ length: slowReaders }, () =>
    slowReader(target, forms[form], () => isOver || exit !== '').catch(() => ({
      bytes: 0,
      refused: 0,
      closed: 0,
    })),
  );
  let rssPeak = 0;
  for (const end = performance.now() + slowMs; performance.now() < end && exit === ''; await sleep(500)) {
    rssPeak = Math.max(rssPeak, rssOf(target));
  }
  isOver = true;
  const latencies = await other;
  const tallies = await Promise.all(readers);
  const sum = (of: (tally: Tally) => number) => tallies.reduce((all, tally) => all + of(tally), 0);
  await sleep(10_000);
  const after = exit === '' ? `${mb(rssOf(target))} MB` : exit;
  const got = `${mb(sum(({ bytes }) => bytes))} MB read, ${sum(({ refused }) => refused)} refused`;
  print(
    `| ${slowReaders} slow, ${form} | ${mb(rssBefore)}, ${mb(rssPeak)}, ${after} | ${got} | ${percentiles(latencies)} ms, ${latencies.length} requests |`,
  );
}

/** Readers of large lists that do not read, or read slowly: what they hold, and what others notice. */
export async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-slow-readers-'));
  const target = await start(folder);
  try {
    await fill(target, 0, deafObjects);
    if (only !== 'slow') {
      print(
        '| readers that do not read | RSS before, with them, after | a reader | ended after | another client |',
      );
      print('|---|---|---|---|---|');
      const started = performance.now();
      const alone = await otherClient(target, () => performance.now() - started > aloneMs);
      print(`| none | ${mb(rssOf(target))} MB | | | ${percentiles(alone)} ms |`);
      await deaf(print, target, { name: 'HTTP/1.1', openReaders: deafHttp1 });
      await deaf(print, target, { name: 'HTTP/2', openReaders: deafHttp2 });
    }
    if (only === 'deaf') return;
    await fill(target, deafObjects, slowObjects);
    print(
      '\n| readers | RSS before, with them, after | lists | another client, p50 / p99 |\n|---|---|---|---|',
    );
    for (const form of ['json', 'table', 'metadata', 'YAML'] as const) {
      if (target.child.exitCode === null && target.child.signalCode === null) await slow(print, target, form);
    }
  } finally {
    await target.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
