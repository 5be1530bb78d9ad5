import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../ask.ts';
import type { PeerServer } from '../contenders.ts';
import { part, partCrd, partsPath } from '../data.ts';
import type { Turn } from '../row.ts';

/** Gives a server the kind, and waits until it is served. */
export async function addKind(server: PeerServer): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { status, body } = await ask(server, { method: 'POST', path, body: JSON.stringify(partCrd) });
  if (status !== 201) throw new Error(`the CRD was answered with ${status}: ${body}`);
  for (let attempt = 0; attempt < 1_000; attempt++) {
    if ((await ask(server, { path: partsPath })).status === 200) return;
    await sleep(20);
  }
  throw new Error('the kind is not served');
}

/** How many objects, named so that `name-{i}` finds them. */
export async function addObjects({ send }: Pick<Turn, 'send'>, count: number, spec?: object): Promise<void> {
  const job = { connections: 64, requests: count, method: 'POST', headers: jsonType };
  await send({ ...job, path: partsPath, body: part('part-', spec) });
}

export const jsonType = { 'Content-Type': 'application/json' };
