import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../ask.ts';
import { type PeerServer, startBare } from '../contenders.ts';
import { partsPath } from '../data.ts';
import type { Row, Scene, Turn } from '../row.ts';
import { addKind, addObjects } from './prepare.ts';
import { useOf } from './use.ts';

const objects = 100;
const path = `${partsPath}/part-{i%${objects}}`;

async function prepare(turn: Omit<Turn, 'round'>): Promise<void> {
  await addKind(turn.server);
  await addObjects(turn, objects);
}

/** A bare server that sends what Ilk answers. */
function bareOf(mode: string) {
  return async ({ folder, pki }: { folder: string; pki: string }, sample: PeerServer | undefined) => {
    if (sample === undefined) throw new Error('there is no server whose answer could be sent');
    const file = join(folder, 'answer.json');
    writeFileSync(file, (await ask(sample, { path: `${partsPath}/part-7` })).body);
    return startBare(mode, file, pki);
  };
}

/** Enough for two seconds or so; upstream's server takes a tenth of them. */
const requestsOf = ({ contender }: Turn) => (contender === 'upstream' ? 3_000 : 30_000);

const getHttp2: Row = {
  name: 'get-h2',
  what: 'GET over HTTP/2, one connection, 32 streams',
  unit: '/s',
  measure: (turn) =>
    useOf(turn, { protocol: 'h2', connections: 1, streams: 32, requests: requestsOf(turn), path }),
};

const getHttp1: Row = {
  name: 'get-h1',
  what: 'GET over HTTP/1.1, 32 connections',
  unit: '/s',
  measure: (turn) => useOf(turn, { connections: 32, requests: requestsOf(turn), path }),
};

const shared = { contenders: ['bare', 'ilk sqlite', 'upstream'], lifetime: 'scene', prepare } as const;

export const getHttp2Scene: Scene = { ...shared, startBare: bareOf('get-h2'), rows: [getHttp2] };
export const getScene: Scene = { ...shared, startBare: bareOf('get'), rows: [getHttp1] };
