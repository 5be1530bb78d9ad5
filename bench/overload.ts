import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Served, widget, widgetsPath } from './http/served.ts';
import { type QuietLatencies, quietLatencies } from './overload/quiet-user.ts';
import { type Scene, scenes } from './overload/scenes.ts';
import { SharedServer } from './overload/shared-server.ts';
import { onlyOne, type Servers, startTwo } from './overload/two-servers.ts';
import { LoadGenerator } from './peer/load-generator.ts';

/** An odd number: medians are of one round. */
const rounds = 9;
const requestsPerRound = 10_000;
/** Requests before the first round, while V8 still compiles. */
const warmUpRequests = 20_000;
const aloneMs = 4_000;
const besideMs = 6_000;

/** Microseconds of CPU that all threads of a process have used; the kernel counts nanoseconds. */
function cpuUs({ child }: Served): number {
  const folder = `/proc/${child.pid}/task`;
  const ns = readdirSync(folder).map(
    (task) => readFileSync(`${folder}/${task}/schedstat`, 'utf8').split(' ')[0],
  );
  return ns.reduce((sum, text) => sum + Number(text), 0) / 1000;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** CPU of the server for one GET, in microseconds, with 32 connections. */
async function cpuOfGet(server: SharedServer, requests = requestsPerRound): Promise<number> {
  const path = '/api/v1/namespaces/default';
  const open = server.open('filler', { connections: 32, requests, path });
  await open.ready;
  const before = cpuUs(server.served);
  open.begin();
  await open.outcome;
  const used = cpuUs(server.served) - before;
  await open.close();
  return used / requests;
}

type Print = (line: string) => void;

/** What several servers need for a GET, in turns that begin with another server each time; medians. */
async function compareGets(servers: readonly SharedServer[]): Promise<number[]> {
  const costs = servers.map((): number[] => []);
  for (const server of servers) await cpuOfGet(server, warmUpRequests);
  for (let round = 0; round < rounds; round += 1) {
    for (let step = 0; step < servers.length; step += 1) {
      const at = (round + step) % servers.length;
      const server = servers[at];
      if (server !== undefined) costs[at]?.push(await cpuOfGet(server));
    }
  }
  return costs.map(median);
}

/** Two servers without fairness: how much they differ is how much the figure can be trusted. */
async function costOfFairness(
  print: Print,
  fair: SharedServer,
  counted: readonly SharedServer[],
): Promise<void> {
  const [on = 0, off = 0, again = 0] = await compareGets([fair, ...counted]);
  const us = (value: number) => value.toFixed(1);
  print(
    `GET: ${us(on)} us of CPU with fairness, ${us(off)} and ${us(again)} in two servers without: ` +
      `${((off + again) / 2 / on).toFixed(2)} x; the two differ by ${(off / again).toFixed(2)} x\n`,
  );
}

const shown = ({ p50, p99 }: QuietLatencies['get']) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`;

/** One row: the quiet user alone, then beside another user. */
async function besideScene(print: Print, scene: Scene, { quiet, other }: Servers): Promise<void> {
  const alone = await quietLatencies(quiet, aloneMs);
  const end = await scene.begin(other);
  await sleep(500);
  const beside = await quietLatencies(quiet, besideMs);
  const { statuses, wallMs, requests } = await end();
  const ratio = (verb: 'get' | 'create') => (beside[verb].p99 / alone[verb].p99).toFixed(1);
  const answers = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  print(
    `| ${scene.name} | ${shown(alone.get)} | ${shown(beside.get)} | ${ratio('get')} x | ${shown(alone.create)} | ${shown(beside.create)} | ${ratio('create')} x | ${answers.join(', ')} (${Math.round((requests / wallMs) * 1000)} /s) |`,
  );
}

async function fill(server: SharedServer, objects: number): Promise<void> {
  const body = JSON.stringify(widget('w-{i}'));
  const headers = { 'content-type': 'application/json' };
  const job = { connections: 64, requests: objects, method: 'POST', path: widgetsPath, body, headers };
  await server.run('filler', job);
}

async function quietUser(print: Print, servers: Servers, names: readonly string[]): Promise<void> {
  await quietLatencies(servers.quiet, aloneMs);
  print(
    '| beside | GET alone, p50 / p99 ms | beside | ratio of p99 | create alone | beside | ratio of p99 | answers of the other |\n|---|---|---|---|---|---|---|---|',
  );
  let objects = 0;
  for (const scene of scenes) {
    if (names.length > 0 && !names.some((name) => scene.name.includes(name))) continue;
    const needed = scene.objects ?? 0;
    if (objects < needed) await fill(servers.other, needed);
    objects = Math.max(objects, needed);
    await besideScene(print, scene, servers);
  }
}

/**
 * Priority and fairness: what it costs, and how long a quiet user waits beside the work of another. Clients are processes of
 * their own, written in Go. `--only TEXT` runs the scenes whose names contain it, `--only cost` only what it costs. `--etcd` starts two servers on one etcd:
 * the quiet user sends requests to one, the other user to the other.
 */
export async function run(print: Print, options: readonly string[] = []): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-overload-'));
  const load = LoadGenerator.build(folder);
  const onEtcd = options.includes('--etcd');
  const only = options.includes('--only') ? options.filter((text) => !text.startsWith('--')) : [];
  const servers = onEtcd
    ? await startTwo(folder, load)
    : onlyOne(await SharedServer.start(join(folder, 'fair'), load));
  try {
    if ((only.length === 0 || only.includes('cost')) && !onEtcd) {
      const start = (name: string) =>
        SharedServer.start(join(folder, name), load, '--enable-priority-and-fairness=false');
      const counted = [await start('counted'), await start('counted-again')];
      await costOfFairness(print, servers.quiet, counted);
      for (const { served } of counted) await served.stop();
    }
    await quietUser(print, servers, only);
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
