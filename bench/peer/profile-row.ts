import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../http/served.ts';
import type { Site } from './contenders.ts';
import type { LoadGenerator } from './load-generator.ts';
import { type CpuProfile, profileReport } from './profile.ts';
import type { Turn } from './row.ts';
import { scenes } from './scenes.ts';

interface ProfileParts {
  readonly site: Site & { readonly pki: string };
  readonly load: LoadGenerator;
  readonly print: (line: string) => void;
}

/** The first ones compile and are not profiled. */
const [warmUpTurns, profiledTurns] = [2, 2];

/** Measures one row of Ilk under V8's profiler and prints where its processor time goes. */
export async function profileRow(name: string, { site, load, print }: ProfileParts): Promise<void> {
  const { scene, row } = find(name.toLowerCase());
  const script = join(import.meta.dirname, 'peer', 'profiled-ilk.mjs');
  const flags = ['--data-dir', join(site.folder, 'profiled'), '--cert-dir', site.pki, '--secure-port', '0'];
  const { port, child, stop } = await startProcess([script, 'serve', ...flags], /serving on \S+:(\d+)/);
  try {
    const started = { ms: 0, cpuUs: 0 };
    const server = { port, pid: child.pid ?? 0, etcdPid: undefined, pki: site.pki, started, stop };
    const send: Turn['send'] = (job, atEdge) => load.run(job, server, atEdge);
    const turn = { contender: 'ilk sqlite', server, send } as const;
    await scene.prepare?.(turn);
    for (let round = 0; round < warmUpTurns + profiledTurns; round++) {
      if (round === warmUpTurns) child.send('start');
      print(`${row.name}: ${JSON.stringify(await row.measure({ ...turn, round }))}`);
    }
    const file = join(site.folder, 'row.cpuprofile');
    child.send(file);
    await once(child, 'message');
    const profile: CpuProfile = JSON.parse(readFileSync(file, 'utf8'));
    for (const line of profileReport(profile, readFileSync(script, 'utf8'))) print(line);
  } finally {
    await stop();
  }
}

function find(name: string) {
  for (const scene of scenes) {
    const row = scene.rows.find((one) => one.name === name);
    if (row !== undefined) return { scene, row };
  }
  const names = scenes.flatMap(({ rows }) => rows.map((one) => one.name));
  throw new Error(`there is no row ${name}; there are ${names.join(', ')}`);
}
