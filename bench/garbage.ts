import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';

const dependents = 1_000;
const rounds = 5;
const inFlight = 32;
const configMaps = '/api/v1/namespaces/default/configmaps';

/**
 * An owner of a thousand objects is deleted in the background: how long until the last of them is gone, against clients
 * that delete as many objects one by one. In memory, so that what is measured is the collector and not the disk.
 */
export async function run(print: (line: string) => void): Promise<void> {
  const plain: number[] = [];
  const collected: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [plainMs, collectedMs] = [await deleteEach(), await deleteOwner()];
    // The first round compiles.
    if (round === 0) continue;
    plain.push(plainMs);
    collected.push(collectedMs);
  }
  const [plainMs, collectedMs] = [median(plain), median(collected)];
  const rate = (ms: number) => `${Math.round((dependents * 1000) / ms).toLocaleString('en')} /s`;
  print(`| ${dependents} ConfigMaps, median of ${rounds} | time | rate |\n|---|---|---|`);
  print(`| deleted one by one, ${inFlight} in flight | ${plainMs.toFixed(0)} ms | ${rate(plainMs)} |`);
  print(`| collected after their owner | ${collectedMs.toFixed(0)} ms | ${rate(collectedMs)} |`);
  print(`| ratio of the rates | ${(plainMs / collectedMs).toFixed(2)} x | at least 0.5 x |`);
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function call(
  server: IlkServer,
  method: string,
  path: string,
  object?: KubeObject,
): Promise<KubeObject> {
  const headers = { 'content-type': 'application/json' };
  const init = object === undefined ? { method } : { method, headers, body: JSON.stringify(object) };
  const answer = await server.fetch(path, init);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status}`);
  return JSON.parse(await answer.text());
}

const configMap = (name: string, more: KubeObject = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
});

async function each(work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < dependents) await work(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

async function deleteEach(): Promise<number> {
  await using server = await startServer({ listen: false });
  await each((index) => call(server, 'POST', configMaps, configMap(`c${index}`)));
  await sleep(200);
  const started = performance.now();
  await each((index) => call(server, 'DELETE', `${configMaps}/c${index}`));
  return performance.now() - started;
}

async function deleteOwner(): Promise<number> {
  await using server = await startServer({ listen: false });
  const { metadata } = await call(server, 'POST', configMaps, configMap('owner'));
  const uid = typeof metadata === 'object' && metadata !== null && 'uid' in metadata ? metadata['uid'] : '';
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: uid ?? '' };
  await each((index) =>
    call(server, 'POST', configMaps, configMap(`c${index}`, { ownerReferences: [owner] })),
  );
  await sleep(200);
  const started = performance.now();
  await call(server, 'DELETE', `${configMaps}/owner?propagationPolicy=Background`);
  while (await anyLeft(server)) await sleep(1);
  return performance.now() - started;
}

async function anyLeft(server: IlkServer): Promise<boolean> {
  const { items } = await call(server, 'GET', `${configMaps}?limit=1`);
  return Array.isArray(items) && items.length > 0;
}
