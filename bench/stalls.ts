import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Served, startIlkWith } from './http/served.ts';
import { callerOf } from './stalls/calls.ts';
import { largeObjects } from './stalls/large-objects.ts';
import { manyObjects } from './stalls/many-objects.ts';
import type { CaseParts, StallCase } from './stalls/stall-case.ts';

const here = dirname(fileURLToPath(import.meta.url));
const defaultRounds = 5;
const aloneMs = 2_000;
/** `STALLS=apply,YAML npm run bench -- stalls` runs the cases with one of these in their name; `STALLS_PROFILES` names a folder. */
const only = (process.env['STALLS'] ?? '').split(',').filter((part) => part !== '');
const profiles = process.env['STALLS_PROFILES'];

const at = (sorted: readonly number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));

/** Sends a message and gives the next that comes back. */
function ask<Answer>(child: ChildProcess, message: string): Promise<Answer> {
  return new Promise((resolve) => {
    child.once('message', (answer) => resolve(answer as Answer));
    child.send(message);
  });
}

/** How long the event loop stood still at the most. */
interface Pause {
  readonly longestMs: number;
  readonly longestCpuMs: number;
}

/** A server, and a process that probes it. */
class Watched {
  readonly parts: CaseParts;
  readonly #served: Served;
  readonly #prober: ChildProcess;

  private constructor(parts: CaseParts, served: Served, prober: ChildProcess) {
    this.parts = parts;
    this.#served = served;
    this.#prober = prober;
  }

  static async start(dataDir: string): Promise<Watched> {
    const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
    const options = ['--import', join(here, 'stalls', 'loop-pauses.mjs'), ...profiling];
    const served = await startIlkWith(options, dataDir);
    const prober = fork(join(here, 'stalls', 'prober.mjs'), [dataDir, `${served.port}`], { execArgv: [] });
    await new Promise((resolve) => prober.once('message', resolve));
    const call = callerOf(dataDir, served.port);
    return new Watched({ call, dataDir, port: served.port }, served, prober);
  }

  /** Milliseconds of each probe since the last question, in order of length. */
  async latencies(): Promise<number[]> {
    const latenciesMs = await ask<number[]>(this.#prober, 'latencies');
    return latenciesMs.sort((a, b) => a - b);
  }

  pause(): Promise<Pause> {
    return ask<Pause>(this.#served.child, 'pauses');
  }

  async stop(): Promise<void> {
    this.#prober.kill();
    await this.#served.stop();
  }
}

/** What the rounds of a case came to. */
interface Measured {
  readonly latenciesMs: number[];
  readonly pauses: Pause[];
  readonly tookMs: number[];
}

async function measureRound(server: Watched, one: StallCase, round: number, into: Measured): Promise<void> {
  const started = performance.now();
  await one.run(server.parts, round);
  into.tookMs.push(performance.now() - started);
  // A probe that waited longest comes last.
  await sleep(50);
  into.latenciesMs.push(...(await server.latencies()));
  into.pauses.push(await server.pause());
}

async function measure(first: Watched, one: StallCase): Promise<{ server: Watched; measured: Measured }> {
  let server = first;
  const measured: Measured = { latenciesMs: [], pauses: [], tookMs: [] };
  await one.setUp?.(server.parts);
  const rounds = one.rounds ?? defaultRounds;
  for (let round = 0; round < rounds; round += 1) {
    if (one.starts === true) {
      const { dataDir } = server.parts;
      await server.stop();
      server = await Watched.start(dataDir);
    } else {
      await sleep(200);
      await server.latencies();
      await server.pause();
    }
    await measureRound(server, one, round, measured);
    await one.restore?.(server.parts, round);
  }
  await one.tearDown?.(server.parts);
  measured.latenciesMs.sort((a, b) => a - b);
  return { server, measured };
}

/** Probes while nothing else happens. */
async function alone(print: (line: string) => void, server: Watched): Promise<void> {
  await sleep(500);
  await server.latencies();
  await server.pause();
  await sleep(aloneMs);
  const latenciesMs = (await server.latencies()).sort((a, b) => a - b);
  print(row('nothing', { latenciesMs, pauses: [await server.pause()], tookMs: [] }));
}

function row(name: string, { latenciesMs, pauses, tookMs }: Measured): string {
  const probe = [at(latenciesMs, 0.5), at(latenciesMs, 0.99), latenciesMs.at(-1) ?? 0].map(ms).join(' / ');
  const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
  const took = at(sorted(tookMs), 0.5);
  const longest = sorted(pauses.map(({ longestMs }) => longestMs)).at(-1) ?? 0;
  const cpu = sorted(pauses.map(({ longestCpuMs }) => longestCpuMs));
  return `| ${name} | ${ms(took)} ms | ${probe} ms | ${ms(longest)} ms | ${ms(cpu.at(-1) ?? 0)} ms | ${ms(at(cpu, 0.5))} ms |`;
}

/** One large request at a time, and a process beside it that asks for `/readyz` 200 times a second. */
export async function run(print: (line: string) => void): Promise<void> {
  print(
    '| what runs | takes | probe, p50 / p99 / longest | longest pause | its CPU | median of the rounds |\n|---|---|---|---|---|---|',
  );
  for (const cases of [largeObjects, manyObjects]) {
    const folder = mkdtempSync(join(tmpdir(), 'ilk-stalls-'));
    let server = await Watched.start(join(folder, 'data'));
    try {
      await alone(print, server);
      for (const one of cases) {
        const wanted = only.length === 0 || only.some((part) => one.name.includes(part));
        if (!wanted) continue;
        try {
          const done = await measure(server, one);
          server = done.server;
          print(row(one.name, done.measured));
        } catch (error) {
          print(`| ${one.name} | ${String(error).slice(0, 200)} | | | | |`);
        }
      }
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
