import { expect, test } from 'vitest';
import { type KubeObject, metadataOf } from '../meta/index.ts';
import { pathOf } from '../client/index.ts';
import { crdPath, OfflineServer } from './offline-server.ts';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 10' }] },
        color: { type: 'string', default: 'blue' },
      },
    },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } },
  },
};
const version = { served: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } };
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      { ...version, name: 'v1', storage: true },
      { ...version, name: 'v1beta1', storage: false },
      { ...version, name: 'v1alpha1', storage: false, deprecated: true },
    ],
  },
};

const widget = (spec: KubeObject, metadata: KubeObject = { name: 'a' }, version = 'v1') => ({
  spec,
  kind: 'Widget',
  metadata,
  apiVersion: `example.com/${version}`,
});

async function withKinds() {
  const server = await OfflineServer.start({});
  await server.call('POST', crdPath, crd);
  await server.established('widgets.example.com');
  const kinds = await server.kinds();
  const kindOf = ({ apiVersion, kind }: KubeObject) =>
    kinds.find((one) => one.kind === kind && one.apiVersion === apiVersion);
  const ask = async (object: KubeObject) => {
    const kind = kindOf(object);
    if (kind === undefined) throw new Error('not served');
    const silent = await server.createSilently(kind, object, false);
    const namespace = String(metadataOf(object)['namespace'] ?? '');
    return { silent, asked: await server.call('POST', `${pathOf(kind, namespace)}?dryRun=All`, object) };
  };
  return { server, ask };
}

/** Without the fields that differ between creates, and without managedFields. */
function lasting(object: KubeObject | undefined): KubeObject {
  const { uid, creationTimestamp, managedFields, ...metadata } = metadataOf(object ?? {});
  return { ...object, metadata };
}

test('creating without a request gives the same object', async () => {
  const { server, ask } = await withKinds();
  await using _ = server;
  for (const object of [
    widget({ size: 1 }),
    widget({ size: 1 }, { name: 'a', namespace: 'other', labels: { a: 'b' } }),
    { ...widget({ size: 9, color: 'red' }, { name: 'b' }, 'v1beta1'), status: { ready: true } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' } },
  ]) {
    const { silent, asked } = await ask(object);
    expect(silent?.warnings).toEqual([]);
    expect(lasting(silent?.object)).toEqual(lasting(asked.object));
  }
});

test.each<[string, KubeObject]>([
  ['an error', widget({ size: 11 })],
  ['an unknown field', widget({ size: 1, sise: 1 })],
  ['a deprecated version', widget({ size: 1 }, { name: 'a' }, 'v1alpha1')],
  ['what is there', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }],
  ['too many bytes', widget({ size: 1, color: 'x'.repeat(3_200_000) })],
])('where there is something to say, the server is asked: %s', async (_, object) => {
  const { server, ask } = await withKinds();
  await using __ = server;
  const { silent, asked } = await ask(object);
  expect(silent).toBeUndefined();
  expect(asked.refusal?.message ?? asked.warnings[0]).toBeTruthy();
});

test('stores nothing', async () => {
  const { server, ask } = await withKinds();
  await using _ = server;
  await ask(widget({ size: 1 }));
  const { object } = await server.call('GET', '/apis/example.com/v1/widgets');
  expect(object?.['items']).toEqual([]);
});
