import { join } from 'node:path';
import { startBare } from '../contenders.ts';
import { part, partsPath } from '../data.ts';
import type { Job } from '../load-generator.ts';
import type { Row, Scene } from '../row.ts';
import { addKind, jsonType } from './prepare.ts';
import { timeOf, useOf } from './use.ts';

interface Creates {
  readonly prefix: string;
  readonly requests: number;
  readonly inFlight: number;
}

const create = ({ prefix, requests, inFlight }: Creates): Job => ({
  connections: inFlight,
  requests,
  method: 'POST',
  path: partsPath,
  headers: jsonType,
  body: part(prefix),
});

const warm: Row = {
  name: 'create',
  what: 'durable create, 64 in flight, warm',
  unit: '/s',
  measure: (turn) => {
    const requests = turn.contender === 'upstream' ? 1_000 : 4_000;
    return useOf(turn, create({ prefix: `w${turn.round}-`, requests, inFlight: 64 }));
  },
};

/** The bare server parses the body and commits it as a row, as many as come together in one transaction. */
export const createScene: Scene = {
  contenders: ['bare', 'ilk sqlite', 'ilk etcd', 'upstream'],
  lifetime: 'scene',
  prepare: async (turn) => {
    await addKind(turn.server);
    const requests = turn.contender === 'upstream' ? 500 : 4_000;
    await turn.send(create({ prefix: 'first-', requests, inFlight: 64 }));
  },
  startBare: ({ folder, pki }) => startBare('create', join(folder, 'bare.db'), pki),
  rows: [warm],
};

const cold: Row = {
  name: 'create-cold',
  what: 'the first 300 creates of a fresh server, one at a time, p50',
  unit: 'ms',
  measure: (turn) => timeOf(turn, create({ prefix: 'cold-', requests: 300, inFlight: 1 })),
};

export const coldScene: Scene = {
  contenders: ['ilk sqlite', 'ilk etcd', 'upstream'],
  lifetime: 'round',
  prepare: ({ server }) => addKind(server),
  rows: [cold],
};
