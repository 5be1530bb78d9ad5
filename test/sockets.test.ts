import { once } from 'node:events';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';

let server: IlkServer;
let credentials: { ca: string; cert: string; key: string };
beforeAll(async () => {
  server = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: true } });
  const part = (name: string) => {
    const found = new RegExp(`${name}-data: *"?([A-Za-z0-9+/=]+)`).exec(server.kubeconfig)?.[1] ?? '';
    return Buffer.from(found, 'base64').toString();
  };
  credentials = { ca: server.caPem ?? '', cert: part('client-certificate'), key: part('client-key') };
});
afterAll(() => server.close());

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: Buffer;
}

/** The code of the answer over HTTP/1.1. */
function overHttp1({ method, path, body }: Sent): Promise<number | undefined> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request({ hostname, port, path, method, headers, ...credentials }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The code of the answer over HTTP/2. */
function overHttp2({ method, path, body }: Sent): Promise<number | undefined> {
  // Room for the whole body at once: the limit that is tested is the server's, not this client's.
  const session = connect(server.url, { ...credentials, maxSessionMemory: 100 });
  return new Promise<number | undefined>((resolve, reject) => {
    session.on('error', reject);
    const headers = { ':method': method, ':path': path, 'content-type': 'application/json' };
    const stream = session.request(headers, { endStream: body === undefined });
    stream.on('error', reject);
    stream.on('response', (answer) => resolve(answer[':status']));
    if (body !== undefined) stream.end(body);
  }).finally(() => session.destroy());
}

const ways = [
  ['HTTP/1.1', overHttp1],
  ['HTTP/2', overHttp2],
] as const;

test.each(ways)('a selector of many kilobytes gets through %s', async (_, send) => {
  const names = Array.from({ length: 6_000 }, (_unused, index) => `name-${index}`).join(',');
  const path = `/api/v1/namespaces?labelSelector=kubernetes.io/metadata.name+in+(default,${names})`;
  expect(path.length).toBeGreaterThan(50_000);
  expect(await send({ method: 'GET', path })).toBe(200);
});

test.each(ways)('a body above the limit is answered with 413 over %s', async (_, send) => {
  const body = Buffer.alloc(limits.requestBodyBytesMax + 1, ' ');
  expect(await send({ method: 'POST', path: '/api/v1/namespaces', body })).toBe(413);
});

test.each(ways)('a body far above the limit is answered with 413 over %s', async (_, send) => {
  const body = Buffer.alloc(8 * limits.requestBodyBytesMax, ' ');
  expect(await send({ method: 'POST', path: '/api/v1/namespaces', body })).toBe(413);
});

test('plain HTTP to the TLS port gets the error of a server in Go', async () => {
  const socket = connectTcp(Number(new URL(server.url).port), '127.0.0.1');
  socket.write('GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  await once(socket, 'close');
  expect(Buffer.concat(pieces).toString()).toBe(
    'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
  );
});
