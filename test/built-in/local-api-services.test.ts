import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ listen: false });
});
afterAll(() => server[Symbol.asyncDispose]());

const path = '/apis/apiregistration.k8s.io/v1/apiservices';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function call(method: string, to: string, body?: object) {
  const headers = {
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
  };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await server.fetch(to, init);
  return { code: response.status, body: JSON.parse(await response.text()) };
}

const names = async (): Promise<string[]> =>
  (await call('GET', path)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name);

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object' } },
    })),
  },
};

// As a kube-apiserver 1.37.1 lists them, but for storagemigration.k8s.io, which is not served here.
const builtIn = [
  'v1.',
  'v1.admissionregistration.k8s.io',
  'v1.apiextensions.k8s.io',
  'v1.apps',
  'v1.authentication.k8s.io',
  'v1.authorization.k8s.io',
  'v1.autoscaling',
  'v1.batch',
  'v1.certificates.k8s.io',
  'v1.coordination.k8s.io',
  'v1.discovery.k8s.io',
  'v1.events.k8s.io',
  'v1.flowcontrol.apiserver.k8s.io',
  'v1.networking.k8s.io',
  'v1.node.k8s.io',
  'v1.policy',
  'v1.rbac.authorization.k8s.io',
  'v1.resource.k8s.io',
  'v1.scheduling.k8s.io',
  'v1.storage.k8s.io',
  'v2.autoscaling',
];

test('each served version of a group has an APIService', async () => {
  expect(await names()).toEqual(builtIn);
  const { body } = await call('GET', `${path}/v1.apps`);
  expect(body).toMatchObject({
    metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
    spec: { group: 'apps', version: 'v1', groupPriorityMinimum: 17800, versionPriority: 15 },
    status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
  });
  expect((await call('GET', `${path}/v1.`)).body.spec).toEqual({
    version: 'v1',
    groupPriorityMinimum: 18000,
    versionPriority: 1,
  });
});

test('the versions of a CRD come and go with it, and keep their priority', async () => {
  await call('POST', crds, crd);
  expect((await call('GET', `${path}/v2.example.com`)).body).toMatchObject({
    metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
    spec: { group: 'example.com', version: 'v2', groupPriorityMinimum: 1000, versionPriority: 100 },
  });
  expect(await names()).toEqual([...builtIn, 'v1.example.com', 'v2.example.com'].sort());
  await call('PATCH', `${path}/v1.example.com`, { spec: { versionPriority: 7 } });
  const versions = crd.spec.versions.map((one) => ({ ...one, served: one.name === 'v1' }));
  await call('PATCH', `${crds}/widgets.example.com`, { spec: { versions } });
  await expect.poll(names).toEqual([...builtIn, 'v1.example.com'].sort());
  expect((await call('GET', `${path}/v1.example.com`)).body.spec.versionPriority).toBe(100);
  await call('DELETE', `${crds}/widgets.example.com`);
  await expect.poll(names).toEqual(builtIn);
});

// Asked of a kube-apiserver 1.37.1, too.
test('one of a CRD comes back at once, and one of this server with the next start', async () => {
  const priorityOf = async (name: string) =>
    (await call('GET', `${path}/${name}`)).body.spec?.versionPriority;
  await call('POST', crds, crd);
  expect(await priorityOf('v1.example.com')).toBe(100);
  const { uid } = (await call('GET', `${path}/v1.example.com`)).body.metadata;
  await call('DELETE', `${path}/v1.example.com`);
  await expect.poll(() => priorityOf('v1.example.com')).toBe(100);
  expect((await call('GET', `${path}/v1.example.com`)).body.metadata.uid).not.toBe(uid);
  await call('PATCH', `${path}/v1.example.com`, { spec: { versionPriority: 7 } });
  await expect.poll(() => priorityOf('v1.example.com')).toBe(100);

  await call('DELETE', `${path}/v1.batch`);
  await call('PATCH', `${path}/v1.apps`, { spec: { versionPriority: 7 } });
  const labels = { 'kube-aggregator.kubernetes.io/automanaged': null };
  await call('PATCH', `${path}/v2.example.com`, { metadata: { labels }, spec: { versionPriority: 7 } });
  // Restoring this one looks at all of them.
  await call('DELETE', `${path}/v1.example.com`);
  await expect.poll(() => priorityOf('v1.example.com')).toBe(100);
  expect(await priorityOf('v1.batch')).toBe(undefined);
  expect(await priorityOf('v1.apps')).toBe(7);
  expect(await priorityOf('v2.example.com')).toBe(7);
  expect((await call('GET', '/apis/batch/v1')).code).toBe(200);

  await using next = await server.fork();
  await vi.waitFor(async () => {
    const { items } = JSON.parse(await (await next.fetch(path)).text());
    const found = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    expect(found).toEqual([...builtIn, 'v1.example.com', 'v2.example.com'].sort());
  });
  await call('DELETE', `${path}/v2.example.com`);
  await call('DELETE', `${crds}/widgets.example.com`);
  await expect.poll(names).toEqual(builtIn.filter((name) => name !== 'v1.batch'));
});

test('a watch is told without another request', async () => {
  const { body } = await call('GET', path);
  const from = body.metadata.resourceVersion;
  const watch = await server.fetch(`${path}?watch=1&resourceVersion=${from}&timeoutSeconds=30`);
  const reader = watch.body?.pipeThrough(new TextDecoderStream()).getReader();
  await call('POST', crds, { ...crd, metadata: { name: 'widgets.example.com' } });
  let text = '';
  while (!text.includes('\n')) text += (await reader?.read())?.value ?? '\n';
  const first = JSON.parse(text.split('\n')[0] ?? '').object;
  expect(first).toMatchObject({ kind: 'APIService', spec: { group: 'example.com' } });
  await reader?.cancel();
  await call('DELETE', `${crds}/widgets.example.com`);
});

test('an APIService of the user stays as it is', async () => {
  const spec = {
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    groupPriorityMinimum: 100,
    versionPriority: 100,
    service: { namespace: 'kube-system', name: 'metrics-server' },
  };
  const metadata = { name: 'v1beta1.metrics.k8s.io' };
  const made = await call('POST', path, {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata,
    spec,
  });
  expect(made.code).toBe(201);
  expect(await names()).toContain('v1beta1.metrics.k8s.io');
});
