import { ask } from '../ask.ts';
import { partsPath } from '../data.ts';
import type { Job } from '../load-generator.ts';
import type { Scene, Turn } from '../row.ts';
import { addKind, addObjects } from './prepare.ts';
import { useOf } from './use.ts';

const watchers = 1_000;
const updates = 100;

/** What there is already causes no events. */
async function watchPath({ server }: Turn): Promise<string> {
  const { body } = await ask(server, { path: `${partsPath}?limit=1` });
  const list: { readonly metadata: { readonly resourceVersion: string } } = JSON.parse(body.toString());
  return `${partsPath}?watch=true&resourceVersion=${list.metadata.resourceVersion}`;
}

async function burst(turn: Turn): Promise<Job> {
  const path = await watchPath(turn);
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  return {
    connections: 4,
    requests: updates,
    method: 'PATCH',
    path: `${partsPath}/part-{i%100}`,
    headers,
    body: `{"spec":{"note":"round ${turn.round}, {i}"}}`,
    watchers,
    watchPath: path,
  };
}

export const watchScene: Scene = {
  contenders: ['ilk sqlite', 'upstream'],
  lifetime: 'scene',
  prepare: async (turn) => {
    await addKind(turn.server);
    await addObjects(turn, 100);
  },
  rows: [
    {
      name: 'watch-h1',
      what: `events to ${watchers.toLocaleString('en')} watches over HTTP/1.1, burst of ${updates} patches`,
      unit: '/s',
      measure: async (turn) => useOf(turn, await burst(turn)),
    },
  ],
};
