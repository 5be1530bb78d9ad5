import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  createMemoryStore,
  openSqliteStore,
  type SharedStoreOwner,
  shareStore,
  type Store,
} from '../src/storage/index.ts';
import { cpuOfThreadUs, type Job, work } from './threads/work.ts';

const rounds = 7;
const objects = 100_000;

/** CPU per call: of the whole process, of the owner's thread, of the caller's; and calls per second. */
interface Cost {
  readonly totalUs: number;
  readonly ownerUs: number;
  readonly userUs: number;
  readonly perSecond: number;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** A share in use by another thread. */
class User {
  readonly #worker: Worker;

  constructor(owner: SharedStoreOwner) {
    const workerData = owner.share();
    const file = new URL('./threads/user.mjs', import.meta.url);
    this.#worker = new Worker(file, { workerData, transferList: [workerData.port], execArgv: [] });
  }

  /** The CPU that the thread needed for it. */
  async ask(job: Job | 'follow'): Promise<number> {
    this.#worker.postMessage(job);
    return (await once(this.#worker, 'message'))[0];
  }

  end(): Promise<number> {
    return this.#worker.terminate();
  }
}

async function measure(count: number, does: () => Promise<number>): Promise<Cost> {
  globalThis.gc?.();
  const ownerUs = cpuOfThreadUs();
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const userUs = await does();
  const { user, system } = process.cpuUsage(cpu);
  return {
    totalUs: (user + system) / count,
    ownerUs: (cpuOfThreadUs() - ownerUs) / count,
    userUs: userUs / count,
    perSecond: (1_000 * count) / (performance.now() - startMs),
  };
}

/** One way to do a job, in turns with the others. */
interface Way {
  readonly name: string;
  readonly does: (job: Job) => Promise<number>;
}

interface Row {
  readonly what: string;
  readonly job: Omit<Job, 'prefix'>;
  readonly ways: readonly Way[];
}

async function rowsOf(row: Row, print: (line: string) => void): Promise<void> {
  const costs = new Map(row.ways.map(({ name }) => [name, [] as Cost[]]));
  for (let round = -1; round < rounds; round++) {
    for (const { name, does } of row.ways) {
      const prefix = row.job.kind === 'commit' ? `/${row.what}/${name}/${round}/` : '/objects/';
      const cost = await measure(row.job.count, () => does({ ...row.job, prefix }));
      if (round >= 0) costs.get(name)?.push(cost);
    }
  }
  for (const [name, all] of costs) {
    const of = (pick: (cost: Cost) => number) => median(all.map(pick));
    const us = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(value < 100 ? 1 : 0));
    print(
      `| ${row.what} | ${name} | ${us(of(({ totalUs }) => totalUs))} | ${us(of(({ ownerUs }) => ownerUs))} | ${us(of(({ userUs }) => userUs))} | ${Math.round(of(({ perSecond }) => perSecond)).toLocaleString('en')} |`,
    );
  }
}

async function open(store: Store) {
  const owner = shareStore(store);
  const user = new User(owner);
  const direct: Way = {
    name: 'direct',
    async does(job) {
      const startUs = cpuOfThreadUs();
      await work(owner.store, job);
      return cpuOfThreadUs() - startUs;
    },
  };
  const thread: Way = { name: 'from a worker', does: (job) => user.ask(job) };
  return { owner, user, direct, thread };
}

async function commits(store: Store, what: string, print: (line: string) => void): Promise<void> {
  const { owner, user, direct, thread } = await open(store);
  const job = { kind: 'commit', count: 3_000, valueBytes: 1_000 } as const;
  const ways = [direct, thread];
  await rowsOf({ what: `commit, ${what}, 64 in flight`, job: { ...job, inFlight: 64 }, ways }, print);
  await rowsOf(
    { what: `commit, ${what}, one in flight`, job: { ...job, count: 1_000, inFlight: 1 }, ways },
    print,
  );
  const followers: User[] = [];
  for (const count of [1, 2]) {
    const follower = new User(owner);
    await follower.ask('follow');
    followers.push(follower);
    const name = `from a worker, with ${count} that follow`;
    await rowsOf(
      { what: `commit, ${what}, 64 in flight`, job: { ...job, inFlight: 64 }, ways: [{ ...thread, name }] },
      print,
    );
  }
  await Promise.all([user, ...followers].map((each) => each.end()));
  await owner.store.close();
}

async function reads(print: (line: string) => void): Promise<void> {
  const { owner, user, direct, thread } = await open(createMemoryStore());
  await work(owner.store, {
    kind: 'commit',
    count: objects,
    prefix: '/objects/',
    valueBytes: 1_000,
    inFlight: 64,
  });
  const ways = [direct, thread];
  const get = { kind: 'get', count: 10_000, valueBytes: 0 } as const;
  await rowsOf({ what: 'get, 64 in flight', job: { ...get, inFlight: 64 }, ways }, print);
  await rowsOf({ what: 'get, one in flight', job: { ...get, count: 3_000, inFlight: 1 }, ways }, print);
  const list = { kind: 'list', count: 1, valueBytes: 0, inFlight: 1 } as const;
  await rowsOf({ what: `list of ${objects.toLocaleString('en')} records of 1 KB`, job: list, ways }, print);
  await user.end();
  await owner.store.close();
}

/** What a store costs that another thread owns, in CPU: rates say little on a machine with two cores. */
export async function run(print: (line: string) => void): Promise<void> {
  print(`load ${loadavg()[0]?.toFixed(1)}; values of 1 KB; medians of ${rounds} rounds in turns\n`);
  print(
    '| what | how | CPU per call, all threads, us | owner | caller | per second |\n|---|---|---|---|---|---|',
  );
  await commits(createMemoryStore(), 'memory', print);
  const dataDir = mkdtempSync(join(tmpdir(), 'ilk-bench-'));
  await commits(await openSqliteStore({ dataDir }), 'SQLite', print);
  rmSync(dataDir, { recursive: true });
  await reads(print);
  print(`\nload at the end ${loadavg()[0]?.toFixed(1)}`);
}
