import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { adminTls, type Served, startIlk, widget, widgetCrd, widgetsPath } from './http/served.ts';

const overHttp2Count = 10_000;
/** Each has a handshake of its own, with two certificates, which takes longer than all the rest. */
const overHttp1Count = 10_000;
/** `IDLE_WATCHERS=HTTP/1.1 npm run bench -- idle-watchers` measures the rows with this in their name. */
const only = process.env['IDLE_WATCHERS'] ?? '';
const sessions = 10;
const creates = 20;
const pauseMs = 500;
/** So many watches are opened at a time. */
const lanes = 64;

interface Target extends Served {
  readonly tls: ReturnType<typeof adminTls>;
}

/** Watches that are open, how many lines they have had, and how to end them. */
interface Watches {
  readonly count: number;
  seen(): number;
  end(): void;
}

/** Each event is a line. */
function linesOf(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}

async function inLanes(count: number, step: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await step(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function overHttp2({ port, tls }: Target, path: string): Promise<Watches> {
  let seen = 0;
  const open = Array.from({ length: sessions }, () => connectHttp2(`https://127.0.0.1:${port}`, tls));
  await inLanes(overHttp2Count, async (index) => {
    const stream = open[index % sessions]?.request({ ':path': path });
    stream?.on('data', (chunk: Buffer) => {
      seen += linesOf(chunk);
    });
    await new Promise<void>((resolve, reject) => {
      stream?.once('error', reject);
      stream?.once('response', () => resolve());
    });
  });
  const end = () => {
    for (const session of open) session.destroy();
  };
  return { count: overHttp2Count, seen: () => seen, end };
}

async function overHttp1({ port, tls }: Target, path: string): Promise<Watches> {
  let seen = 0;
  const ends: (() => void)[] = [];
  await inLanes(overHttp1Count, async () => {
    const socket = connectTls({ host: '127.0.0.1', port, ...tls, ALPNProtocols: ['http/1.1'] });
    ends.push(() => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('data', () => resolve());
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    });
    // An event stands in a chunk of its own; its last line is the end of the chunk, not of the event.
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1').split('"ADDED"').length - 1;
    });
  });
  const end = () => {
    for (const one of ends) one();
  };
  return { count: overHttp1Count, seen: () => seen, end };
}

/** How long a create took, and the revision that it made. */
function create({ port, tls }: Target, agent: Agent): Promise<{ ms: number; revision: string }> {
  const startedMs = performance.now();
  const name = `w-${Math.round(startedMs * 1_000)}`;
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const to = { host: '127.0.0.1', port, path: widgetsPath, method: 'POST', agent, headers, ...tls };
    request(to, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.once('end', () => {
        const { resourceVersion } = JSON.parse(text).metadata;
        resolve({ ms: performance.now() - startedMs, revision: resourceVersion });
      });
    })
      .once('error', reject)
      .end(JSON.stringify(widget(name)));
  });
}

/** Milliseconds of CPU that a process has used. */
function cpuMs({ child }: Served): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** One create after the other; gives a row of the table. */
async function besideWatches(target: Target, agent: Agent, watches: Watches | undefined, isSeen: boolean) {
  await sleep(2_000);
  const cpuBefore = cpuMs(target);
  const seenBefore = watches?.seen() ?? 0;
  const ms: number[] = [];
  for (let index = 0; index < creates; index += 1) {
    ms.push((await create(target, agent)).ms);
    await sleep(pauseMs);
  }
  const seen = () => (watches?.seen() ?? 0) - seenBefore;
  const expected = isSeen ? creates * (watches?.count ?? 0) : 0;
  for (let tries = 0; tries < 120 && seen() < expected; tries += 1) await sleep(pauseMs);
  const cpuOfOne = (cpuMs(target) - cpuBefore) / creates;
  ms.sort((a, b) => a - b);
  const [p50 = 0, slowest = 0] = [ms[ms.length >> 1], ms.at(-1)];
  return `${p50.toFixed(1)} ms | ${slowest.toFixed(1)} ms | ${cpuOfOne.toFixed(1)} ms | ${seen()} of ${expected} |`;
}

const others = '/api/v1/namespaces/default/configmaps';
const rows = [
  ['none', undefined, others],
  ['HTTP/2, 10 connections', overHttp2, others],
  ['HTTP/2, 10 connections', overHttp2, widgetsPath],
  ['HTTP/1.1, a connection each', overHttp1, others],
  ['HTTP/1.1, a connection each', overHttp1, widgetsPath],
] as const;

/** Creates beside watches that see nothing of them, and beside watches that each see all of them. */
export async function run(print: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ilk-bench-'));
  const crds = join(dataDir, 'crd.json');
  writeFileSync(crds, JSON.stringify(widgetCrd));
  const served = await startIlk(dataDir, '--crds', crds);
  const target = { ...served, tls: adminTls(dataDir) };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    print('| watches | of | create, p50 | slowest | CPU of the server per create | events received |');
    print('|---|---|---|---|---|---|');
    for (const [name, open, path] of rows.filter(([name]) => name.includes(only))) {
      const { revision } = await create(target, agent);
      const watches = await open?.(target, `${path}?watch=1&resourceVersion=${revision}`);
      const isSeen = path === widgetsPath;
      const count = watches === undefined ? '' : `${watches.count} `;
      const row = await besideWatches(target, agent, watches, isSeen);
      print(`| ${count}${name} | ${isSeen ? 'the created objects' : 'other objects'} | ${row}`);
      watches?.end();
      await sleep(2_000);
    }
  } finally {
    agent.destroy();
    await served.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
