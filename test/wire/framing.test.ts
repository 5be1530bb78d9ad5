import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { preface, request } from './hostile-clients.ts';
import { type SizedServer, startSizedServer } from './sized-server.ts';

let server: SizedServer;
beforeAll(async () => {
  server = await startSizedServer({ tls: true });
});
afterAll(() => server.listening.close());

const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code = '']) => code);

async function statusesOf(bytes: string, count: number): Promise<string[]> {
  return statusesIn(await answerTo(bytes, count));
}

/** Sends bytes in one segment; returns the data after a number of responses, or after the server closes the connection. */
function answerTo(bytes: string, count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const to = {
      host: '127.0.0.1',
      port: server.port,
      ca: server.caPem ?? '',
      ALPNProtocols: ['http/1.1'],
    };
    const socket = connectTls(to, () => socket.write(bytes, 'latin1'));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
      if (statusesIn(text).length === count) socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
  });
}

const get = 'GET /?answer=10 HTTP/1.1\r\nhost: localhost\r\n\r\n';
const post = (headers: string, body = 'abcd') =>
  `POST /?answer=10 HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n\r\n${body}`;
const chunks = '4\r\nabcd\r\n0\r\n\r\n';

describe('requests that another program may read as different ones are refused', () => {
  test.each([
    ['two Host headers', 'GET / HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n', '400'],
    ['a host with a space', 'GET / HTTP/1.1\r\nhost: a b\r\n\r\n', '400'],
    ['a host with a slash', 'GET / HTTP/1.1\r\nhost: a/b\r\n\r\n', '400'],
    ['HTTP/0.9', 'GET /\r\n\r\n', '505'],
    ['HTTP/2.0 in a request line', 'GET / HTTP/2.0\r\nhost: localhost\r\n\r\n', '505'],
    ['chunks of gzip', post('transfer-encoding: gzip, chunked', chunks), '501'],
    ['two equal lengths', post('content-length: 4\r\ncontent-length: 4'), '400'],
    ['two lengths', post('content-length: 4\r\ncontent-length: 5'), '400'],
    ['a length with a sign', post('content-length: +4'), '400'],
    ['a length and chunks', post('content-length: 4\r\ntransfer-encoding: chunked', chunks), '400'],
    ['a space before the colon', post('transfer-encoding : chunked', chunks), '400'],
  ])('%s', async (_, bytes, status) => expect(await statusesOf(bytes + get, 2)).toEqual([status]));

  test.each([
    ['one host', get],
    ['an address and a port', 'GET / HTTP/1.1\r\nhost: [::1]:6443\r\n\r\n'],
    ['chunks', post('transfer-encoding: Chunked', chunks)],
    ['chunks with trailers', post('transfer-encoding: chunked', '4\r\nabcd\r\n0\r\nx-a: b\r\n\r\n')],
  ])('%s is fine', async (_, bytes) => expect(await statusesOf(bytes + get, 2)).toEqual(['200', '200']));
});

describe('a request is answered as it was, whatever follows it', () => {
  test.each([
    ['garbage', post('content-length: 4') + '\x00\x01\x02'.repeat(100), ['200', '400']],
    ['a broken head', `${get}GET / HTTP/1.1\r\nno colon\r\n\r\n`, ['200', '400']],
    ['a request after `connection: close`', post('connection: close\r\ncontent-length: 4') + get, ['200']],
    ['a request with a broken body', get + post('transfer-encoding: chunked', 'zz\r\n'), ['200', '400']],
  ])('%s', async (_, bytes, statuses) => expect(await statusesOf(bytes, 3)).toEqual(statuses));

  test('a request for another protocol ends the connection: Node loses what follows it', async () => {
    const asked = 'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: foo\r\n\r\n';
    expect(await statusesOf(asked + get, 2)).toEqual(['200']);
  });
});

test('a target in absolute form is that of its path', async () => {
  const asked = 'GET http://other.example/a/b?answer=7 HTTP/1.1\r\nhost: localhost\r\n\r\n';
  expect(/asked-path: (.*)\r/.exec(await answerTo(asked, 1))?.[1]).toBe('/a/b');
});

describe('no header is ignored', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index): [string, string] => [`x${index}`, 'y']);
  const says = [...lines(1_900), ['x-say', 'bob']] satisfies [string, string][];

  test('HTTP/1.1: 1,900 are read, 2,001 are refused', async () => {
    const asked = (headers: readonly (readonly [string, string])[]) =>
      `GET /?said=1 HTTP/1.1\r\nhost: a\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
    expect(await answerTo(asked(says), 1)).toContain('said:bob.');
    expect(await statusesOf(asked([...lines(2_000), ...says]), 1)).toEqual(['431']);
  });

  test('HTTP/2: 200 are read', async () => {
    expect(
      await answerOverHttp2([preface, request(1, '/?said=1', { more: says.slice(-200) })], 'said:bob.'),
    ).toContain('said:bob.');
  });

  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  test.runIf(major > 24 || (major === 24 && minor >= 2))('HTTP/2: values keep their spaces', async () => {
    const more: [string, string][] = [['x-say', ' bob ']];
    expect(await answerOverHttp2([preface, request(1, '/?said=1', { more })], 'said: bob .')).toContain(
      'said: bob .',
    );
  });
});

/** Sends frames; gives what comes back until it holds a text or the server ends the connection. */
function answerOverHttp2(frames: readonly Buffer[], until: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const to = { host: '127.0.0.1', port: server.port, ca: server.caPem ?? '', ALPNProtocols: ['h2'] };
    const socket = connectTls(to, () => socket.write(Buffer.concat(frames)));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes(until)) socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
  });
}
