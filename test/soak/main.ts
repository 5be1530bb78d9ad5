import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { type HeapCount, heapCounts, heapGrowth } from './heap-counts.ts';
import { MixedLoad } from './load.ts';
import type { Memory } from './server.ts';

interface Flags {
  readonly seconds: number;
  readonly seed: number;
  readonly every: number;
  readonly snapshots?: string;
}

/** What RSS may grow by after the warm-up. */
const growthMax = 0.15;
/** Windows of events, of compaction and of idle views are full by then. */
const warmUpSecondsMax = 600;

/** `npm run soak -- --seconds 3600`: mixed load, and what the server holds meanwhile. */
export async function main([serverFile = '', ...args]: readonly string[]): Promise<void> {
  const command = new Command('npm run soak --')
    .option('--seconds <count>', 'how long', Number, 3_600)
    .option('--seed <number>', 'what the load is made of', Number, 1)
    .option('--every <seconds>', 'how often memory is measured', Number, 30)
    .option('--snapshots <folder>', 'keep the heap snapshots here')
    .parse([...args], { from: 'user' });
  const flags = command.opts<Flags>();
  const folder = flags.snapshots ?? mkdtempSync(join(tmpdir(), 'ilk-soak-heap-'));
  mkdirSync(folder, { recursive: true });
  const server = fork(serverFile, [folder], { execArgv: ['--expose-gc'] });
  try {
    const [{ kubeconfig }] = await once(server, 'message');
    process.exitCode = (await soak(server, new MixedLoad(kubeconfig, flags.seed), flags)) ? 0 : 1;
  } finally {
    if (server.connected) server.send({ end: true });
    if (flags.snapshots === undefined) rmSync(folder, { recursive: true });
  }
}

async function ask(server: ChildProcess, snapshot?: string): Promise<Memory> {
  server.send(snapshot === undefined ? {} : { snapshot });
  const [memory] = await once(server, 'message');
  return memory;
}

/** Gives whether memory is flat and nothing went wrong. */
async function soak(server: ChildProcess, load: MixedLoad, { seconds, every }: Flags): Promise<boolean> {
  const startMs = performance.now();
  const elapsed = () => (performance.now() - startMs) / 1_000;
  const warmUp = Math.min(warmUpSecondsMax, seconds / 2);
  const running = load.run();
  const after: Memory[] = [];
  let first: Map<string, HeapCount> | undefined;
  process.stdout.write(columns);
  while (elapsed() < seconds) {
    await sleep(Math.min(every, seconds - elapsed()) * 1_000);
    const isWarm = elapsed() >= warmUp;
    const memory = await ask(server, isWarm && first === undefined ? 'first.heapsnapshot' : undefined);
    if (memory.snapshot !== undefined) first = heapCounts(memory.snapshot);
    // A snapshot itself takes memory, which RSS keeps.
    else if (first !== undefined) after.push(memory);
    process.stdout.write(line(elapsed(), memory, load));
  }
  load.stop();
  await running;
  const last = await ask(server, 'last.heapsnapshot');
  printGrowth(first ?? new Map(), heapCounts(last.snapshot ?? ''));
  return judge(after, load);
}

const columns =
  '| seconds | RSS, MB | heap, MB | external, MB | requests | wrong |\n|---|---|---|---|---|---|\n';
const mb = (bytes: number) => Math.round(bytes / 1024 / 1024);
const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);

function line(second: number, { rss, heapUsed, external }: Memory, { counts }: MixedLoad): string {
  return `| ${Math.round(second)} | ${mb(rss)} | ${mb(heapUsed)} | ${mb(external)} | ${sum(counts.done)} | ${sum(counts.wrong)} |\n`;
}

function printGrowth(before: Map<string, HeapCount>, after: Map<string, HeapCount>): void {
  process.stdout.write('\nObjects that there are more of than after the warm-up:\n');
  for (const { name, count, bytes } of heapGrowth(before, after).slice(0, 10)) {
    process.stdout.write(`  ${name}: ${count} more, ${bytes} bytes\n`);
  }
}

function judge(after: readonly Memory[], { counts }: MixedLoad): boolean {
  process.stdout.write(`\nDone: ${JSON.stringify(Object.fromEntries(counts.done))}\n`);
  process.stdout.write(`Wrong: ${JSON.stringify(Object.fromEntries(counts.wrong))}\n`);
  const third = Math.max(1, Math.floor(after.length / 3));
  const mean = (list: readonly Memory[]) => list.reduce((total, { rss }) => total + rss, 0) / list.length;
  const [early, late] = [mean(after.slice(0, third)), mean(after.slice(-third))];
  const growth = late / early - 1;
  process.stdout.write(
    `RSS after the warm-up: ${mb(early)} MB, then ${mb(late)} MB (${(growth * 100).toFixed(1)} %)\n`,
  );
  return growth <= growthMax && counts.wrong.size === 0;
}
