import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SizedServer, startSizedServer } from './sized-server.ts';

let secure: SizedServer;
let plain: SizedServer;
beforeAll(async () => {
  secure = await startSizedServer({ tls: true });
  plain = await startSizedServer({ tls: false });
});
afterAll(() => Promise.all([secure.listening.close(), plain.listening.close()]));

/** More than the buffers of both sockets hold: an answer of this size cannot drain before it is read. */
const undrainableBytes = 12_000_000;
const bodyBytes = 40_000;

function opened(server: SizedServer): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port: server.port };
    const socket =
      server.caPem === undefined
        ? connectPlain(to, () => resolve(socket))
        : connectTls({ ...to, ca: server.caPem, ALPNProtocols: ['http/1.1'] }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends a request whose head and body are TLS records of their own, in one segment where they fit. */
function send(socket: Socket, answer: number, body: number): void {
  socket.cork();
  socket.write(`POST /?answer=${answer} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body}\r\n\r\n`);
  for (let at = 0; at < body; at += 10_000) socket.write('b'.repeat(Math.min(10_000, body - at)));
  socket.uncork();
}

/** Reads a number of responses, or fewer if the connection ends; returns the length of each request's body. */
function answers(socket: Socket, count: number): Promise<string[]> {
  const lengths: string[] = [];
  let unread = Buffer.alloc(0);
  let missing = 0;
  return new Promise((resolve) => {
    socket.once('close', () => resolve(lengths));
    socket.on('data', (chunk: Buffer) => {
      const skipped = Math.min(missing, chunk.length);
      missing -= skipped;
      unread = Buffer.concat([unread, chunk.subarray(skipped)]);
      for (let end = unread.indexOf('\r\n\r\n'); end !== -1; end = unread.indexOf('\r\n\r\n')) {
        const head = unread.toString('latin1', 0, end);
        lengths.push(/body-length: (\d+)/.exec(head)?.[1] ?? '');
        const answerEnd = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
        missing = Math.max(0, answerEnd - unread.length);
        unread = unread.subarray(Math.min(answerEnd, unread.length));
      }
      if (lengths.length === count && missing === 0) resolve(lengths);
    });
    socket.resume();
  });
}

test.each([
  ['TLS', () => secure],
  ['plain', () => plain],
] as const)('a request that comes before the last answer has drained is answered, %s', async (_, server) => {
  for (let round = 0; round < 2; round += 1) {
    const socket = await opened(server());
    socket.pause();
    send(socket, undrainableBytes, 1);
    // The head of an answer shows that the server has written it, as far as the buffers take it.
    await new Promise((resolve) => socket.once('readable', resolve));
    for (let next = 0; next < 3; next += 1) send(socket, 20_000, bodyBytes);
    expect(await answers(socket, 4)).toEqual(['1', ...Array(3).fill(String(bodyBytes))]);
    socket.destroy();
  }
});

test('answers of requests in a row all come, in their order', async () => {
  const socket = await opened(secure);
  const sizes = [0, 1, 16_383, 16_384, 16_385, 65_536, 1_000_000];
  for (const size of sizes) send(socket, size, size);
  expect(await answers(socket, sizes.length)).toEqual(sizes.map(String));
  socket.destroy();
});
