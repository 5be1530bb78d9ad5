import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../src/server.ts';
import { until } from './controllers/api.ts';
import { crdOf } from './fixtures/crd.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const beta = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({
    crds: [crdOf('Widget'), crdOf('Zebra', { group: 'zoo.com' })],
    listen: false,
  });
});
afterAll(() => server.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await server.fetch(path, { headers });
  const text = await response.text();
  return { response, body: text.startsWith('{') ? JSON.parse(text) : text };
}

const change = async (path: string, patch: object) => {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const response = await server.fetch(path, { method: 'PATCH', headers, body: JSON.stringify(patch) });
  expect(response.status).toBe(200);
};

describe('aggregated discovery', () => {
  test.each(['/api', '/apis'])('%s is one document, which is not sent to whom has it', async (path) => {
    const { response, body } = await get(path, { accept: aggregated });
    expect(response.headers.get('content-type')).toBe(aggregated);
    expect(response.headers.get('vary')).toBe('Accept');
    expect(response.headers.get('cache-control')).toBe('public');
    expect(body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
    const again = await get(path, { accept: aggregated, 'if-none-match': etag });
    expect([again.response.status, again.body]).toEqual([304, '']);
    const other = await get(path, { accept: aggregated, 'if-none-match': '"other"' });
    expect(other.response.status).toBe(200);
  });

  const choices: [accept: string, kind: string][] = [
    [`${aggregated},${beta},application/json`, 'APIGroupDiscoveryList'],
    [`${aggregated};profile=nopeer,application/json`, 'APIGroupDiscoveryList'],
    [`application/json,${aggregated}`, 'APIGroupList'],
    [`${beta},application/json`, 'APIGroupList'],
    ['*/*', 'APIGroupList'],
    [`application/json;q=0.5,${aggregated}`, 'APIGroupDiscoveryList'],
  ];
  test.each(choices)('Accept: %s gives an %s', async (accept, kind) => {
    expect((await get('/apis', { accept })).body.kind).toBe(kind);
  });

  test('its beta form is no more', async () => {
    const { response } = await get('/apis', { accept: beta });
    expect(response.status).toBe(406);
  });

  test('a change of a CRD changes it, a change of its condition does not', async () => {
    const etag = async () => (await get('/apis', { accept: aggregated })).response.headers.get('etag');
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
    const before = await etag();
    await change(path, { metadata: { labels: { a: 'b' } } });
    expect(await etag()).toBe(before);
    await change(path, { spec: { names: { categories: ['tools'] } } });
    await until(async () => (await etag()) !== before, 'discovery stays as it was');
  });
});

test('groups have the same order wherever they are listed', async () => {
  const expected = [
    'apiregistration.k8s.io',
    'apps',
    'events.k8s.io',
    'authentication.k8s.io',
    'authorization.k8s.io',
    'autoscaling',
    'batch',
    'certificates.k8s.io',
    'networking.k8s.io',
    'policy',
    'rbac.authorization.k8s.io',
    'storage.k8s.io',
    'admissionregistration.k8s.io',
    'apiextensions.k8s.io',
    'scheduling.k8s.io',
    'coordination.k8s.io',
    'node.k8s.io',
    'discovery.k8s.io',
    'resource.k8s.io',
    'flowcontrol.apiserver.k8s.io',
    'example.com',
    'zoo.com',
  ];
  const { body: list } = await get('/apis');
  expect(list.groups.map(({ name }: { name: string }) => name)).toEqual(expected);
  const { body } = await get('/apis', { accept: aggregated });
  expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(expected);
});

test('a group goes with its last CRD', async () => {
  expect((await get('/apis/zoo.com')).response.status).toBe(200);
  const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/zebras.zoo.com';
  await server.fetch(crd, { method: 'DELETE' });
  await until(async () => (await get(crd)).response.status === 404, 'the CRD is still there');
  for (const path of ['/apis/zoo.com', '/apis/zoo.com/v1', '/openapi/v3/apis/zoo.com/v1'])
    expect((await get(path)).response.status).toBe(404);
});
