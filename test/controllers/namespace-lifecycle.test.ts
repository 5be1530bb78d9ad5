import { expect, test } from 'vitest';
import { Api, objectOf, quiet } from './api.ts';
import { crdOf } from '../fixtures/crd.ts';

const namespaces = '/api/v1/namespaces';
const path = `${namespaces}/doomed`;
const things = (plural: string) => `/apis/example.com/v1/namespaces/doomed/${plural}`;

interface Namespace {
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { type: string; status: string; reason: string; message: string }[];
  };
}

const conditionsOf = ({ status }: Namespace) =>
  (status.conditions ?? []).map(({ type, status, reason, message }) => [type, status, reason, message]);

const discovered = [
  'NamespaceDeletionDiscoveryFailure',
  'False',
  'ResourcesDiscovered',
  'All resources successfully discovered',
];
const parsed = [
  'NamespaceDeletionGroupVersionParsingFailure',
  'False',
  'ParsedGroupVersions',
  'All legacy kube types successfully parsed',
];
const contentDeleted = [
  'NamespaceDeletionContentFailure',
  'False',
  'ContentDeleted',
  'All content successfully deleted, may be waiting on finalization',
];
const removed = (type: string) => [type, 'False', 'ContentRemoved', 'All content successfully removed'];

test('a namespace goes with everything in it, and comes again empty', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget'), crdOf('Gadget')] });
  for (let round = 1; round <= 3; round += 1) {
    await api.namespace('doomed');
    await api.create(things('widgets'), objectOf('Widget', 'a'));
    await api.create(things('gadgets'), objectOf('Gadget', 'b'));
    await api.create('/apis/coordination.k8s.io/v1/namespaces/doomed/leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'c' },
    });
    const deleted = await api.delete(path);
    expect(deleted).toMatchObject({
      kind: 'Namespace',
      metadata: { deletionTimestamp: expect.any(String) },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Terminating' },
    });
    expect(deleted.metadata.deletionGracePeriodSeconds).toBeUndefined();
    await api.gone(path);
    expect((await api.get('/apis/example.com/v1/widgets')).body.items).toEqual([]);
    expect((await api.get('/apis/example.com/v1/gadgets')).body.items).toEqual([]);
    expect((await api.get('/apis/coordination.k8s.io/v1/leases')).body.items).toEqual([]);
  }
  expect(api.troubles).toEqual([]);
});

test('it leaves other namespaces and what belongs to none alone', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget'), crdOf('Planet', { scope: 'Cluster' })] });
  await api.namespace('doomed');
  await api.create('/apis/example.com/v1/namespaces/default/widgets', objectOf('Widget', 'a'));
  await api.create('/apis/example.com/v1/planets', objectOf('Planet', 'doomed'));
  await api.delete(path);
  await api.gone(path);
  expect(await api.exists('/apis/example.com/v1/namespaces/default/widgets/a')).toBe(true);
  expect(await api.exists('/apis/example.com/v1/planets/doomed')).toBe(true);
});

test('finalizers hold it; the five conditions tell which', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget'), crdOf('Gadget')] });
  await api.namespace('doomed');
  for (const name of ['a', 'b']) {
    await api.create(things('widgets'), objectOf('Widget', name, { finalizers: ['example.com/mine'] }));
  }
  const finalizers = ['example.com/mine', 'example.com/yours'];
  await api.create(things('gadgets'), objectOf('Gadget', 'c', { finalizers }));
  await api.create(things('gadgets'), objectOf('Gadget', 'free'));
  await api.delete(path);

  const held = await api.settles(path, (body) => conditionsOf(body).length === 5);
  expect(held.status.phase).toBe('Terminating');
  expect(conditionsOf(held)).toEqual([
    discovered,
    parsed,
    contentDeleted,
    [
      'NamespaceContentRemaining',
      'True',
      'SomeResourcesRemain',
      'Some resources are remaining: gadgets.example.com has 1 resource instances, ' +
        'widgets.example.com has 2 resource instances',
    ],
    [
      'NamespaceFinalizersRemaining',
      'True',
      'SomeFinalizerRemain',
      'Some finalizers are remaining: example.com/mine in 3 resource instances, ' +
        'example.com/yours in 1 resource instances',
    ],
  ]);
  expect(await api.exists(`${things('gadgets')}/free`)).toBe(false);

  await api.merge(`${things('gadgets')}/c`, { metadata: { finalizers: null } });
  await api.merge(`${things('widgets')}/a`, { metadata: { finalizers: null } });
  const message = 'Some resources are remaining: widgets.example.com has 1 resource instances';
  await api.settles(path, (body) => conditionsOf(body)[3]?.[3] === message);

  await api.merge(`${things('widgets')}/b`, { metadata: { finalizers: null } });
  await api.gone(path);
});

test('nothing else goes while there is a pod (CVE-2024-7598)', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget')] });
  await api.namespace('doomed');
  await api.create(things('widgets'), objectOf('Widget', 'guard'));
  const pods = `${path}/pods`;
  const spec = { containers: [{ name: 'a', image: 'a' }] };
  const metadata = { name: 'last', finalizers: ['example.com/mine'] };
  await api.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
  await api.delete(path);
  await api.settles(`${pods}/last`, (pod) => pod.metadata.deletionTimestamp !== undefined);
  await quiet();
  expect(await api.exists(`${things('widgets')}/guard`)).toBe(true);

  await api.merge(`${pods}/last`, { metadata: { finalizers: null } });
  await api.gone(path);
});

test('nothing is created in it meanwhile', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget')] });
  await api.namespace('doomed');
  await api.create(things('widgets'), objectOf('Widget', 'a', { finalizers: ['example.com/mine'] }));
  await api.delete(path);
  const refused = await api.call('POST', things('widgets'), objectOf('Widget', 'late'));
  expect(refused.body).toMatchObject({
    code: 403,
    message:
      'widgets.example.com "late" is forbidden: unable to create new content in namespace doomed because it is being terminated',
    details: { causes: [{ reason: 'NamespaceTerminating' }] },
  });
});

test('finalizers of its own hold it after everything is gone, and only the one of the server is taken away', async () => {
  await using api = await Api.start();
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doomed' } };
  await api.create(namespaces, { ...body, spec: { finalizers: ['example.com/z', 'example.com/a'] } });
  await api.delete(path);
  const done = await api.settles(path, ({ spec }) => spec.finalizers.length === 2);
  expect(done.spec.finalizers).toEqual(['example.com/a', 'example.com/z']);
  expect(conditionsOf(done)).toEqual([
    discovered,
    parsed,
    contentDeleted,
    removed('NamespaceContentRemaining'),
    removed('NamespaceFinalizersRemaining'),
  ]);
  await quiet();
  const finalized = await api.call('PUT', `${path}/finalize`, { ...done, spec: {} });
  expect(finalized.code).toBe(200);
  await api.gone(path);
});

test('metadata.finalizers hold it as they hold any object', async () => {
  await using api = await Api.start();
  const metadata = { name: 'doomed', finalizers: ['example.com/mine'] };
  await api.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
  await api.delete(path);
  await api.settles(path, ({ spec }) => (spec.finalizers ?? []).length === 0);
  await api.merge(path, { metadata: { finalizers: null } });
  await api.gone(path);
});

test('a CRD with instances there can go at the same time', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget')] });
  await api.namespace('doomed');
  for (let n = 0; n < 20; n += 1) await api.create(things('widgets'), objectOf('Widget', `w${n}`));
  const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
  await Promise.all([api.delete(path), api.delete(crd)]);
  await Promise.all([api.gone(path), api.gone(crd)]);
});

test('the phase follows the deletion', async () => {
  await using api = await Api.start({ disableControllers: ['namespace'] });
  await api.namespace('doomed');
  const active = (await api.get(path)).body;
  const early = await api.call('PUT', `${path}/status`, { ...active, status: { phase: 'Terminating' } });
  expect(early.body).toMatchObject({
    code: 422,
    message:
      'Namespace "doomed" is invalid: status.Phase: Invalid value: "Terminating": ' +
      "may only be 'Active' if `deletionTimestamp` is empty",
  });
  await api.delete(path);
  const doomed = (await api.get(path)).body;
  const late = await api.call('PUT', `${path}/status`, { ...doomed, status: { phase: 'Active' } });
  expect(late.body.message).toBe(
    'Namespace "doomed" is invalid: status.Phase: Invalid value: "Active": ' +
      "may only be 'Terminating' if `deletionTimestamp` is not empty",
  );
  const again = await api.delete(path);
  expect(again.metadata.resourceVersion).toBe(doomed.metadata.resourceVersion);
  const named = await api.call('PUT', `${path}/finalize`, { ...doomed, spec: { finalizers: ['mine'] } });
  expect(named.body.message).toBe(
    'Namespace "doomed" is invalid: spec.finalizers[0]: Invalid value: "mine": ' +
      'name is neither a standard finalizer name nor is it fully qualified',
  );
});

test('some namespaces stay', async () => {
  await using api = await Api.start();
  const refused = await api.call('DELETE', `${namespaces}/default`);
  expect(refused.body).toMatchObject({
    code: 403,
    message: 'namespaces "default" is forbidden: this namespace may not be deleted',
  });
});
