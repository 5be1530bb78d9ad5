import { connect as connectHttp2, constants } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { frame, preface, request } from './hostile-clients.ts';
import { type SizedServer, type SizedServerOptions, startSizedServer } from './sized-server.ts';
import { Sweeps } from './sweeps.ts';

const authorization = 'Bearer of-a-user';
const poll = { interval: 5 };

let sweeps: Sweeps;
let server: SizedServer;
const sockets = new Set<Socket>();

async function start(options: Partial<SizedServerOptions> = {}): Promise<void> {
  sweeps = new Sweeps();
  server = await startSizedServer({ tls: true, timers: sweeps, ...options });
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await server.listening.close();
});

interface Raw {
  readonly socket: Socket;
  /** What came so far, as Latin-1 text. */
  text(): string;
  readonly isClosed: () => boolean;
}

function raw(socket: Socket): Raw {
  let text = '';
  let isClosed = false;
  sockets.add(socket);
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  // That the server ends it is what is waited for.
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  return { socket, text: () => text, isClosed: () => isClosed };
}

interface To {
  readonly over?: 'http/1.1' | 'h2';
  /** The address that the connection is from. */
  readonly from?: string;
}

/** A connection of which the server knows what is spoken on it. */
async function opened({ over = 'http/1.1', from = '127.0.0.1' }: To = {}): Promise<Raw> {
  const to = { host: '127.0.0.1', port: server.port, localAddress: from };
  let isSecure = false;
  const socket = connectTls(
    { ...to, ca: server.caPem, servername: 'localhost', ALPNProtocols: [over] },
    () => {
      isSecure = true;
    },
  );
  const result = raw(socket);
  // The client's side of the handshake is over before the server's.
  const isOpen = () => isSecure && server.openConnections('handshake') === 0;
  await expect.poll(() => isOpen() || result.isClosed(), poll).toBe(true);
  return result;
}

const head = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n${more}\r\n`;

/** A connection on which a user has had an answer. */
async function ofUser(to: To = {}): Promise<Raw> {
  const client = await opened(to);
  client.socket.write(head('/?answer=3'));
  await expect.poll(client.text, poll).toContain('\r\n\r\nabc');
  return client;
}

const closedFor = (reason: string) => server.closedConnections()[reason] ?? 0;

describe('how many connections there may be', () => {
  test('from one address: further ones are closed, those that are open are not', async () => {
    await start({ connectionLimits: { connectionsPerAddressMax: 2 } });
    const [first, second] = [await ofUser(), await ofUser()];
    expect((await opened()).isClosed()).toBe(true);
    expect(closedFor('too many connections of one address')).toBe(1);
    expect((await ofUser({ from: '127.0.0.2' })).isClosed()).toBe(false);
    expect([first.isClosed(), second.isClosed()]).toEqual([false, false]);
    first.socket.destroy();
    await expect.poll(() => server.openConnections(), poll).toBe(2);
    expect((await ofUser()).isClosed()).toBe(false);
  });

  test('in total: the oldest unauthenticated one is closed for a new one', async () => {
    await start({ connectionLimits: { connectionsMax: 3 } });
    const user = await ofUser();
    const [older, younger] = [await opened(), await opened()];
    expect((await ofUser()).isClosed()).toBe(false);
    await expect.poll(older.isClosed, poll).toBe(true);
    expect([user.isClosed(), younger.isClosed()]).toEqual([false, false]);
    expect(closedFor('too many connections')).toBe(1);
  });

  test('in all: where each is of a user, a further one is closed', async () => {
    await start({ connectionLimits: { connectionsMax: 2 } });
    const users = [await ofUser(), await ofUser()];
    expect((await opened()).isClosed()).toBe(true);
    expect(users.map((user) => user.isClosed())).toEqual([false, false]);
  });
});

describe('how long a client may take', () => {
  test('TLS handshake: 20 s', async () => {
    await start();
    const client = raw(connectPlain({ host: '127.0.0.1', port: server.port }));
    await expect.poll(() => server.openConnections('handshake'), poll).toBe(1);
    sweeps.pass(19);
    expect(server.openConnections()).toBe(1);
    sweeps.pass(1);
    await expect.poll(client.isClosed, poll).toBe(true);
    expect(closedFor('no TLS handshake in time')).toBe(1);
  });

  test.each(['http/1.1', 'h2'] as const)('authentication: 30 s, over %s', async (over) => {
    await start();
    const client = await opened({ over });
    sweeps.pass(29);
    expect(server.openConnections()).toBe(1);
    sweeps.pass(1);
    await expect.poll(client.isClosed, poll).toBe(true);
    expect(closedFor('not authenticated in time')).toBe(1);
  });

  const slowHeads = [
    ['http/1.1', Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ')],
    ['h2', Buffer.concat([preface, frame(1, 0, 1)])],
  ] as const;
  test.each(slowHeads)('a head that does not end is not authenticated, over %s', async (over, bytes) => {
    await start();
    const client = await opened({ over });
    for (let second = 0; second < 30; second += 1) {
      expect(client.isClosed()).toBe(false);
      client.socket.write(second === 0 ? bytes : over === 'h2' ? frame(9, 0, 1) : 'x');
      sweeps.pass(1);
    }
    await expect.poll(client.isClosed, poll).toBe(true);
    expect(closedFor('not authenticated in time')).toBe(1);
  });

  test('a second head that does not end: as a connection that idles, 90 s', async () => {
    await start();
    const client = await ofUser();
    client.socket.write('GET / HTTP/1.1\r\nx-slow: ');
    sweeps.pass(89);
    expect(server.openConnections()).toBe(1);
    sweeps.pass(1);
    await expect.poll(client.isClosed, poll).toBe(true);
    expect(closedFor('idle')).toBe(1);
  });

  test('a body over HTTP/1.1: 60 s, then its connection is closed', async () => {
    await start();
    const client = await ofUser();
    client.socket.write(head('/', 'content-length: 100\r\n'));
    await expect.poll(server.bodiesBegun, poll).toBe(2);
    sweeps.pass(59);
    expect(server.openConnections()).toBe(1);
    sweeps.pass(1);
    await expect.poll(client.isClosed, poll).toBe(true);
    expect(closedFor('request body too slow')).toBe(1);
  });

  test('a body over HTTP/2: 60 s, then its stream is closed, and others go on', async () => {
    // Clients have no time to answer a ping in this test.
    await start({ connectionLimits: { pingAfterMs: 1_000_000 } });
    const session = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: server.caPem });
    const slow = session.request({ ':method': 'POST', ':path': '/', authorization });
    slow.on('error', () => {});
    slow.write('{');
    await expect.poll(server.bodiesBegun, poll).toBe(1);
    sweeps.pass(60);
    await expect.poll(() => slow.rstCode, poll).toBe(constants.NGHTTP2_CANCEL);
    const next = session.request({ ':path': '/?answer=3', authorization });
    expect(await text(next)).toBe('abc');
    session.destroy();
  });

  test('a pong: a client with requests under way is pinged after 30 s, and closed 15 s later', async () => {
    await start();
    const client = await opened({ over: 'h2' });
    const held = request(1, '/?held=1', { more: [['authorization', authorization]] });
    client.socket.write(Buffer.concat([preface, held]));
    await expect.poll(server.bodiesBegun, poll).toBe(1);
    const ping = frame(6, 0, 0, Buffer.alloc(8)).subarray(0, 5).toString('latin1');
    expect(client.text()).not.toContain(ping);
    // The first sweep sees the bytes of the request.
    sweeps.pass(31);
    await expect.poll(client.text, poll).toContain(ping);
    sweeps.pass(14);
    expect(server.openConnections()).toBe(1);
    sweeps.pass(1);
    await expect.poll(client.isClosed, poll).toBe(true);
    expect(closedFor('no answer to a ping')).toBe(1);
  });

  test('a client that answers pings may wait indefinitely', async () => {
    await start();
    const session = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: server.caPem });
    let pings = 0;
    session.on('ping', () => {
      pings += 1;
    });
    session.request({ ':path': '/?held=1', authorization }).on('error', () => {});
    await expect.poll(server.bodiesBegun, poll).toBe(1);
    for (let round = 1; round <= 5; round += 1) {
      sweeps.pass(31);
      await expect.poll(() => pings, poll).toBe(round);
      // Its answer is under way; the next sweep must see it.
      await text(session.request({ ':path': '/?answer=3', authorization }));
    }
    expect(session.closed).toBe(false);
    session.destroy();
  });

  test('an idle connection of HTTP/2: 90 s, then GOAWAY', async () => {
    await start();
    const session = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: server.caPem });
    expect(await text(session.request({ ':path': '/?answer=3', authorization }))).toBe('abc');
    const codes: number[] = [];
    session.on('goaway', (code) => codes.push(code));
    sweeps.pass(89);
    expect(session.closed).toBe(false);
    sweeps.pass(1);
    await expect.poll(() => session.closed, poll).toBe(true);
    expect(codes).toEqual([constants.NGHTTP2_NO_ERROR]);
    await expect.poll(() => closedFor('idle'), poll).toBe(1);
  });
});

function text(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let found = '';
    stream.on('data', (chunk: Buffer) => {
      found += chunk.toString();
    });
    stream.on('end', () => resolve(found));
    stream.on('error', reject);
  });
}

test('a burst of stream resets is allowed, and a number more each second', async () => {
  await start({ connectionLimits: { streamResetBurstMax: 10, streamResetsPerSecondMax: 5 } });
  const client = await opened({ over: 'h2' });
  client.socket.write(preface);
  const more = [['authorization', authorization]] as [string, string][];
  const cancel = (stream: number) => frame(3, 0, stream, Buffer.from([0, 0, 0, 8]));
  let asked = 0;
  const askAndCancel = async (count: number) => {
    const streams = Array.from({ length: count }, (_, index) => 2 * (asked + index) + 1);
    asked += count;
    client.socket.write(Buffer.concat(streams.map((stream) => request(stream, '/?held=1', { more }))));
    await expect.poll(server.bodiesBegun, poll).toBe(asked);
    client.socket.write(Buffer.concat(streams.map(cancel)));
    await expect.poll(server.requestsEnded, poll).toBe(asked);
  };
  await askAndCancel(10);
  sweeps.pass(1);
  await askAndCancel(5);
  expect(client.isClosed()).toBe(false);
  await askAndCancel(1);
  await expect.poll(client.isClosed, poll).toBe(true);
  expect(closedFor('too many stream resets')).toBe(1);
});

describe('an answer whose source fails', () => {
  test.each(['http/1.1', 'h2'] as const)('is broken off and reported, over %s', async (over) => {
    const errors: unknown[] = [];
    await start({ onError: (error) => errors.push(error) });
    const code = over === 'h2' ? await brokenOverHttp2() : await brokenOverHttp1();
    expect(code).toBe(over === 'h2' ? 'ERR_HTTP2_STREAM_ERROR' : 'ECONNRESET');
    expect(errors).toEqual([new Error('the source of the answer has failed')]);
  });

  const path = '/?broken=1';
  const codeOf = ({ code }: NodeJS.ErrnoException) => code;

  function brokenOverHttp1(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const agent = new Agent();
      const to = { host: '127.0.0.1', port: server.port, path, ca: server.caPem, agent };
      httpsRequest({ ...to, headers: { authorization } }, (answer) => {
        answer.resume();
        answer.once('error', (error) => resolve(codeOf(error)));
      }).end();
    });
  }

  async function brokenOverHttp2(): Promise<string | undefined> {
    const session = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: server.caPem });
    const stream = session.request({ ':path': path, authorization });
    const code = await text(stream).then(() => undefined, codeOf);
    session.destroy();
    return code;
  }
});

describe('TLS', () => {
  function handshake(options: object): Promise<string> {
    return new Promise((resolve) => {
      const to = { host: '127.0.0.1', port: server.port, ca: server.caPem, servername: 'localhost' };
      const socket: TLSSocket = connectTls({ ...to, ...options }, () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
        socket.destroy();
      });
      socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? ''));
    });
  }

  const tls12 = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;
  test.each([
    ['ECDHE-ECDSA-AES128-SHA', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
    ['ECDHE-ECDSA-AES256-SHA384', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
    ['ECDHE-ECDSA-AES128-SHA256', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
    ['ECDHE-ECDSA-AES128-GCM-SHA256', 'TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256'],
    ['ECDHE-ECDSA-CHACHA20-POLY1305', 'TLSv1.2 ECDHE-ECDSA-CHACHA20-POLY1305'],
  ])('1.2 with %s: %s', async (ciphers, result) => {
    await start();
    expect(await handshake({ ...tls12, ciphers })).toBe(result);
  });

  test('1.1 is not spoken', async () => {
    await start();
    // OpenSSL has it at security level 0 only.
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    expect(await handshake(old)).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  });
});

describe('a port without TLS is asked as', () => {
  async function statusFor(host: string): Promise<string | undefined> {
    const client = raw(connectPlain({ host: '127.0.0.1', port: server.port }));
    client.socket.write(
      `GET /?answer=3 HTTP/1.1\r\n${host === '' ? '' : `host: ${host}\r\n`}connection: close\r\n\r\n`,
    );
    await expect.poll(client.isClosed, poll).toBe(true);
    return /^HTTP\/1.1 (\d+)/.exec(client.text())?.[1];
  }

  test.each([
    ['localhost', '200'],
    ['LOCALHOST:8080', '200'],
    ['tests.localhost', '200'],
    ['127.0.0.1', '200'],
    ['192.0.2.1:80', '200'],
    ['[::1]:80', '200'],
    ['ilk.test', '200'],
    ['attacker.example', '403'],
    ['localhost.attacker.example', '403'],
    ['ilk.test.attacker.example:80', '403'],
    // HTTP/1.1 must name one; Node's parser says so.
    ['', '400'],
  ])('"%s": %s', async (host, status) => {
    await start({ tls: false, hostNames: ['ilk.test'] });
    expect(await statusFor(host)).toBe(status);
  });
});
