import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A client that means harm: opens one connection, sends what it sends, and leaves, or not. */
export interface HostileClient {
  readonly name: string;
  /** `plain` speaks TCP to the port, the others TLS. */
  readonly over: 'plain' | 'http/1.1' | 'h2';
  readonly bytes: Buffer;
  /** What it does after its bytes are sent. A client that stays reads what comes, a deaf one does not. */
  readonly then: 'destroy' | 'end' | 'stay' | 'deaf';
}

/** One frame of HTTP/2. Source: RFC 9113, 4.1. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A header as HPACK has it without tables. Source: RFC 7541, 6.2.2. */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const rest = bytes.length - 127;
  return Buffer.concat([
    Buffer.from([127, (rest & 127) | (rest > 127 ? 128 : 0)]),
    rest > 127 ? Buffer.from([rest >> 7]) : Buffer.alloc(0),
    bytes,
  ]);
}

const headersType = 1;
const endStream = 1;
const endHeaders = 4;

/** HEADERS of a request; `more` are further headers. */
export function request(
  stream: number,
  path: string,
  options: {
    readonly method?: string;
    readonly open?: boolean;
    readonly more?: readonly [string, string][];
  } = {},
): Buffer {
  const { method = 'GET', open = false, more = [] } = options;
  const fields = [
    [':method', method],
    [':scheme', 'https'],
    [':path', path],
    [':authority', 'localhost'],
    ...more,
  ] as const;
  const payload = Buffer.concat(fields.map(([name, value]) => literal(name, value)));
  return frame(headersType, endHeaders | (open ? 0 : endStream), stream, payload);
}

/** The preface of a client and its empty SETTINGS. */
export const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0)]);

const get = request(1, '/');
const dataOnStream0 = frame(0, 0, 0, Buffer.from('x'));
const garbage = Buffer.alloc(100, 0xf7);
const goAway = frame(7, 0, 0, Buffer.alloc(8));
const cancel = (stream: number) => frame(3, 0, stream, Buffer.from([0, 0, 0, 8]));
const times = (count: number, make: (index: number) => Buffer) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));

const none = Buffer.alloc(0);
const halfHello = Buffer.from([22, 3, 1, 0, 200, 1]);
const slowHead = Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
const slowBody = Buffer.from('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{');
const bigAnswer = Buffer.from(
  'POST /?answer=30000000 HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n',
);

const row = (
  name: string,
  over: HostileClient['over'],
  bytes: readonly Buffer[],
  then: HostileClient['then'],
): HostileClient => ({ name, over, bytes: Buffer.concat(bytes), then });

/** Every way to go wrong that has been seen. */
export const hostileClients: readonly HostileClient[] = [
  row('TCP and nothing', 'plain', [], 'destroy'),
  row('TCP and nothing, stays', 'plain', [], 'stay'),
  row('TCP and garbage', 'plain', [garbage], 'end'),
  row('half a TLS hello, stays', 'plain', [halfHello], 'stay'),
  row('HTTP without TLS', 'plain', [Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')], 'end'),
  row('TLS and nothing', 'h2', [none], 'destroy'),
  row('TLS and nothing, stays', 'h2', [none], 'stay'),
  row('TLS and nothing over HTTP/1.1, stays', 'http/1.1', [none], 'stay'),
  row('a slow head', 'http/1.1', [slowHead], 'stay'),
  row('a slow body', 'http/1.1', [slowBody], 'stay'),
  row('a deaf reader over HTTP/1.1', 'http/1.1', [bigAnswer], 'deaf'),
  row('garbage over HTTP/1.1', 'http/1.1', [garbage], 'stay'),
  row('no preface', 'h2', [Buffer.from('hello world hello world hello')], 'stay'),
  row('half a preface', 'h2', [preface.subarray(0, 8)], 'stay'),
  row('a preface, end', 'h2', [preface], 'end'),
  row('a preface, stays', 'h2', [preface], 'stay'),
  row('a request, destroy', 'h2', [preface, get], 'destroy'),
  row('an open request, end', 'h2', [preface, request(1, '/', { method: 'POST', open: true })], 'end'),
  row('an open request, stays', 'h2', [preface, request(1, '/', { method: 'POST', open: true })], 'stay'),
  row('GOAWAY', 'h2', [preface, get, goAway], 'destroy'),
  row('garbage frames, end', 'h2', [preface, get, garbage], 'end'),
  row('garbage frames, destroy', 'h2', [preface, garbage], 'destroy'),
  row('DATA on stream 0, destroy', 'h2', [preface, get, dataOnStream0], 'destroy'),
  row('DATA on stream 0, stays', 'h2', [preface, get, dataOnStream0], 'stay'),
  row(
    'settings out of range',
    'h2',
    [preface, frame(4, 0, 0, Buffer.from([0, 4, 255, 255, 255, 255]))],
    'destroy',
  ),
  row(
    'a window that overflows',
    'h2',
    [preface, frame(8, 0, 0, Buffer.from([0x7f, 255, 255, 255]))],
    'destroy',
  ),
  row('a frame of 20,000 bytes', 'h2', [preface, get, frame(0, 0, 1, Buffer.alloc(20_000))], 'destroy'),
  row('the same stream twice', 'h2', [preface, get, get], 'destroy'),
  row('a reset at once', 'h2', [preface, get, cancel(1)], 'destroy'),
  row(
    'rapid reset',
    'h2',
    [preface, times(2_500, (index) => Buffer.concat([request(2 * index + 1, '/'), cancel(2 * index + 1)]))],
    'stay',
  ),
  row(
    'CONTINUATION without end',
    'h2',
    [
      preface,
      frame(headersType, 0, 1, none),
      times(500, () => frame(9, 0, 1, literal('x', 'v'.repeat(100)))),
    ],
    'stay',
  ),
  row('pings without end', 'h2', [preface, times(2_000, () => frame(6, 0, 0, Buffer.alloc(8)))], 'deaf'),
  row('settings without end', 'h2', [preface, times(2_000, () => frame(4, 0, 0))], 'deaf'),
  row(
    'priorities without end',
    'h2',
    [preface, times(2_000, (index) => frame(2, 0, 2 * index + 1, Buffer.from([0, 0, 0, 0, 10])))],
    'stay',
  ),
  row('a deaf reader over HTTP/2', 'h2', [preface, request(1, '/?answer=30000000')], 'deaf'),
];

/** Opens a hostile connection; resolves once its bytes are sent. The socket is the caller's to end. */
export function attack(client: HostileClient, port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const to = { host: '127.0.0.1', port };
    const sent = () => {
      if (client.then === 'destroy') socket.destroy();
      else if (client.then === 'end') socket.end();
      resolve(socket);
    };
    const opened = () => {
      if (client.then === 'deaf') socket.pause();
      else socket.resume();
      if (client.bytes.length === 0) sent();
      else socket.write(client.bytes, sent);
    };
    const socket: Socket =
      client.over === 'plain'
        ? connectPlain(to, opened)
        : connectTls({ ...to, rejectUnauthorized: false, ALPNProtocols: [client.over] }, opened);
    // The server ends it: that is what is wanted.
    socket.on('error', () => {});
    socket.on('close', () => resolve(socket));
  });
}
