import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { attack, type HostileClient, hostileClients } from '../wire/hostile-clients.ts';
import { type HeapCount, heapCounts, heapGrowth } from './heap-counts.ts';
import type { Memory } from './server.ts';

interface Flags {
  readonly rounds: number;
  readonly connections: number;
  readonly only?: string;
  readonly snapshots?: string;
}

const lanes = 16;
const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
const print = (line: string) => process.stdout.write(`${line}\n`);

/**
 * `npm run soak -- hostile`: rounds of connections that break the protocol or leave in the middle of it, and what the server
 * holds after each round.
 */
export async function main([serverFile = '', ...args]: readonly string[]): Promise<void> {
  const flags = new Command('npm run soak -- hostile')
    .option('--rounds <count>', 'how many rounds', Number, 6)
    .option('--connections <count>', 'connections of each round', Number, 2_000)
    .option('--only <text>', 'only the kinds of connections with this in their name')
    .option('--snapshots <folder>', 'keep the heap snapshots here')
    .parse([...args], { from: 'user' })
    .opts<Flags>();
  const folder = flags.snapshots ?? mkdtempSync(join(tmpdir(), 'ilk-hostile-heap-'));
  mkdirSync(folder, { recursive: true });
  const server = fork(serverFile, [folder], { execArgv: ['--expose-gc'] });
  const ask = async (snapshot?: string): Promise<Memory> => {
    server.send(snapshot === undefined ? {} : { snapshot });
    const [memory] = await once(server, 'message');
    return memory;
  };
  try {
    const [{ kubeconfig }] = await once(server, 'message');
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(readFileSync(kubeconfig, 'utf8'))?.[1]);
    await measureRounds({ ask, port, pid: server.pid ?? 0 }, flags);
  } finally {
    if (server.connected) server.send({ end: true });
    if (flags.snapshots === undefined) rmSync(folder, { recursive: true });
  }
}

interface Measured {
  readonly port: number;
  readonly pid: number;
  ask(snapshot?: string): Promise<Memory>;
}

async function measureRounds(server: Measured, { rounds, connections, only = '' }: Flags): Promise<void> {
  const { port, pid, ask } = server;
  // Those that stay wait for deadlines, a minute each.
  const kinds = hostileClients.filter(
    ({ name, then }) => /^(destroy|end)$/.test(then) && name.includes(only),
  );
  print(`${kinds.length} kinds of connections`);
  print('| connections | RSS, MB | heap, MB | external, MB | array buffers, MB | descriptors |');
  print('|---|---|---|---|---|---|');
  const descriptors = () => readdirSync(`/proc/${pid}/fd`).length;
  const before = descriptors();
  let first: Map<string, HeapCount> | undefined;
  for (let round = 0; round <= rounds; round += 1) {
    if (round > 0) await attackWithAll(kinds, port, connections);
    for (let second = 0; second < 90 && descriptors() > before; second += 1) await sleep(1_000);
    await sleep(1_000);
    const { rss, heapUsed, external, arrayBuffers } = await ask();
    const columns = [rss, heapUsed, external, arrayBuffers].map(mb).join(' | ');
    print(`| ${round * connections} | ${columns} | ${descriptors()} |`);
    if (round === 1) first = heapCounts((await ask('first.heapsnapshot')).snapshot ?? '');
  }
  const last = heapCounts((await ask('last.heapsnapshot')).snapshot ?? '');
  for (const { name, count, bytes } of heapGrowth(first ?? new Map(), last).slice(0, 12)) {
    print(`  ${name}: ${count} more, ${bytes} bytes`);
  }
}

async function attackWithAll(
  kinds: readonly HostileClient[],
  port: number,
  connections: number,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < connections) {
      const kind = kinds[next++ % kinds.length];
      if (kind === undefined) return;
      const socket = await attack(kind, port);
      await sleep(10);
      if (kind.then === 'end') setTimeout(() => socket.destroy(), 1_000).unref();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
