import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SizedServer, startSizedServer } from './sized-server.ts';

let server: SizedServer;
beforeAll(async () => {
  server = await startSizedServer({ tls: true });
});
afterAll(() => server.listening.close());

const dataFrame = 0;
const endStreamFlag = 1;

interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly length: number;
}

/** The whole frames at the beginning of some bytes. */
function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + 9 <= bytes.length; ) {
    const length = bytes.readUIntBE(at, 3);
    if (at + 9 + length > bytes.length) break;
    frames.push({ type: bytes[at + 3] ?? 0, flags: bytes[at + 4] ?? 0, length });
    at += 9 + length;
  }
  return frames;
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** SETTINGS with INITIAL_WINDOW_SIZE of 16 MB, and as much for the connection. */
const settings = Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0]);
const windowUpdate = Buffer.from([0, 0, 4, 8, 0, 0, 0, 0, 0, 1, 0, 0, 0]);

/** HEADERS of `GET path`, literal and not indexed. */
function headersFrame(path: string): Buffer {
  const field = (index: number, value: string) =>
    Buffer.concat([Buffer.from([index, value.length]), Buffer.from(value)]);
  // :method GET, :scheme https, :path, :authority, authorization; by their places in the static table of HPACK.
  const auth = Buffer.concat([Buffer.from([0x0f, 23 - 15, 2]), Buffer.from('me')]);
  const block = Buffer.concat([Buffer.from([0x82, 0x87]), field(0x04, path), field(0x01, 'a'), auth]);
  return Buffer.concat([Buffer.from([0, 0, block.length, 1, 5, 0, 0, 0, 1]), block]);
}

/** The DATA frames of an answer, as they come over the wire. */
async function dataFrames(path: string): Promise<Frame[]> {
  const socket = connect({ host: '127.0.0.1', port: server.port, ca: server.caPem, ALPNProtocols: ['h2'] });
  socket.on('error', () => {});
  socket.once('secureConnect', () =>
    socket.write(Buffer.concat([preface, settings, windowUpdate, headersFrame(path)])),
  );
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    const data = framesOf(bytes).filter(({ type }) => type === dataFrame);
    if (data.some(({ flags }) => (flags & endStreamFlag) !== 0)) return data;
  }
  throw new Error('the connection ended before the answer');
}

// A client that has read `content-length` bytes and no end resets the stream; Node ends connections with many resets.
test.each([1_000, 20_000, 131_072, 200_000, 600_000])(
  'the end of an answer of %i bytes stands in the frame of its last bytes',
  async (bytes) => {
    const data = await dataFrames(`/?answer=${bytes}`);
    expect(data.reduce((sum, { length }) => sum + length, 0)).toBe(bytes);
    expect(data.at(-1)?.length).toBeGreaterThan(0);
  },
);

test('a client that reads by its own pace gets all of it', async () => {
  const session = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: server.caPem });
  const stream = session.request({ ':path': '/?answer=600000', authorization: 'Bearer me' });
  let read = 0;
  stream.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  await new Promise((resolve) => stream.once('end', resolve));
  expect(read).toBe(600_000);
  session.destroy();
});
