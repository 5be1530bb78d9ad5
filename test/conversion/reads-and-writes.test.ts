import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { convertEndpoint, endpointCrd, endpointsPath, endpointV1, endpointV2 } from './endpoints.ts';
import { converting, saying, WebhookServer } from './webhook-server.ts';

let webhook: WebhookServer;
let server: IlkServer;

beforeAll(async () => {
  webhook = await WebhookServer.start(converting(convertEndpoint));
  server = await startServer({ crds: [endpointCrd(webhook.clientConfig)], listen: false });
});
afterEach(async () => {
  webhook.answer = converting(convertEndpoint);
  await call('DELETE', endpointsPath('v2'));
  webhook.takeCalls();
});
afterAll(async () => {
  await server.close();
  await webhook[Symbol.asyncDispose]();
});

async function call(method: string, path: string, body?: unknown, type = 'application/json') {
  const init = body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) };
  const response = await server.fetch(path, { method, ...init });
  return { code: response.status, body: JSON.parse(await response.text()) };
}

test('an object is stored in one version and read in both', async () => {
  const created = await call('POST', endpointsPath('v1'), endpointV1('a', 'host:80'));
  expect(created).toMatchObject({
    code: 201,
    body: { apiVersion: 'net.example.com/v1', spec: { address: 'host:80' } },
  });
  const stored = await call('GET', endpointsPath('v2', '/a'));
  expect(stored.body.spec).toEqual({ host: 'host', port: 80, zone: 'here' });
  expect((await call('GET', endpointsPath('v1', '/a'))).body).toEqual(created.body);
});

test('a failure says so with 500 and leaves nothing behind', async () => {
  webhook.answer = saying(500, 'text/plain', 'broken');
  const { code, body } = await call('POST', endpointsPath('v1'), endpointV1('b', 'host:80'));
  expect(code).toBe(500);
  expect(body.message).toBe(
    'conversion webhook for net.example.com/v1, Kind=Endpoint failed: ' +
      'an error on the server ("broken") has prevented the request from succeeding',
  );
  expect((await call('GET', endpointsPath('v2', '/b'))).code).toBe(404);
});

test('a list converts all objects in one call, and again none', async () => {
  for (const name of ['a', 'b', 'c']) await call('POST', endpointsPath('v2'), endpointV2(name, name, 1));
  const { body } = await call('GET', endpointsPath('v1'));
  expect(body.items.map(({ spec }: { spec: unknown }) => spec)).toEqual([
    { address: 'a:1' },
    { address: 'b:1' },
    { address: 'c:1' },
  ]);
  expect(webhook.takeCalls()).toEqual([3]);
  await call('GET', endpointsPath('v1'));
  expect(webhook.takeCalls()).toEqual([]);
});
