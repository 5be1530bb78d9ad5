import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { patch, WebhookServer } from './webhook-server.test-support.ts';
import { widget, Widgets } from './widgets.test-support.ts';

/**
 * Webhooks that do harm, beside those in webhooks.test.ts (too slow, endless, another uid, redirects, another name, broken
 * owners). After each the server is asked whether it is well, and takes what no webhook is asked about.
 */
let hooks: WebhookServer;
let widgets: Widgets;
beforeAll(async () => {
  hooks = await WebhookServer.start();
  widgets = await Widgets.start();
});
afterAll(async () => {
  await widgets[Symbol.asyncDispose]();
  await hooks[Symbol.asyncDispose]();
});
afterEach(async () => {
  expect((await widgets.server.fetch('/readyz')).status).toBe(200);
  const other = { metadata: { generateName: 'well-' } };
  expect((await widgets.call('POST', '/api/v1/namespaces/default/configmaps', other)).code).toBe(201);
  for (const phase of ['mutating', 'validating'])
    await widgets.call('DELETE', `/apis/admissionregistration.k8s.io/v1/${phase}webhookconfigurations`);
  expect((await widgets.create('well')).code).toBe(201);
  await widgets.call('DELETE', widgets.path());
});

/** What a create is refused with. */
async function refusal(): Promise<string> {
  const { code, body } = await widgets.create('a');
  expect([code, body.reason]).toEqual([500, 'InternalError']);
  expect((await widgets.call('GET', widgets.path('a'))).code).toBe(404);
  return body.message;
}

const failed = (path: string, timeout: string) =>
  `Internal error occurred: failed calling webhook "${path}.example.com": failed to call webhook: Post "https://127.0.0.1:${hooks.port}/${path}?timeout=${timeout}": `;

test('one that dies before it answers', async () => {
  hooks.raw('dies', (request) => request.socket.destroy());
  await widgets.configure('validating', [hooks.hook('dies')]);
  expect(await refusal()).toBe(`${failed('dies', '5s')}EOF`);
});

test('one that dies in the middle of its answer', async () => {
  hooks.raw('half', (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"kind":', () => response.socket?.destroy());
  });
  await widgets.configure('validating', [hooks.hook('half')]);
  expect(await refusal()).toBe(
    'Internal error occurred: failed calling webhook "half.example.com": failed to call webhook: unexpected error when reading response body. Please retry. Original error: unexpected EOF',
  );
});

test('one that sends a byte at a time, endlessly', async () => {
  let isClosed = false;
  hooks.raw('drips', (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 20);
    response.once('close', () => {
      clearInterval(drip);
      isClosed = true;
    });
  });
  await widgets.configure('validating', [hooks.hook('drips', { timeoutSeconds: 1 })]);
  expect(await refusal()).toBe(
    'Internal error occurred: failed calling webhook "drips.example.com": failed to call webhook: unexpected error when reading response body. Please retry. Original error: context deadline exceeded',
  );
  await expect.poll(() => isClosed).toBe(true);
});

/** Something that listens, and is no webhook. */
async function listening(onSocket: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('one that accepts the connection and does not respond', async () => {
  const sockets: Socket[] = [];
  const { server, port } = await listening((socket) => sockets.push(socket));
  const clientConfig = { url: `https://127.0.0.1:${port}/` };
  await widgets.configure('validating', [hooks.hook('mute', { clientConfig, timeoutSeconds: 1 })]);
  expect(await refusal()).toBe(
    `Internal error occurred: failed calling webhook "mute.example.com": failed to call webhook: Post "https://127.0.0.1:${port}/?timeout=1s": context deadline exceeded`,
  );
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('one that speaks no TLS', async () => {
  const { server, port } = await listening((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  const clientConfig = { url: `https://127.0.0.1:${port}/` };
  await widgets.configure('validating', [hooks.hook('plain', { clientConfig })]);
  expect(await refusal()).toBe(
    `Internal error occurred: failed calling webhook "plain.example.com": failed to call webhook: Post "https://127.0.0.1:${port}/?timeout=5s": http: server gave HTTP response to HTTPS client`,
  );
  server.close();
});

test('one whose patch is deep, or grows without end', async () => {
  const deep = `[{"op":"add","path":"/spec/tags","value":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`;
  hooks.on('deep', () => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(deep).toString('base64'),
  }));
  await widgets.configure('mutating', [hooks.hook('deep')]);
  expect(await refusal()).toBe(
    'Internal error occurred: failed calling webhook "deep.example.com": received undecodable patch in webhook response: invalid character \'[\' exceeded max depth',
  );
  const doubles = Array.from({ length: 40 }, (_, index) => ({
    op: 'copy',
    from: '/spec',
    path: `/spec/copy${index}`,
  }));
  hooks.on('grows', () => patch(...doubles));
  await widgets.configure('mutating', [hooks.hook('grows')]);
  expect(await refusal()).toBe('Internal error occurred: copies grow without bound');
});

test('one that writes into the server that asks it, and waits for the answer', async () => {
  let depth = 0;
  let deepest = 0;
  let isOver = false;
  hooks.raw('calls-back', async (request, response) => {
    depth += 1;
    deepest = Math.max(deepest, depth);
    const name = `child-${hooks.asked.length}`;
    if (!isOver) await widgets.call('POST', widgets.path(), widget(name));
    depth -= 1;
    request.socket.destroy();
    response.destroy();
  });
  await widgets.configure('validating', [hooks.hook('calls-back', { timeoutSeconds: 1 })]);
  expect(await refusal()).toBe(`${failed('calls-back', '1s')}context deadline exceeded`);
  isOver = true;
  await expect.poll(() => depth, { timeout: 30_000 }).toBe(0);
  expect(deepest).toBeGreaterThan(1);
  expect((await widgets.call('GET', widgets.path())).body.items).toEqual([]);
});
