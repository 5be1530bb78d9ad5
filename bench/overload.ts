import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { adminTls, type Served, startIlk } from './http/served.ts';

const rounds = 5;
const requestsPerRound = 4_000;
const floodConnections = 300;
const floodMs = 5_000;
const path = '/api/v1/namespaces/default';
const users = ['quiet', 'flood', 'reader'] as const;
type User = (typeof users)[number];

interface Server extends Served {
  readonly ca: string;
}

async function startServer(folder: string, ...flags: string[]): Promise<Server> {
  mkdirSync(folder, { recursive: true });
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, users.map((user) => `${user}-token,${user},${user}`).join('\n'));
  const access = [`--token-auth-file=${tokens}`, '--authorization-mode=AlwaysAllow'];
  const served = await startIlk(join(folder, 'data'), ...access, ...flags);
  return { ...served, ca: adminTls(join(folder, 'data')).ca };
}

function open({ port, ca }: Server): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
    socket.setNoDelay(true);
  });
}

const requestOf = (user: User) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${user}-token\r\n\r\n`;

/** Sends a request and waits for its answer, which comes in one piece; gives its status. */
function ask(socket: TLSSocket, user: User): Promise<number> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(new Error('the connection was closed'));
    socket.once('close', closed);
    socket.once('data', (chunk: Buffer) => {
      socket.off('close', closed);
      resolve(Number(chunk.toString('latin1', 9, 12)));
    });
    socket.write(requestOf(user));
  });
}

/** Milliseconds of CPU that a process has used. */
function cpuMs(served: Served): number {
  const fields = readFileSync(`/proc/${served.child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const p99 = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;

/** CPU of the server for one GET, in microseconds, with 32 connections. */
async function cpuOfGet(server: Server): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: 32 }, () => open(server)));
  const before = cpuMs(server);
  let left = requestsPerRound;
  await Promise.all(
    sockets.map(async (socket) => {
      while (left-- > 0) await ask(socket, 'reader');
    }),
  );
  const used = cpuMs(server) - before;
  for (const socket of sockets) socket.destroy();
  return (used * 1000) / requestsPerRound;
}

/** How long the answers to somebody take who asks a hundred times a second. */
async function quietLatencies(server: Server, forMs: number): Promise<number[]> {
  const socket = await open(server);
  const latencies: number[] = [];
  for (const end = performance.now() + forMs; performance.now() < end; await sleep(10)) {
    const started = performance.now();
    if ((await ask(socket, 'quiet')) !== 200) throw new Error('the quiet user was refused');
    latencies.push(performance.now() - started);
  }
  socket.destroy();
  return latencies;
}

/** Asks on many connections as fast as answers come; gives how many were served, and how many rejected. */
async function flood(server: Server, until: () => boolean): Promise<{ served: number; rejected: number }> {
  const counts = { served: 0, rejected: 0 };
  const asking = Array.from({ length: floodConnections }, async () => {
    const socket = await open(server);
    while (!until()) {
      if ((await ask(socket, 'flood')) === 200) counts.served += 1;
      else counts.rejected += 1;
    }
    socket.destroy();
  });
  await Promise.all(asking);
  return counts;
}

async function besideFlood(print: (line: string) => void, name: string, server: Server): Promise<void> {
  await quietLatencies(server, 1_000);
  const alone = await quietLatencies(server, 3_000);
  let over = false;
  const flooding = flood(server, () => over);
  await sleep(1_000);
  const beside = await quietLatencies(server, floodMs);
  over = true;
  const { served, rejected } = await flooding;
  const [a, b] = [p99(alone), p99(beside)];
  print(
    `| ${name} | ${median(alone).toFixed(1)} / ${a.toFixed(1)} ms | ${median(beside).toFixed(1)} / ${b.toFixed(1)} ms | ${(b / a).toFixed(1)} x | ${served} / ${rejected} |`,
  );
}

/** Priority and fairness: what it costs, and what it does for one user beside hundreds of connections of another. Clients share a process. */
export async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-overload-'));
  const fair = await startServer(join(folder, 'fair'));
  const counted = await startServer(join(folder, 'counted'), '--enable-priority-and-fairness=false');
  try {
    const [on, off]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      off.push(await cpuOfGet(counted));
      on.push(await cpuOfGet(fair));
    }
    print(
      `GET: ${median(on).toFixed(0)} us of CPU with fairness, ${median(off).toFixed(0)} us without: ${(median(off) / median(on)).toFixed(2)} x\n`,
    );
    print(
      '| | alone, p50 / p99 | beside the flood | ratio of p99 | flood served / rejected |\n|---|---|---|---|---|',
    );
    await besideFlood(print, 'fairness', fair);
    await besideFlood(print, 'counted only', counted);
  } finally {
    await fair.stop();
    await counted.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
