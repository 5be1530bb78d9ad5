import './undici-on-node-20.ts';
import { KubeConfig, KubernetesObjectApi, makeInformer } from '@kubernetes/client-node';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type IlkServer } from '../src/testing/index.ts';
import { until } from './controllers/api.ts';
import { convertEndpoint, endpointCrd, group } from './conversion/endpoints.ts';
import { converting, WebhookServer } from './conversion/webhook-server.ts';
import { collection, scalableWidgetCrd } from './fixtures/scalable-widgets.ts';
import { widgetOf } from './fixtures/widgets.ts';
import { buildIfMissing, HttpsClient, IlkProcess } from './fixtures/ilk-process.ts';
import { WatchStream } from './fixtures/watch-stream.ts';

beforeAll(buildIfMissing);

const folder = mkdtempSync(join(tmpdir(), 'ilk-faults-'));
afterAll(() => rmSync(folder, { recursive: true }));

let base: IlkServer;
let server: IlkServer;
beforeAll(async () => {
  base = await startServer({ crds: [scalableWidgetCrd()], objects: [widgetOf('roses'), widgetOf('tulips')] });
});
afterAll(() => base.close());
beforeEach(async () => {
  server = await base.fork();
  return () => server.close();
});

const json = { 'content-type': 'application/json' };
const merge = { 'content-type': 'application/merge-patch+json' };
const post = (object: object) => ({ method: 'POST', headers: json, body: JSON.stringify(object) });
const patch = (change: object) => ({ method: 'PATCH', headers: merge, body: JSON.stringify(change) });

async function answer(asked: Promise<Response>) {
  const response = await asked;
  const text = await response.text();
  return {
    code: response.status,
    body: text.startsWith('{') ? JSON.parse(text) : text,
    headers: response.headers,
  };
}

const exists = async (name: string) => (await server.fetch(`${collection}/${name}`)).status === 200;

describe('a write', () => {
  test('meets a conflict, and nothing is written', async () => {
    const match = { verbs: ['patch'], resources: ['widgets'], names: ['roses'] } as const;
    const conflict = server.faults.add({ fault: 'conflict', match, count: 1 });
    const change = patch({ spec: { size: 3 } });
    expect((await answer(server.fetch(`${collection}/tulips`, change))).code).toBe(200);
    expect((await answer(server.fetch(`${collection}/roses`, change))).body).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on widgets.example.com "roses": the object has been modified; ' +
        'please apply your changes to the latest version and try again',
    });
    expect((await answer(server.fetch(`${collection}/roses`))).body.spec).toBeUndefined();
    expect((await answer(server.fetch(`${collection}/roses`, change))).code).toBe(200);
    expect(conflict.hits).toBe(1);
  });

  test('is refused with any code, before or after the work', async () => {
    server.faults.add({ fault: 'error', code: 503, message: 'etcdserver: leader changed', count: 1 });
    const before = await answer(server.fetch(collection, post(widgetOf('before'))));
    expect(before.body).toMatchObject({
      code: 503,
      reason: 'ServiceUnavailable',
      message: 'etcdserver: leader changed',
    });
    server.faults.add({ fault: 'error', code: 504, when: 'after', count: 1 });
    expect((await answer(server.fetch(collection, post(widgetOf('after'))))).code).toBe(504);
    expect([await exists('before'), await exists('after')]).toEqual([false, true]);
  });

  test('gets a Retry-After', async () => {
    server.faults.add({ fault: 'tooManyRequests', retryAfterSeconds: 7, count: 1 });
    const { code, body, headers } = await answer(server.fetch(collection, post(widgetOf('later'))));
    expect([code, body, headers.get('retry-after')]).toEqual([
      429,
      'Too many requests, please try again later.\n',
      '7',
    ]);
  });

  test('loses its connection, before or after the work', async () => {
    const dropped = { name: 'TypeError', message: 'fetch failed' };
    server.faults.add({ fault: 'drop', count: 1 });
    await expect(server.fetch(collection, post(widgetOf('before')))).rejects.toMatchObject(dropped);
    server.faults.add({ fault: 'drop', when: 'after', count: 1 });
    await expect(server.fetch(collection, post(widgetOf('after')))).rejects.toMatchObject(dropped);
    expect([await exists('before'), await exists('after')]).toEqual([false, true]);
  });

  test('takes its time', async () => {
    server.faults.add({ fault: 'latency', delayMs: 60, jitterMs: 20, match: { verbs: ['create'] } });
    const started = performance.now();
    expect((await answer(server.fetch(collection, post(widgetOf('slow'))))).code).toBe(201);
    expect(performance.now() - started).toBeGreaterThan(55);
  });

  test('hangs until its client gives up, or the rule is taken away', async () => {
    using stall = server.faults.add({ fault: 'stall', match: { verbs: ['create'] } });
    const impatient = server.fetch(collection, { ...post(widgetOf('a')), signal: AbortSignal.timeout(50) });
    await expect(impatient).rejects.toThrow();
    const patient = answer(server.fetch(collection, post(widgetOf('b'))));
    stall.remove();
    expect((await patient).code).toBe(201);
  });
});

describe('a watch', () => {
  const listed = async () => (await answer(server.fetch(collection))).body.metadata.resourceVersion;
  const watch = async (query = '') => new WatchStream(await server.fetch(`${collection}?watch=true${query}`));

  test('gets 410 for a compacted revision', async () => {
    server.faults.add({ fault: 'expired', count: 1 });
    const resourceVersion = await listed();
    const told = await watch(`&resourceVersion=${resourceVersion}`);
    const next = Number(resourceVersion) + 1;
    expect(await told.rest()).toEqual([`ERROR 410 too old resource version: ${resourceVersion} (${next})`]);
    const again = await watch(`&resourceVersion=${resourceVersion}`);
    await server.fetch(collection, post(widgetOf('new')));
    expect(await again.take(1)).toEqual([`ADDED new  ${next}`]);
    await again.close();
  });

  test('breaks in the middle of its events', async () => {
    server.faults.add({ fault: 'drop', afterEvents: 1 });
    const broken = await watch();
    expect(await broken.take(1)).toEqual([expect.stringContaining('ADDED roses')]);
    await expect(broken.next()).rejects.toThrow('the connection was dropped');
  });

  test('that is open already can be affected: stalled, then dropped', async () => {
    const open = await watch();
    await open.take(2);
    const stall = server.faults.add({ fault: 'stall', open: true });
    await server.fetch(collection, post(widgetOf('new')));
    const next = open.take(1);
    await expect(
      Promise.race([next, new Promise((_, late) => setTimeout(late, 60, 'stalled'))]),
    ).rejects.toBe('stalled');
    stall.remove();
    expect(await next).toEqual([expect.stringContaining('ADDED new')]);
    server.faults.add({ fault: 'drop', open: true });
    await expect(open.next()).rejects.toThrow('the connection was dropped');
    // The inner watch ended as well: the server waits for nothing.
    await server.close();
  });
});

test('faults of a server are not those of its forks', async () => {
  server.faults.add({ fault: 'error', code: 500 });
  await using fork = await server.fork();
  expect((await fork.fetch(collection)).status).toBe(200);
  expect((await server.fetch(collection)).status).toBe(500);
});

test('over HTTP/2 only the stream of the request is reset', async () => {
  await using secure = await base.fork({ listen: { host: '127.0.0.1', port: 0, tls: true } });
  const { token } =
    /token: (?<token>\S+)/.exec(secure.as({ name: 'x', groups: ['system:masters'] }).kubeconfig)?.groups ??
    {};
  const session = connect(secure.url, { ca: secure.caPem });
  const get = (path: string) =>
    new Promise<unknown>((resolve) => {
      const stream = session.request({ ':path': path, authorization: `Bearer ${token}` });
      stream.on('response', (headers) => resolve(headers[':status']));
      stream.on('error', (error) => resolve(error.message));
      stream.on('close', () => resolve('closed'));
      stream.resume();
    });
  secure.faults.add({ fault: 'drop', match: { names: ['roses'] } });
  const both = [get(`${collection}/roses`), get(`${collection}/tulips`)];
  expect(await Promise.all(both)).toEqual([expect.not.stringMatching(/^200$/), 200]);
  expect([session.destroyed, await get(`${collection}/tulips`)]).toEqual([false, 200]);
  session.destroy();
});

test('an informer of @kubernetes/client-node lives through all of it', async () => {
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const api = KubernetesObjectApi.makeApiClient(config);
  const informer = makeInformer(config, collection, async () =>
    api.list('example.com/v1', 'Widget', 'default'),
  );
  const seen: (string | undefined)[] = [];
  informer.on('add', ({ metadata }) => seen.push(metadata?.name));
  informer.on('error', () => void setTimeout(() => void informer.start(), 5));
  server.faults.add({ fault: 'drop', count: 1, match: { verbs: ['list'] } });
  server.faults.add({ fault: 'expired', count: 1 });
  server.faults.add({ fault: 'drop', afterEvents: 1, count: 1 });
  await informer.start().catch(() => informer.start());
  for (const name of ['a', 'b', 'c']) {
    await api.create({ ...widgetOf(name), metadata: { name, namespace: 'default' } });
    await until(async () => seen.includes(name), `${name} was not seen, only ${seen.join(' ')}`);
  }
  await informer.stop();
});

describe('ilk serve --fault-injection', () => {
  test('takes rules over HTTP, and is off unless asked for', async () => {
    const flags = ['serve', '--secure-port=0', '--storage=memory', `--data-dir=${folder}`];
    const child = new IlkProcess([...flags, '--fault-injection']);
    const client = new HttpsClient((await child.ready()).kubeconfig);
    const call = async (method: string, path: string, body?: unknown) => {
      const { code, body: text } = await client.call(method, path, body === undefined ? {} : { body });
      return { code, body: text.startsWith('{') ? JSON.parse(text) : text };
    };
    const rule = { fault: 'error', code: 500, count: 2, seed: 1, match: { resources: ['namespaces'] } };
    expect(await call('POST', '/ilk/v1/faults', rule)).toEqual({
      code: 201,
      body: { id: 'fault-1', seen: 0, hits: 0, rule },
    });
    expect((await call('GET', '/api/v1/namespaces')).code).toBe(500);
    expect((await call('GET', '/ilk/v1/faults')).body).toEqual({
      kind: 'FaultRuleList',
      apiVersion: 'ilk/v1',
      items: [{ id: 'fault-1', seen: 1, hits: 1, rule }],
    });
    expect((await call('DELETE', '/ilk/v1/faults/fault-1')).code).toBe(200);
    expect((await call('GET', '/ilk/v1/faults/fault-1')).body.message).toBe('faults.ilk "fault-1" not found');
    expect((await call('GET', '/api/v1/namespaces')).code).toBe(200);
    expect((await call('POST', '/ilk/v1/faults', { fault: 'error' })).body).toMatchObject({
      code: 422,
      message: 'FaultRule "" is invalid: code: Required value',
    });
    expect((await call('POST', '/ilk/v1/faults', [])).body.message).toBe('a rule is a JSON object');
    await call('POST', '/ilk/v1/faults', { fault: 'drop', match: { paths: ['*'] } });
    await expect(call('GET', '/api/v1/namespaces')).rejects.toThrow('socket hang up');
    expect((await call('DELETE', '/ilk/v1/faults')).code).toBe(200);
    expect((await call('GET', '/api/v1/namespaces')).code).toBe(200);
    client.close();
    child.kill('SIGTERM');
    expect((await child.ended()).code).toBe(0);

    const without = new IlkProcess(flags);
    const other = new HttpsClient((await without.ready()).kubeconfig);
    expect((await other.call('GET', '/ilk/v1/faults')).code).toBe(404);
    other.close();
    without.kill('SIGKILL');
    await without.ended();
  });

  test('makes webhooks fail, too: the answer is theirs, and they are not asked', async () => {
    await using webhook = await WebhookServer.start(converting(convertEndpoint));
    const flags = [
      'serve',
      '--secure-port=0',
      '--storage=memory',
      `--data-dir=${folder}`,
      '--fault-injection',
    ];
    const child = new IlkProcess(flags);
    const client = new HttpsClient((await child.ready()).kubeconfig);
    const call = async (method: string, path: string, body?: unknown) => {
      const { code, body: text } = await client.call(method, path, body === undefined ? {} : { body });
      return { code, body: JSON.parse(text) };
    };
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect((await call('POST', crds, endpointCrd(webhook.clientConfig))).code).toBe(201);
    const v1 = `/apis/${group}/v1/namespaces/default/endpoints`;
    const endpoint = {
      apiVersion: `${group}/v1`,
      kind: 'Endpoint',
      metadata: { name: 'web' },
      spec: { address: 'web:80' },
    };
    await until(async () => (await client.call('GET', v1)).code === 200);

    const rule = {
      fault: 'webhook',
      code: 500,
      message: 'closed for the winter',
      match: { groups: [group] },
    };
    expect((await call('POST', '/ilk/v1/faults', rule)).code).toBe(201);
    const failed = await call('POST', v1, endpoint);
    expect([failed.code, failed.body.message]).toEqual([
      500,
      `conversion webhook for ${group}/v1, Kind=Endpoint failed: an error on the server ("closed for the winter") has ` +
        'prevented the request from succeeding',
    ]);
    expect((await call('GET', '/ilk/v1/faults/fault-1')).body).toMatchObject({ hits: 1, rule });
    expect(webhook.asked).toEqual([]);

    expect((await call('DELETE', '/ilk/v1/faults/fault-1')).code).toBe(200);
    expect((await call('POST', v1, endpoint)).code).toBe(201);
    expect(webhook.asked.length).toBeGreaterThan(0);
    client.close();
    child.kill('SIGTERM');
    await child.ended();
  });
});
