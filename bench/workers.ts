// What several threads cost: CPU and rate of one thread against `--workers 2`, and the memory of a worker. It needs Go for the load
// generator, and a Node with SO_REUSEPORT: `npm run bench -- workers`, `--node PATH` where the usual one is older.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Job, LoadGenerator } from './peer/load-generator.ts';
import { cpuUs, rssMb } from './peer/process-use.ts';

/** What the command line says. */
interface Flags {
  /** The program that runs the servers. */
  readonly node: string;
  readonly rounds: number;
  readonly storage: string;
}

const maps = '/api/v1/namespaces/default/configmaps';
const body = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'NAME-{i}' },
  data: { text: 'x'.repeat(300) },
});
const objects = 500;

interface BenchRow {
  readonly name: string;
  readonly job: (round: number) => Job;
}

const rows: readonly BenchRow[] = [
  {
    name: 'GET, HTTP/1.1, 32 connections',
    job: () => ({ protocol: 'h1', connections: 32, requests: 30_000, path: `${maps}/m-{i%${objects}}` }),
  },
  {
    name: 'GET, HTTP/2, 8 connections, 64 in flight',
    job: () => ({
      protocol: 'h2',
      connections: 8,
      streams: 8,
      requests: 30_000,
      path: `${maps}/m-{i%${objects}}`,
    }),
  },
  {
    name: `list of ${objects}, HTTP/1.1, 16 connections`,
    job: () => ({ protocol: 'h1', connections: 16, requests: 600, path: maps }),
  },
  {
    name: `list of ${objects}, HTTP/2, 8 connections, 16 in flight`,
    job: () => ({ protocol: 'h2', connections: 8, streams: 2, requests: 600, path: maps }),
  },
  {
    name: 'create, HTTP/1.1, 64 connections',
    job: (round) => ({
      protocol: 'h1',
      connections: 64,
      requests: 4_000,
      method: 'POST',
      // Each round writes where no list of another row reads.
      path: '/api/v1/namespaces/writes/configmaps',
      body: body.replace('NAME', `c-${round}`),
      headers: { 'content-type': 'application/json' },
    }),
  },
];

/** A server of a number of threads. */
class Contender {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #folder: string;
  port = 0;

  constructor(workers: number, { node, storage }: Flags) {
    this.name = `--workers ${workers}`;
    this.#folder = mkdtempSync(join(tmpdir(), 'ilk-bench-workers-'));
    const data = join(this.#folder, 'data');
    this.#child = spawn(
      node,
      [
        'bin/ilk',
        'serve',
        `--workers=${workers}`,
        '--secure-port=0',
        `--data-dir=${data}`,
        ...(storage === 'memory' ? ['--storage=memory'] : []),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
  }

  async ready(): Promise<void> {
    let said = '';
    for await (const piece of this.#child.stdout ?? []) {
      said += piece;
      this.port = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? 0);
      if (this.port > 0) return;
    }
    throw new Error(`${this.name} did not start`);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get pki(): string {
    return join(this.#folder, 'data', 'pki');
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface Figure {
  readonly cpuUs: number;
  readonly perSecond: number;
}

async function measure(load: LoadGenerator, contender: Contender, job: Job): Promise<Figure> {
  let [begun, used] = [0, 0];
  const outcome = await load.run(job, contender, (edge) => {
    if (edge === 'begin') begun = cpuUs(contender.pid);
    else used = cpuUs(contender.pid) - begun;
  });
  return { cpuUs: used / outcome.requests, perSecond: (outcome.requests * 1_000) / outcome.wallMs };
}

async function prepare(load: LoadGenerator, contender: Contender): Promise<void> {
  const type = { headers: { 'content-type': 'application/json' }, connections: 4, method: 'POST' };
  const namespace = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'writes' } });
  await load.run({ ...type, requests: 1, path: '/api/v1/namespaces', body: namespace }, contender);
  await load.run({ ...type, requests: objects, path: maps, body: body.replace('NAME', 'm') }, contender);
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Measures both servers in turns, and prints a table. */
export async function run(print: (line: string) => void, options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      node: { type: 'string', default: process.execPath },
      rounds: { type: 'string', default: '7' },
      storage: { type: 'string', default: 'memory' },
    },
  });
  const flags = { ...values, rounds: Number(values.rounds) };
  const folder = mkdtempSync(join(tmpdir(), 'ilk-bench-load-'));
  const contenders = [new Contender(1, flags), new Contender(2, flags)];
  try {
    const load = LoadGenerator.build(folder);
    for (const contender of contenders) {
      await contender.ready();
      await prepare(load, contender);
    }
    const figures = await measureAll(load, contenders, flags.rounds);
    for (const line of table(figures, contenders)) print(line);
  } finally {
    for (const contender of contenders) await contender.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Figures = ReadonlyMap<string, readonly Figure[]>;

async function measureAll(
  load: LoadGenerator,
  contenders: readonly Contender[],
  rounds: number,
): Promise<Figures> {
  const figures = new Map<string, Figure[]>();
  // Code is compiled in the first two rounds, which are not counted.
  for (let round = -2; round < rounds; round += 1) {
    for (const row of rows) {
      for (const contender of round % 2 === 0 ? contenders : [...contenders].reverse()) {
        const figure = await measure(load, contender, row.job(round + 2));
        const key = `${row.name} ${contender.name}`;
        if (round >= 0) figures.set(key, [...(figures.get(key) ?? []), figure]);
      }
    }
  }
  return figures;
}

function* table(figures: Figures, contenders: readonly Contender[]): Generator<string> {
  yield '| what | one thread | `--workers 2` | per two cores |';
  yield '|---|---|---|---|';
  for (const { name } of rows) {
    const [one, two] = contenders.map((contender) => {
      const all = figures.get(`${name} ${contender.name}`) ?? [];
      return {
        us: median(all.map(({ cpuUs }) => cpuUs)),
        rate: median(all.map(({ perSecond }) => perSecond)),
      };
    });
    if (one === undefined || two === undefined) continue;
    const shown = [one, two].map(({ us, rate }) => `${us.toFixed(0)} us, ${rate.toFixed(0)} /s`);
    yield `| ${name} | ${shown.join(' | ')} | ${((2 * one.us) / two.us).toFixed(2)} x |`;
  }
  const memory = contenders.map(({ pid }) => `${rssMb(pid).toFixed(0)} MB`);
  yield `| memory after it | ${memory.join(' | ')} | |`;
}
