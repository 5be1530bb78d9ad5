import { partsPath, thousandValues } from '../data.ts';
import type { Job } from '../load-generator.ts';
import type { Scene, Turn } from '../row.ts';
import { addKind, addObjects } from './prepare.ts';
import { useOf } from './use.ts';

/** More than a server keeps decoded: each patch is of an object that was not written lately. */
const objects = 500;

const patch = ({ round }: Turn): Job => ({
  connections: 8,
  requests: 1_000,
  method: 'PATCH',
  path: `${partsPath}/part-{i%${objects}}/status`,
  headers: { 'Content-Type': 'application/merge-patch+json' },
  body: `{"status":{"phase":"r${round}-{i}"}}`,
});

const statusScene = (name: string, what: string, spec: object): Scene => ({
  contenders: ['ilk sqlite', 'upstream'],
  lifetime: 'scene',
  prepare: async (turn) => {
    await addKind(turn.server);
    await addObjects(turn, objects, spec);
  },
  rows: [{ name, what, unit: '/s', measure: (turn) => useOf(turn, patch(turn)) }],
});

export const statusScenes: readonly Scene[] = [
  statusScene('status', 'status patch, 8 in flight', {}),
  statusScene('status-wide', 'the same of objects with 1,000 more fields', thousandValues),
];
