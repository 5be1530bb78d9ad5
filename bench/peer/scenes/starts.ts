import { setTimeout as sleep } from 'node:timers/promises';
import { startNode } from '../contenders.ts';
import { rssMb } from '../process-use.ts';
import type { Row, Scene, Turn } from '../row.ts';

/** Long enough for what a server does once it serves. */
const settleMs = 3_000;

const start: Row = {
  name: 'start',
  what: 'spawn to ready, empty data directory (bare: Node itself)',
  unit: 'ms',
  measure: async ({ server }) => ({ value: server.started.ms, cpuUs: server.started.cpuUs }),
};

const startAgain: Row = {
  name: 'start-again',
  what: 'the second start on the same data directory',
  unit: 'ms',
  contenders: ['ilk sqlite'],
  measure: async ({ server }: Turn) => {
    await server.stop();
    const second = await server.again?.();
    if (second === undefined) throw new Error('it cannot start again');
    await second.stop();
    return { value: second.started.ms, cpuUs: second.started.cpuUs };
  },
};

const memory: Row = {
  name: 'memory',
  what: 'memory of an empty server (bare: Node itself)',
  unit: 'MB',
  measure: async ({ server }) => {
    await sleep(settleMs);
    return { value: rssMb(server.pid) };
  },
};

const idle = 'process.stdout.write("listening 0\\n"); setInterval(() => {}, 1e9)';

export const startScene: Scene = {
  contenders: ['bare', 'ilk sqlite', 'upstream'],
  lifetime: 'round',
  ownCertificates: true,
  rounds: 5,
  startBare: ({ pki }) => startNode(['-e', idle], pki),
  rows: [start, memory, startAgain],
};
