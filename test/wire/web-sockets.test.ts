import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { type IlkServer, startServer } from '../../src/server.ts';
import { Api } from '../controllers/api.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const watch = `${maps}?watch=true`;
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.';

let server: IlkServer;
let api: Api;
let token = '';
beforeAll(async () => {
  server = await startServer();
  api = Api.of(server);
  token = /token: (\S+)/.exec(readFileSync(server.kubeconfigPath, 'utf8'))?.[1] ?? '';
});
afterAll(() => server.close());

interface Asked extends ClientOptions {
  readonly protocols?: string[];
  readonly isAnonymous?: true;
}

/** A client, and everything that it was told. */
class Client {
  readonly socket: WebSocket;
  readonly messages: string[] = [];
  readonly #ended: Promise<string>;

  constructor(path: string, { protocols = [], isAnonymous, ...options }: Asked = {}) {
    const headers = isAnonymous ? {} : { authorization: `Bearer ${token}`, ...options.headers };
    const url = `${server.url.replace('http', 'ws')}${path}`;
    this.socket = new WebSocket(url, protocols, { ...options, headers });
    this.socket.on('message', (data, isBinary) => this.messages.push(`${isBinary ? 'bytes ' : ''}${data}`));
    this.#ended = new Promise((resolve) => {
      this.socket.on('close', (code) => resolve(`closed ${code}`));
      this.socket.on('unexpected-response', (_, response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => resolve(`${response.statusCode} ${Buffer.concat(pieces)}`));
      });
      this.socket.on('error', () => {});
    });
  }

  ended(): Promise<string> {
    return this.#ended;
  }

  async opened(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }

  async told(count: number): Promise<unknown[]> {
    while (this.messages.length < count) await once(this.socket, 'message');
    return this.messages.map((message) => {
      const { type, object } = JSON.parse(message);
      return [type, object.kind, object.metadata?.name];
    });
  }
}

const map = (name: string, data = {}) => ({ metadata: { name }, data });

test('a message for each event, as text', async () => {
  await api.call('POST', maps, map('first'));
  const client = await new Client(`${watch}&fieldSelector=metadata.name!=other`).opened();
  expect(await client.told(1)).toEqual([['ADDED', 'ConfigMap', 'first']]);
  await api.call('POST', maps, map('other'));
  await api.call('POST', maps, map('second'));
  await api.call('DELETE', `${maps}/first`);
  expect(await client.told(3)).toEqual([
    ['ADDED', 'ConfigMap', 'first'],
    ['ADDED', 'ConfigMap', 'second'],
    ['DELETED', 'ConfigMap', 'first'],
  ]);
  client.socket.close();
  expect(await client.ended()).toBe('closed 1005');
});

test('one object, as a table, to its end', async () => {
  const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const client = new Client(`/api/v1/watch/namespaces/default?timeoutSeconds=1`, { headers: { accept } });
  expect(await client.ended()).toBe('closed 1000');
  expect(await client.told(1)).toEqual([['ADDED', 'Table', undefined]]);
});

test.each<[string, Asked, string]>([
  [watch, { protocolVersion: 8 }, '400 missing or bad WebSocket Version\n'],
  [
    watch,
    { origin: 'https://evil.example', isAnonymous: true },
    '403 WebSockets of pages of https://evil.example need a token\n',
  ],
  [watch, { origin: 'null', isAnonymous: true }, '403 WebSockets of pages of null need a token\n'],
])('%s with %j: %s', async (path, options, answer) => {
  expect(await new Client(path, options).ended()).toBe(answer);
});

test('what is no watch is answered over HTTP', async () => {
  expect(await new Client('/api/v1/nope?watch=true').ended()).toMatch(
    /^404 .*could not find the requested resource/,
  );
  expect(await new Client('/api/v1/namespaces/default').ended()).toMatch(
    /^200 {"apiVersion":"v1","kind":"Namespace"/,
  );
  expect(await new Client('/version').ended()).toMatch(/^200 {/);
});

test('a protocol is agreed on, and one may be a token, also from pages of elsewhere', async () => {
  const protocolOf = (secret: string) => `${tokenProtocol}${Buffer.from(secret).toString('base64url')}`;
  const plain = 'base64.binary.k8s.io';
  const from = (...protocols: string[]) =>
    new Client(watch, { protocols, origin: 'https://elsewhere.example', isAnonymous: true });
  expect(await from(protocolOf('not one'), plain).ended()).toMatch(/^401 /);
  expect(await from(protocolOf(token)).ended()).toMatch(/^403 /);
  const client = await from(protocolOf(token), plain).opened();
  expect(client.socket.protocol).toBe(plain);
  client.socket.terminate();
  const same = await new Client(watch, { origin: server.url }).opened();
  expect(same.socket.protocol).toBe('');
  same.socket.terminate();
});

test('pings are answered, and long messages end the connection', async () => {
  const client = await new Client(watch).opened();
  client.socket.ping('are you there');
  const [answer] = await once(client.socket, 'pong');
  expect(String(answer)).toBe('are you there');
  client.socket.send('whatever');
  client.socket.send('x'.repeat(5_000));
  expect(await client.ended()).toBe('closed 1009');
});

test('a client that reads nothing is not written to without end, and finds everything later', async () => {
  const client = await new Client(`${watch}&fieldSelector=metadata.name=large`).opened();
  client.socket.pause();
  await api.call('POST', maps, map('large'));
  const count = 40;
  for (let round = 0; round < count; round += 1) {
    await api.call('PUT', `${maps}/large`, map('large', { round: String(round), text: 'x'.repeat(200_000) }));
  }
  await sleep(0);
  client.socket.resume();
  const events = await client.told(count + 1);
  expect(events.at(-1)).toEqual(['MODIFIED', 'ConfigMap', 'large']);
  client.socket.terminate();
});

test('other upgrades are served as if they were not asked for', async () => {
  const headers = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
  };
  const asked = request(`${server.url}${maps}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  asked.end(JSON.stringify(map('upgraded')));
  const [response] = await once(asked, 'response');
  expect(response.statusCode).toBe(201);
  response.resume();
});
