import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Served, widget, widgetsPath } from './http/served.ts';
import { type QuietLatencies, quietLatencies } from './overload/quiet-user.ts';
import { type Scene, scenes } from './overload/scenes.ts';
import { SharedServer } from './overload/shared-server.ts';
import { onlyOne, type Servers, startTwo } from './overload/two-servers.ts';
import { LoadGenerator } from './peer/load-generator.ts';

const rounds = 5;
const requestsPerRound = 4_000;
const aloneMs = 4_000;
const besideMs = 6_000;

/** Milliseconds of CPU that a process has used. */
function cpuMs(served: Served): number {
  const fields = readFileSync(`/proc/${served.child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** CPU of the server for one GET, in microseconds, with 32 connections. */
async function cpuOfGet(server: SharedServer): Promise<number> {
  const path = '/api/v1/namespaces/default';
  const open = server.open('filler', { connections: 32, requests: requestsPerRound, path });
  await open.ready;
  const before = cpuMs(server.served);
  open.begin();
  await open.outcome;
  const used = cpuMs(server.served) - before;
  await open.close();
  return (used * 1000) / requestsPerRound;
}

type Print = (line: string) => void;

async function costOfFairness(print: Print, fair: SharedServer, counted: SharedServer): Promise<void> {
  const [on, off]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    off.push(await cpuOfGet(counted));
    on.push(await cpuOfGet(fair));
  }
  const [with_, without] = [median(on), median(off)];
  print(
    `GET: ${with_.toFixed(0)} us of CPU with fairness, ${without.toFixed(0)} without: ${(without / with_).toFixed(2)} x\n`,
  );
}

const shown = ({ p50, p99 }: QuietLatencies['get']) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`;

/** One row: the quiet user alone, then beside somebody else. */
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
 * their own, written in Go. `--only TEXT` runs the scenes whose names contain it. `--etcd` starts two servers on one etcd:
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
    if (only.length === 0 && !onEtcd) {
      const counted = await SharedServer.start(
        join(folder, 'counted'),
        load,
        '--enable-priority-and-fairness=false',
      );
      await costOfFairness(print, servers.quiet, counted);
      await counted.served.stop();
    }
    await quietUser(print, servers, only);
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
