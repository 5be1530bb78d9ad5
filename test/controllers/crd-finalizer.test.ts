import { expect, test } from 'vitest';
import { Api, objectOf, quiet, until } from './api.ts';
import { crdOf } from '../fixtures/crd.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgetCrd = `${crds}/widgets.example.com`;
const widgetsIn = (namespace: string) => `/apis/example.com/v1/namespaces/${namespace}/widgets`;

const terminating = (crd: { status: { conditions: { type: string; reason: string }[] } }) => {
  const found = crd.status.conditions.find(({ type }) => type === 'Terminating');
  return found && { ...found, lastTransitionTime: undefined };
};

test('a deleted CRD takes its instances of all namespaces along', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget')] });
  await api.namespace('other');
  for (const namespace of ['default', 'other']) {
    for (const name of ['a', 'b']) await api.create(widgetsIn(namespace), objectOf('Widget', name));
  }
  const deleted = await api.delete(widgetCrd);
  expect(deleted.metadata).toMatchObject({
    deletionTimestamp: expect.any(String),
    finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
    generation: 1,
  });
  expect(terminating(deleted)).toEqual({
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  });
  await api.gone(widgetCrd);
  expect((await api.get(widgetsIn('default'))).code).toBe(404);
  expect(api.troubles).toEqual([]);
});

test('a CRD that comes again under the same name finds nothing of the old one', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget')] });
  for (let round = 1; round <= 3; round += 1) {
    await api.create(widgetsIn('default'), objectOf('Widget', 'same'));
    await api.delete(widgetCrd);
    await api.gone(widgetCrd);
    await api.create(crds, crdOf('Widget'));
    await until(() => api.exists(widgetsIn('default')));
    expect((await api.get(widgetsIn('default'))).body.items).toEqual([]);
  }
});

test('it waits for the finalizers of instances, and goes when the last one is gone', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget')] });
  await api.create(widgetsIn('default'), objectOf('Widget', 'free'));
  await api.create(widgetsIn('default'), objectOf('Widget', 'held', { finalizers: ['example.com/mine'] }));
  await api.delete(widgetCrd);
  await api.gone(`${widgetsIn('default')}/free`);
  const crd = await api.settles(
    widgetCrd,
    (body) => terminating(body)?.reason === 'InstanceDeletionInProgress',
  );
  expect(terminating(crd)).toEqual({
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  });
  const held = await api.get(`${widgetsIn('default')}/held`);
  expect(held.body.metadata.deletionTimestamp).toEqual(expect.any(String));

  const refused = await api.call('POST', widgetsIn('default'), objectOf('Widget', 'late'));
  expect(refused.body).toMatchObject({
    code: 403,
    message:
      'widgets.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
  });

  await api.merge(`${widgetsIn('default')}/held`, { metadata: { finalizers: null } });
  await api.gone(widgetCrd);
});

test('other finalizers of the CRD hold it after its instances are gone; it then says so', async () => {
  const crd = crdOf('Widget');
  await using api = await Api.start({
    crds: [{ ...crd, metadata: { ...crd.metadata, finalizers: ['example.com/mine'] } }],
  });
  await api.create(widgetsIn('default'), objectOf('Widget', 'a'));
  await api.delete(widgetCrd);
  expect(terminating((await api.get(widgetCrd)).body)).toMatchObject({ status: 'True' });
  const done = await api.settles(widgetCrd, (body) => body.metadata.finalizers.length === 1);
  expect(terminating(done)).toEqual({
    type: 'Terminating',
    status: 'False',
    reason: 'InstanceDeletionCompleted',
    message: 'removed all instances',
  });
  await api.merge(widgetCrd, { metadata: { finalizers: [] } });
  await api.gone(widgetCrd);
});

test('a CRD that was never established has no instances to look for', async () => {
  const taken = crdOf('Widget', { group: 'example.com' });
  const second = {
    ...taken,
    metadata: { name: 'gadgets.example.com', finalizers: ['example.com/mine'] },
    spec: { ...taken.spec, names: { ...taken.spec.names, plural: 'gadgets', singular: 'gadget' } },
  };
  await using api = await Api.start({ crds: [taken] });
  await api.create(crds, second);
  const path = `${crds}/gadgets.example.com`;
  await api.settles(path, (body) => (body.status?.conditions?.length ?? 0) > 0);
  await api.delete(path);
  const done = await api.settles(path, (body) => body.metadata.finalizers.length === 1);
  expect(terminating(done)).toEqual({
    type: 'Terminating',
    status: 'False',
    reason: 'NeverEstablished',
    message: 'resource was never established',
  });
});

test('a watch on the instances goes on until they are gone', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget')] });
  await api.create(widgetsIn('default'), objectOf('Widget', 'held', { finalizers: ['example.com/mine'] }));
  const { body } = await api.get(widgetsIn('default'));
  const watched = api.lines(
    `${widgetsIn('default')}?watch=1&resourceVersion=${body.metadata.resourceVersion}`,
  );
  await api.delete(widgetCrd);
  await api.settles(widgetCrd, (crd) => terminating(crd)?.reason === 'InstanceDeletionInProgress');
  await api.merge(`${widgetsIn('default')}/held`, { metadata: { finalizers: null } });
  await api.gone(widgetCrd);
  const types = (await watched).map(({ type }) => type);
  expect(types.at(-1)).toBe('DELETED');
});

test('after a minute it says that it cannot confirm, and goes on waiting', async () => {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  await using api = await Api.start({ crds: [crdOf('Widget')], clock: { now: () => nowMs } });
  for (const name of ['first', 'last']) {
    await api.create(widgetsIn('default'), objectOf('Widget', name, { finalizers: ['example.com/mine'] }));
  }
  await api.delete(widgetCrd);
  await api.settles(widgetCrd, (body) => terminating(body)?.reason === 'InstanceDeletionInProgress');
  await api.settles(`${widgetsIn('default')}/last`, (body) => body.metadata.deletionTimestamp !== undefined);
  await quiet();
  nowMs += 61_000;
  await api.merge(`${widgetsIn('default')}/first`, { metadata: { finalizers: null } });
  const late = await api.settles(widgetCrd, (body) => terminating(body)?.reason === 'InstanceDeletionCheck');
  expect(terminating(late)).toEqual({
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionCheck',
    message: 'could not confirm zero CustomResources remaining: context deadline exceeded',
  });
  await api.merge(`${widgetsIn('default')}/last`, { metadata: { finalizers: null } });
  await api.gone(widgetCrd);
});

test('without the controller a deleted CRD stays', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget')], disableControllers: ['crd-finalizer'] });
  await api.delete(widgetCrd);
  expect((await api.get(widgetCrd)).body.metadata.deletionTimestamp).toEqual(expect.any(String));
  await expect(Api.start({ disableControllers: ['nobody'] })).rejects.toThrow(
    'there is no controller nobody',
  );
});
