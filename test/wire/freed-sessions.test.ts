import { performServerHandshake } from 'node:http2';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { attack, hostileClients } from './hostile-clients.ts';
import { startSizedServer } from './sized-server.ts';

/** Node's class of the sessions of servers, which it does not export. */
function sessionClass(): () => unknown {
  const session = performServerHandshake(new PassThrough());
  session.destroy();
  return session.constructor as () => unknown;
}

const names = ['settings out of range', 'a window that overflows', 'the same stream twice'];

test('sessions that end with a protocol error are garbage once their connections are closed', async () => {
  const counted = sessionClass();
  const server = await startSizedServer({ tls: true });
  const closed = () => Object.values(server.closedConnections()).reduce((sum, count) => sum + count, 0);
  const clients = hostileClients.filter(({ name }) => names.includes(name)).flatMap((one) => [one, one, one]);
  const sockets: Socket[] = await Promise.all(clients.map((client) => attack(client, server.port)));
  await expect.poll(closed, { interval: 20 }).toBe(9);
  for (const socket of sockets) socket.destroy();
  // Counting them takes a second.
  await expect.poll(() => queryObjects(counted), { interval: 200 }).toBe(0);
  await server.listening.close();
});
