import { partsPath } from '../data.ts';
import type { Row, Scene, Turn } from '../row.ts';
import { addKind, addObjects } from './prepare.ts';
import { timeOf } from './use.ts';

const prepareWith = (count: number) => async (turn: Omit<Turn, 'round'>) => {
  await addKind(turn.server);
  await addObjects(turn, count);
};

const tables = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

/** One list after the other. */
function listRow(row: Pick<Row, 'name' | 'what'>, request: { path: string; headers?: typeof tables }): Row {
  const measure = (turn: Turn) =>
    timeOf(turn, { connections: 1, requests: turn.contender === 'upstream' ? 1 : 10, ...request });
  return { ...row, unit: 'ms', measure };
}

const page = { path: `${partsPath}?limit=500` };

export const listScene: Scene = {
  contenders: ['ilk sqlite', 'upstream'],
  lifetime: 'scene',
  prepare: prepareWith(10_000),
  rows: [
    listRow({ name: 'list', what: 'LIST of 10,000' }, { path: partsPath }),
    listRow({ name: 'table', what: 'LIST of 10,000 as Table' }, { path: partsPath, headers: tables }),
    listRow({ name: 'page', what: 'page of 500 of 10,000' }, page),
  ],
};

/** Without upstream's server, which takes minutes to be filled. */
export const longListScene: Scene = {
  contenders: ['ilk sqlite'],
  lifetime: 'scene',
  prepare: prepareWith(100_000),
  rows: [listRow({ name: 'page-long', what: 'page of 500 of 100,000' }, page)],
};
