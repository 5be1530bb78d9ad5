import { readdirSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemTimers, type Timers } from '../../src/meta/index.ts';
import { attack, hostileClients } from './hostile-clients.ts';
import { type SizedServer, startSizedServer } from './sized-server.ts';

/** A second of the server's takes 10 ms, so that its deadlines come soon. */
const hasty: Timers = {
  after: systemTimers.after,
  every: (intervalMs, call) => systemTimers.every(intervalMs / 100, call),
};

const user = { authorization: 'Bearer of-a-user' };

let server: SizedServer;
beforeAll(async () => {
  server = await startSizedServer({ tls: true, timers: hasty });
});
afterAll(() => server.listening.close());

/** The code of the answer to a friendly client. */
function friendly(agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const to = {
      host: '127.0.0.1',
      port: server.port,
      path: '/?answer=100',
      ca: server.caPem,
      agent,
      headers: user,
    };
    httpsRequest(to, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
    })
      .once('error', reject)
      .end();
  });
}

describe.each(hostileClients.map((client) => [client.name, client] as const))('%s', (_, client) => {
  test('leaves nothing behind, and others are served', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await friendly(agent)).toBe(200);
    const ours = server.openConnections();
    const sockets: Socket[] = await Promise.all(Array.from({ length: 5 }, () => attack(client, server.port)));
    expect(await friendly(agent)).toBe(200);
    await expect.poll(() => server.openConnections(), { interval: 20 }).toBeLessThanOrEqual(ours);
    for (const socket of sockets) socket.destroy();
    agent.destroy();
  });
});

test('says why connections were closed', () => {
  expect(Object.keys(server.closedConnections()).sort()).toEqual([
    'answer not read',
    'closed by the client',
    'failed TLS handshake',
    'no TLS handshake in time',
    'no answer to a ping',
    'not authenticated in time',
    'protocol error',
    'refused anonymous request',
    'request body too slow',
    'too many stream resets',
  ]);
});

test('descriptors are back where they were', async () => {
  const open = () => readdirSync('/proc/self/fd').length;
  await expect.poll(() => server.openConnections(), { interval: 20 }).toBe(0);
  await sleep(100);
  const before = open();
  const sockets = await Promise.all(hostileClients.map((client) => attack(client, server.port)));
  await expect.poll(() => server.openConnections(), { interval: 20 }).toBe(0);
  for (const socket of sockets) socket.destroy();
  await expect.poll(open, { interval: 20 }).toBeLessThanOrEqual(before);
});
