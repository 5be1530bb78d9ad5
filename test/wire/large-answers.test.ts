import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SizedServer, startSizedServer } from './sized-server.ts';

const bytes = 24_000_000;
const authorization = 'Bearer of-a-user';

let server: SizedServer;
let session: ClientHttp2Session;
beforeAll(async () => {
  server = await startSizedServer({ tls: true });
  // Room for all answers at once: the limit that is tested is the server's, not this client's.
  session = connect(`https://127.0.0.1:${server.port}`, { ca: server.caPem, maxSessionMemory: 1_000 });
});
afterAll(() => {
  session.destroy();
  return server.listening.close();
});

function opened(path: string): Promise<ClientHttp2Stream> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path, authorization });
    stream.once('error', reject);
    stream.once('response', () => resolve(stream));
  });
}

async function lengthOf(stream: ClientHttp2Stream): Promise<number> {
  let length = 0;
  for await (const chunk of stream) length += (chunk as Buffer).length;
  return length;
}

// Node ends a session for which more than 10 MB wait to be sent, with ENHANCE_YOUR_CALM.
test.each([
  ['whole', `/?answer=${bytes}`],
  ['in pieces', `/?answer=${bytes}&chunked=1`],
])('four answers of 24 MB, made %s, come over one connection', async (_, path) => {
  const streams = await Promise.all([path, path, path, path].map(opened));
  // All of them wait for their reader before the first is read.
  expect(await Promise.all(streams.map(lengthOf))).toEqual([bytes, bytes, bytes, bytes]);
  expect(session.closed).toBe(false);
});
