import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServiceReference, WebhookClientConfig } from '../../src/meta/index.ts';
import { parseServiceMap, WebhookClient, type WebhookClientOptions } from '../../src/webhook/index.ts';
import { type Answer, saying, WebhookServer } from './webhook-server.ts';

let server: WebhookServer;
let client: WebhookClient;
beforeAll(async () => {
  server = await WebhookServer.start(saying(200, 'text/plain', 'fine'));
});
beforeEach(() => {
  server.answer = saying(200, 'text/plain', 'fine');
  client = connect();
});
afterEach(() => client.close());
afterAll(() => server[Symbol.asyncDispose]());

function connect(
  config: Partial<WebhookClientConfig> = {},
  more: Partial<WebhookClientOptions> = {},
): WebhookClient {
  const full = { address: { url: server.url }, caPem: server.caPem, ...config };
  const services = parseServiceMap([]);
  return new WebhookClient(full, {
    services,
    timeoutMs: 2_000,
    responseBytesMax: 1_000,
    connectionsMax: 2,
    ...more,
  });
}

/** The body of the answer, or why there is none. */
async function post(asked = client): Promise<string> {
  try {
    const { body } = await asked.post(Buffer.from('{}'));
    return body.toString();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    if (asked !== client) asked.close();
  }
}

const posted = (url = server.url, query = '?timeout=2s') => `Post "${url}${query}": `;
const unverified = 'tls: failed to verify certificate: x509: ';

describe('a webhook that misbehaves', () => {
  const cut: Answer = (_, response) => {
    response.write('half');
    setTimeout(() => response.destroy(), 20);
  };

  test('closes without an answer', async () => {
    server.answer = (_, response) => response.destroy();
    expect(await post()).toBe(`${posted()}EOF`);
  });

  test('breaks off its answer', async () => {
    server.answer = cut;
    const text = 'unexpected error when reading response body. Please retry. Original error: unexpected EOF';
    expect(await post()).toBe(text);
  });

  test('never answers', async () => {
    server.answer = () => {};
    const slow = connect({}, { timeoutMs: 100 });
    const text = 'net/http: request canceled (Client.Timeout exceeded while awaiting headers)';
    expect(await post(slow)).toBe(`${posted(server.url, '?timeout=100ms')}${text}`);
  });

  test('never finishes its answer', async () => {
    server.answer = (_, response) => response.write('half');
    const slow = connect({}, { timeoutMs: 100 });
    expect(await post(slow)).toBe(
      'unexpected error when reading response body. Please retry. Original error: ' +
        'net/http: request canceled (Client.Timeout or context cancellation while reading body)',
    );
  });

  test('answers more than anybody wants', async () => {
    let sent = 0;
    server.answer = (_, response) => {
      const more = () => {
        sent += 1;
        if (!response.destroyed) response.write('x'.repeat(400), () => setImmediate(more));
      };
      more();
    };
    expect(await post()).toBe('the response is larger than 1000 bytes');
    const then = sent;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sent - then).toBeLessThan(then + 100);
  });

  test('sends its callers elsewhere: they stay', async () => {
    let others = 0;
    const other = createPlainServer((_, response) => {
      others += 1;
      response.end('gotcha');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    for (const code of [301, 302, 303, 307, 308]) {
      server.answer = saying(code, 'text/plain', 'moved', { location: elsewhere });
      expect((await client.post(Buffer.from('{}'))).code).toBe(code);
    }
    expect(others).toBe(0);
    other.close();
  });

  test('closes kept connections: a call that finds one closed uses another one', async () => {
    for (let call = 0; call < 5; call += 1) {
      expect(await post()).toBe('fine');
      server.dropIdleConnections();
    }
  });

  test('speaks no HTTP', async () => {
    server.answer = (_, response) => response.socket?.end('hello there\r\n\r\n');
    expect(await post()).toBe(
      `${posted()}net/http: HTTP/1.x transport connection broken: malformed HTTP response "hello there"`,
    );
  });
});

describe('a webhook that is not there', () => {
  test('refuses', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const url = `https://127.0.0.1:${port}/convert`;
    const text = `dial tcp 127.0.0.1:${port}: connect: connection refused`;
    expect(await post(connect({ address: { url } }))).toBe(`${posted(url)}${text}`);
  });

  test('has no address', async () => {
    const url = 'https://no-such-host.invalid/convert';
    const text = await post(connect({ address: { url } }));
    expect(text).toMatch(/dial tcp: lookup no-such-host\.invalid: (no such host|server misbehaving)$/);
  });

  test('is another server without TLS', async () => {
    const plain = createPlainServer().listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const url = `https://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
    expect(await post(connect({ address: { url } }))).toBe(
      `${posted(url)}http: server gave HTTP response to HTTPS client`,
    );
    plain.close();
  });
});

describe('a certificate', () => {
  test('of an authority that is not in the bundle', async () => {
    const other = await WebhookServer.start(saying(200, '', ''));
    const text = await post(connect({ caPem: other.caPem }));
    expect(text).toBe(`${posted()}${unverified}certificate signed by unknown authority`);
    await other[Symbol.asyncDispose]();
  });

  test('without a bundle has to be a public one', async () => {
    const text = await post(connect({ caPem: '' }));
    expect(text).toBe(`${posted()}${unverified}certificate signed by unknown authority`);
  });

  test('may be the bundle itself, regardless of its issuer', async () => {
    expect(await post(connect({ caPem: server.certificate.certPem }))).toBe('fine');
  });

  test('may be one of several, with text between them', async () => {
    const other = await WebhookServer.start(saying(200, '', ''));
    expect(await post(connect({ caPem: `# first\n${other.caPem}\n# second\n${server.caPem}` }))).toBe('fine');
    await other[Symbol.asyncDispose]();
  });

  test('is of no use in a bundle that holds none', async () => {
    const text = await post(connect({ caPem: 'garbage' }));
    expect(text).toBe(`${posted()}${unverified}certificate signed by unknown authority`);
  });

  test('of another name', async () => {
    const other = await WebhookServer.start(saying(200, '', ''), ['a.example.com', 'b.example.com']);
    const url = `https://localhost:${other.port}/convert`;
    expect(await post(connect({ address: { url }, caPem: other.caPem }))).toBe(
      `${posted(url)}${unverified}certificate is valid for a.example.com, b.example.com, not localhost`,
    );
    expect(await post(connect({ address: { url: other.url }, caPem: other.caPem }))).toBe(
      `${posted(other.url)}${unverified}cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`,
    );
    await other[Symbol.asyncDispose]();
  });
});

describe('a service', () => {
  const reference: ServiceReference = { namespace: 'ns', name: 'converter', port: 443, path: '/convert' };
  const address = { service: reference };

  test('that is not mapped is not found', async () => {
    expect(await post(connect({ address }))).toBe(
      `${posted('https://converter.ns.svc:443/convert')}service "converter" not found`,
    );
  });

  test('is reached where it was mapped to, by its own name', async () => {
    const named = await WebhookServer.start(
      (_, response, request) => response.end(`${request.headers.host} ${request.url}`),
      ['converter.ns.svc'],
    );
    const services = parseServiceMap([`ns/converter=https://127.0.0.1:${named.port}`]);
    expect(await post(connect({ address, caPem: named.caPem }, { services }))).toBe(
      'converter.ns.svc:443 /convert?timeout=2s',
    );
    await named[Symbol.asyncDispose]();
  });

  test('whose certificate is for the address and not for its name is refused', async () => {
    const services = parseServiceMap([`ns/converter:443=https://127.0.0.1:${server.port}`]);
    expect(await post(connect({ address }, { services }))).toBe(
      `${posted('https://converter.ns.svc:443/convert')}${unverified}` +
        'certificate is valid for localhost, not converter.ns.svc',
    );
  });
});

test('a call says who calls, what it sends and how long it waits', async () => {
  let seen = '';
  server.answer = (body, response, request) => {
    const { host: _, connection: __, ...headers } = request.headers;
    seen = `${request.method} ${request.url} ${JSON.stringify(headers)} ${body.toString()}`;
    response.end('fine');
  };
  await post();
  expect(seen).toBe(
    'POST /convert?timeout=2s {"accept":"application/json, */*","content-type":"application/json",' +
      '"content-length":"2","user-agent":"kube-apiserver-admission"} {}',
  );
});

test.each([
  ['https://127.0.0.1:1', '127.0.0.1:1/'],
  ['https://127.0.0.1:1/a/b?c=d', '127.0.0.1:1/a/b'],
  ['https://127.0.0.1:1//a//b/', '127.0.0.1:1/a/b'],
  ['https://[::1]:1/x/', '[::1]:1/x'],
])('%s is called as https://%s', async (url, shown) => {
  const text = await post(connect({ address: { url } }));
  expect(text.startsWith(`Post "https://${shown}?timeout=2s": dial tcp `)).toBe(true);
});

test('no more connections are opened than there may be, and they are kept', async () => {
  const sockets = new Set<Socket>();
  let [now, most] = [0, 0];
  server.answer = (_, response, request) => {
    sockets.add(request.socket);
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      response.end('fine');
    }, 5);
  };
  await Promise.all(Array.from({ length: 20 }, () => post()));
  expect({ most, sockets: sockets.size }).toEqual({ most: 2, sockets: 2 });
});

test('one that retires finishes its calls and then lets its connections go', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    server.answer = async (_, response) => {
      resolve();
      await held;
      response.end('fine');
    };
  });
  const call = post();
  await arrived;
  client.retire();
  release();
  expect(await call).toBe('fine');
  await expect.poll(() => server.connections()).toBe(0);
});

test('one that is closed ends its calls', async () => {
  const arrived = new Promise<void>((resolve) => {
    server.answer = () => resolve();
  });
  const call = post();
  await arrived;
  client.close();
  expect(await call).toBe(`${posted()}the server is shutting down`);
});

/** Answers raw bytes to whatever comes. */
function tcpServer(answer: (socket: Socket) => void): Promise<Server> {
  const raw = createTcpServer(answer).listen(0, '127.0.0.1');
  return once(raw, 'listening').then(() => raw);
}

test('a server that closes in the handshake', async () => {
  const raw = await tcpServer((socket) => socket.destroy());
  const url = `https://127.0.0.1:${(raw.address() as AddressInfo).port}/`;
  expect(await post(connect({ address: { url } }))).toBe(`${posted(url)}EOF`);
  raw.close();
});
