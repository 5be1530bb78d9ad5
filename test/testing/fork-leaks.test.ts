import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { objectOf } from '../controllers/api.ts';
import { crdOf } from '../fixtures/crd.ts';

const forks = 200;
const widgets = '/apis/example.com/v1/namespaces/default/widgets';

setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');

/** Everything that Node knows to be open: timers, also those that do not keep the process alive, sockets, servers. */
const open = new Map<number, string>();
const watched = new Set(['Timeout', 'TCPSERVERWRAP', 'TCPWRAP', 'HTTPINCOMINGMESSAGE']);
const hook = createHook({
  init: (id, type) => void (watched.has(type) && open.set(id, type)),
  destroy: (id) => void open.delete(id),
});

function openNow(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const type of open.values()) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** Collects garbage; finalizers run a turn later. */
async function collect(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    gc();
  }
  return process.memoryUsage().heapUsed;
}

let parent: IlkServer;
beforeAll(async () => {
  const objects = Array.from({ length: 100 }, (_, index) => objectOf('Widget', `w${index}`));
  parent = await startServer({ crds: [crdOf('Widget')], objects });
});
afterAll(() => parent.close());

/** Opens a request on a connection of its own. A client that keeps connections would keep one for each fork. */
function send(fork: IlkServer, method: string, path: string, body?: string): Promise<IncomingMessage> {
  const { token } = /token: (?<token>\S+)/.exec(fork.kubeconfig)?.groups ?? {};
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(`${fork.url}${path}`, { method, headers, agent: false }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What a test does: reads, writes and watches, through a socket and without one, and does not tidy up. */
async function use(fork: IlkServer, number: number): Promise<void> {
  const created = await send(fork, 'POST', widgets, JSON.stringify(objectOf('Widget', `of-${number}`)));
  created.resume();
  expect(created.statusCode).toBe(201);
  const watch = await send(fork, 'GET', `${widgets}?watch=true`);
  await once(watch, 'data');
  const inside = await fork.fetch(`${widgets}?watch=true`);
  await inside.body?.getReader().read();
  const mine = (await namesAt(fork)).filter((name) => name.startsWith('of-'));
  expect(mine).toEqual([`of-${number}`]);
  await fork.fetch(`${widgets}/w1`, { method: 'DELETE' });
  if (number % 2 === 0) watch.destroy();
}

async function namesAt(server: IlkServer): Promise<string[]> {
  const { items } = JSON.parse(await (await server.fetch(widgets)).text());
  return items.map((one: { metadata: { name: string } }) => one.metadata.name);
}

async function runSuite(): Promise<WeakRef<IlkServer>[]> {
  return Promise.all(
    Array.from({ length: forks }, async (_, number) => {
      await using fork = await parent.fork();
      await use(fork, number);
      return new WeakRef(fork);
    }),
  );
}

/** A hook that stays on makes all promises slow, for every test after it. */
async function watching<T>(run: () => Promise<T>): Promise<T> {
  hook.enable();
  try {
    return await run();
  } finally {
    hook.disable();
  }
}

const settleRounds = 50;

/** What is open beyond what was, once sockets that are being closed on a busy machine are closed. */
async function settled(before: Record<string, number>) {
  // What another file of this process left open may have gone meanwhile.
  const beyond = () => Object.entries(openNow()).filter(([type, count]) => count > (before[type] ?? 0));
  let heapAfter = await collect();
  for (let round = 0; round < settleRounds && beyond().length > 0; round += 1) heapAfter = await collect();
  return { more: beyond(), heapAfter };
}

test('200 forks in parallel leave nothing behind: no timer, no socket, no server, no memory', async () => {
  const { servers, more, heapBefore, heapAfter } = await watching(async () => {
    await runSuite();
    const heapBefore = await collect();
    const openBefore = openNow();
    const servers = await runSuite();
    return { servers, ...(await settled(openBefore)), heapBefore };
  });
  expect(servers.filter((one) => one.deref() !== undefined)).toHaveLength(0);
  expect(more).toEqual([]);
  expect((heapAfter - heapBefore) / forks).toBeLessThan(4_096);
  expect(await namesAt(parent)).toHaveLength(100);
}, 120_000);
