import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { openEtcdStore, prefixRange, type Store } from '../../src/storage/index.ts';
import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { storedByKubeApiserver } from '../kube-apiserver-data.ts';
import { widget, widgetsPath } from '../fixtures/widgets.ts';

const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';

describe.skipIf(etcdBinaries.length === 0)('an etcd that a kube-apiserver has written', () => {
  let etcd: EtcdProcess;
  let raw: Store;
  let server: IlkServer;

  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    raw = await openEtcdStore({ endpoints: [etcd.url], prefix: '' });
    for (const [key, value] of Object.entries(storedByKubeApiserver)) {
      await raw.commit({ key, value, expect: 0 });
    }
    server = await startServer({ storage: { kind: 'etcd', endpoints: [etcd.url] }, listen: false });
  });
  afterAll(async () => {
    await server.close();
    await raw.close();
    await etcd[Symbol.asyncDispose]();
  });

  async function call(method: string, path: string, body?: unknown, type = 'application/json') {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
    const response = await server.fetch(path, { method, ...init });
    return { code: response.status, body: JSON.parse(await response.text()) };
  }

  /** What stands under a key in etcd itself. */
  async function stored(key: string) {
    const { record } = await raw.get(key);
    return { text: Buffer.from(record?.value ?? []).toString(), revision: String(record?.modRevision) };
  }

  test('its CRDs, which are protobuf, are served', async () => {
    const { code, body } = await call('GET', crdPath);
    expect(code).toBe(200);
    expect(body).toMatchObject({
      metadata: {
        name: 'widgets.example.com',
        uid: '6f7c1f0e-8d8a-4c53-9a56-0d9a3a3a1f11',
        creationTimestamp: '2025-01-02T03:04:05Z',
        annotations: { note: 'from a kube-apiserver' },
      },
      spec: {
        names: { plural: 'widgets', shortNames: ['wd'] },
        versions: [
          {
            selectableFields: [{ jsonPath: '.spec.color' }],
            schema: { openAPIV3Schema: { properties: { spec: { properties: { size: { default: 3 } } } } } },
          },
        ],
      },
      status: { storedVersions: ['v1'], conditions: [{ type: 'NamesAccepted' }, { type: 'Established' }] },
    });
  });

  test('its CRDs in v1beta1, where what all versions share stands once, are served in v1', async () => {
    const { code, body } = await call('GET', crdPath.replace('widgets', 'gadgets'));
    expect([code, body.apiVersion]).toEqual([200, 'apiextensions.k8s.io/v1']);
    expect(body.spec).toEqual({
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
      conversion: { strategy: 'None' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          selectableFields: [{ jsonPath: '.spec.color' }],
          additionalPrinterColumns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { color: { type: 'string', default: 'blue' } } },
              },
            },
          },
        },
      ],
    });
    const gadgets = '/apis/example.com/v1/namespaces/old/gadgets';
    const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'first' }, spec: {} };
    expect((await call('POST', gadgets, gadget)).code).toBe(201);
    const { body: blue } = await call('GET', `${gadgets}?fieldSelector=spec.color=blue`);
    expect(blue.items).toMatchObject([{ metadata: { name: 'first' } }]);
    expect((await call('DELETE', `${gadgets}/first`)).code).toBe(200);
  });

  test('its namespaces, which are protobuf, are there', async () => {
    const { body } = await call('GET', '/api/v1/namespaces?labelSelector=team=blue');
    expect(body.items).toMatchObject([
      { metadata: { name: 'old' }, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } },
    ]);
  });

  test('its custom resources, which are JSON, are read by the schema', async () => {
    const key = '/registry/example.com/widgets/old/first';
    const { body } = await call('GET', `${widgetsPath('old')}?fieldSelector=spec.color=red`);
    expect(body.items).toMatchObject([
      {
        metadata: { name: 'first', resourceVersion: (await stored(key)).revision },
        spec: { color: 'red', size: 3 },
      },
    ]);
    const refused = await call('PATCH', `${widgetsPath('old')}/first`, { spec: { size: 10 } }, mergePatch);
    expect([refused.code, refused.body.message]).toEqual([422, expect.stringContaining('too large')]);
  });

  test('what we write is JSON without resourceVersion under the same keys, as a kube-apiserver would', async () => {
    const created = await call('POST', widgetsPath('old'), widget('second', { color: 'green' }));
    expect(created.code).toBe(201);
    const { text, revision } = await stored('/registry/example.com/widgets/old/second');
    const { resourceVersion, ...metadata } = created.body.metadata;
    expect(resourceVersion).toBe(revision);
    expect(JSON.parse(text)).toEqual({ ...created.body, metadata });

    const labelled = { metadata: { labels: { seen: 'yes' } } };
    for (const [path, key] of [
      [crdPath, '/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com'],
      ['/api/v1/namespaces/old', '/registry/namespaces/old'],
    ] as const) {
      const before = await call('GET', path);
      const after = await call('PATCH', path, labelled, mergePatch);
      expect(after.code).toBe(200);
      expect(after.body.spec).toEqual(before.body.spec);
      const object = JSON.parse((await stored(key)).text);
      expect([object.kind, object.metadata.labels?.seen, object.metadata.resourceVersion]).toEqual([
        after.body.kind,
        'yes',
        undefined,
      ]);
    }
    // The CRD in JSON serves as the one in protobuf did.
    expect((await call('GET', `${widgetsPath('old')}/first`)).body.spec).toEqual({ color: 'red', size: 3 });
  });

  test('and nothing else is put beside it', async () => {
    const { records } = await raw.list(prefixRange('/'));
    const folders = new Set(records.map(({ key }) => key.split('/').slice(0, 4).join('/')));
    const isRole = (folder: string) => /^\/registry\/clusterrole(binding)?s\//.test(folder);
    expect([...folders].filter(isRole)).toContain('/registry/clusterroles/cluster-admin');
    expect([...folders].filter((folder) => !isRole(folder)).sort()).toEqual([
      '/registry/apiextensions.k8s.io/customresourcedefinitions',
      '/registry/example.com/widgets',
      '/registry/leases/kube-system',
      '/registry/namespaces/default',
      '/registry/namespaces/kube-node-lease',
      '/registry/namespaces/kube-public',
      '/registry/namespaces/kube-system',
      '/registry/namespaces/old',
      '/registry/priorityclasses/system-cluster-critical',
      '/registry/priorityclasses/system-node-critical',
    ]);
  });
});

const mergePatch = 'application/merge-patch+json';
