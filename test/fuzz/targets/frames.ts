import { connect as connectTcp, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Random } from '../random.ts';
import type { FuzzAddress, FuzzTarget } from '../target.ts';

const heads: readonly string[] = [
  ...[
    'Host: a',
    'Host: a\r\nHost: b',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 5\r\nContent-Length: 6',
  ],
  ...[
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding: x',
    'Connection: upgrade\r\nUpgrade: h2c',
  ],
  ...[
    'Expect: 100-continue',
    'Connection: close',
    'Authorization: Bearer x',
    'Accept: ;',
    ' folded: x',
    'X: \u0000',
    'X: y\nZ: w',
  ],
  `X: ${'y'.repeat(20_000)}`,
];
const bodies: readonly string[] = [
  '',
  '{}',
  '5\r\nhello\r\n0\r\n\r\n',
  'ffffffffffffffff\r\n',
  '-1\r\n',
  '5;a=b\r\nhel',
  '\r\n\r\n',
];
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Requests of HTTP/1.1 and frames of HTTP/2, well formed and not, on connections that stay, break and stall. */
export const frames: FuzzTarget = {
  name: 'frames',
  shortCases: 60,
  prepare: async () => {},
  run: async (random, send, address) => {
    const isHttp2 = random.chance(0.5);
    const bytes = isHttp2 ? http2(random) : http1(random);
    const open = await opened(address, isHttp2 ? 'h2' : 'http/1.1');
    if (open === undefined) throw new Error('the server takes no connections any more');
    for (const piece of pieces(random, bytes)) open.socket.write(piece);
    await settle(random, open);
    // Whatever one connection does, others are answered.
    const { code } = await send({ method: 'GET', path: '/readyz' });
    if (code !== 200) throw new Error(`/readyz: ${code}`);
  },
};

/** What bytes are sent through, and what they go over. */
interface Opened {
  readonly socket: TLSSocket;
  readonly raw: Socket;
}

async function opened({ host, port }: FuzzAddress, protocol: string): Promise<Opened | undefined> {
  const raw = connectTcp(port, host);
  const socket = connect({ socket: raw, ALPNProtocols: [protocol], rejectUnauthorized: false });
  raw.on('error', () => {});
  // What the server does to it is its business.
  socket.on('error', () => {});
  socket.resume();
  const connected = await Promise.race([
    new Promise<boolean>((resolve) => socket.once('secureConnect', () => resolve(true))),
    closed(socket).then(() => false),
  ]);
  return connected ? { socket, raw } : undefined;
}

/** Whether or not an error came before. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function http1(random: Random): Buffer {
  const one = () => {
    const method = random.pick([
      'GET',
      'POST',
      'PUT',
      'PRI',
      'CONNECT',
      'OPTIONS',
      'get',
      '',
      'X'.repeat(100),
    ]);
    const path = random.pick([
      '/readyz',
      '/api/v1/namespaces',
      '*',
      '//',
      '/%00',
      'http://a/b',
      '/..',
      '',
      `/${'x'.repeat(9_000)}`,
    ]);
    const version = random.pick(['HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', '']);
    return `${method} ${path} ${version}\r\n${random.some(4, () => random.pick(heads)).join('\r\n')}\r\n\r\n${random.pick(bodies)}`;
  };
  const whole = Buffer.from([one(), ...random.some(2, one)].join(''), 'latin1');
  return random.chance(0.3) ? random.damaged(whole) : whole;
}

function http2(random: Random): Buffer {
  const frame = () => {
    const payload = random.bytes(random.pick([0, 4, 5, 6, 8, 17, 100]));
    const head = Buffer.alloc(9);
    head.writeUIntBE(random.chance(0.9) ? payload.length : random.below(2 ** 24), 0, 3);
    head[3] = random.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255]);
    head[4] = random.below(256);
    head.writeUInt32BE(random.pick([0, 1, 2, 3, 2 ** 31 - 1, 2 ** 32 - 1]), 5);
    return Buffer.concat([head, payload]);
  };
  const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
  const begin = random.chance(0.9) ? [preface, settings] : [random.damaged(preface)];
  return Buffer.concat([...begin, frame(), ...random.some(6, frame)]);
}

function pieces(random: Random, bytes: Buffer): Buffer[] {
  if (random.chance(0.6)) return [bytes];
  const at = random.below(bytes.length);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

async function settle(random: Random, { socket, raw }: Opened): Promise<void> {
  if (random.chance(0.3)) raw.resetAndDestroy();
  else if (random.chance(0.5)) socket.end();
  await Promise.race([closed(socket), new Promise((resolve) => setTimeout(resolve, 20))]);
  socket.destroy();
  raw.destroy();
}
