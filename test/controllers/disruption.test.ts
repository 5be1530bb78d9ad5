import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../src/testing/index.ts';
import { Api } from './api.ts';

const clock = new FakeClock('2026-03-01T12:00:00Z');
let api: Api;
beforeAll(async () => {
  // The owners of some pods are not there.
  api = await Api.start({
    disruptionBudgets: true,
    clock,
    timers: clock,
    disableControllers: ['garbage-collector'],
  });
});
afterAll(() => api[Symbol.asyncDispose]());

let count = 0;
let namespace = '';
beforeEach(async () => {
  namespace = `n${count++}`;
  await api.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
});

const at = (group: string, resource: string, name = '') =>
  `${group === '' ? '/api/v1' : `/apis/${group}/v1`}/namespaces/${namespace}/${resource}${name && `/${name}`}`;
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } };
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string };
}

const ownedBy = ({ apiVersion, kind, metadata: { name, uid } }: Owner) => ({
  ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
});

async function createPods(names: readonly string[], owner?: Owner): Promise<void> {
  for (const name of names) {
    const metadata = { name, labels, ...(owner && ownedBy(owner)) };
    const spec = { ...template.spec, nodeName: 'node-1' };
    await api.create(at('', 'pods'), { apiVersion: 'v1', kind: 'Pod', metadata, spec });
    await api.merge(`${at('', 'pods', name)}/status`, { status: ready });
  }
}

async function workload(kind: string, resource: string, replicas: number, owner?: Owner): Promise<Owner> {
  const metadata = { name: kind.toLowerCase(), ...(owner && ownedBy(owner)) };
  const spec = { replicas, selector: { matchLabels: labels }, template, serviceName: 'x' };
  if (kind !== 'StatefulSet') Reflect.deleteProperty(spec, 'serviceName');
  const made = await api.call('POST', at('apps', resource), { apiVersion: 'apps/v1', kind, metadata, spec });
  return made.body;
}

const createBudget = (spec: object) =>
  api.create(at('policy', 'poddisruptionbudgets'), {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: labels }, ...spec },
  });

async function untilStatus(expected: object): Promise<void> {
  let status: unknown;
  await expect
    .poll(async () => (status = (await api.get(at('policy', 'poddisruptionbudgets', 'web'))).body.status), {
      timeout: 20_000,
      interval: 10,
    })
    .toMatchObject(expected);
  expect(status).toBeDefined();
}

const evict = (name: string) =>
  api.call('POST', `${at('', 'pods', name)}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
  });

test('evictions obey the budget that is computed', async () => {
  await createPods(['a', 'b', 'c']);
  await createBudget({ minAvailable: 2 });
  const counts = { currentHealthy: 3, desiredHealthy: 2, expectedPods: 3, disruptionsAllowed: 1 };
  await untilStatus({ ...counts, observedGeneration: 1 });
  const { body } = await api.get(at('policy', 'poddisruptionbudgets', 'web'));
  expect(body.status.conditions).toEqual([
    {
      type: 'DisruptionAllowed',
      status: 'True',
      observedGeneration: 1,
      lastTransitionTime: '2026-03-01T12:00:00Z',
      reason: 'SufficientPods',
      message: '',
    },
  ]);
  expect((await evict('a')).code).toBe(201);
  await untilStatus({ currentHealthy: 2, disruptionsAllowed: 0 });
  const refused = await evict('b');
  expect([refused.code, refused.body.details.causes[0].message]).toEqual([
    429,
    'The disruption budget web needs 2 healthy pods and has 2 currently',
  ]);
  await api.call('DELETE', `${at('', 'pods', 'a')}?gracePeriodSeconds=0`);
  await createPods(['d']);
  await untilStatus({ ...counts });
  expect((await evict('b')).code).toBe(201);
});

test('a share is one of what the Deployment wants, also while its sets are exchanged', async () => {
  const deployment = await workload('Deployment', 'deployments', 5);
  const set = await workload('ReplicaSet', 'replicasets', 2, deployment);
  await createPods(['a', 'b', 'c', 'd'], set);
  await createBudget({ maxUnavailable: '30%' });
  await untilStatus({ currentHealthy: 4, desiredHealthy: 3, expectedPods: 5, disruptionsAllowed: 1 });
  await api.merge(at('apps', 'deployments', 'deployment'), { spec: { replicas: 2 } });
  await untilStatus({ currentHealthy: 4, desiredHealthy: 1, expectedPods: 2, disruptionsAllowed: 3 });
});

test('a StatefulSet, and pods that are not ready', async () => {
  await createPods(['a', 'b'], await workload('StatefulSet', 'statefulsets', 3));
  await createBudget({ minAvailable: '50%' });
  await untilStatus({ currentHealthy: 2, desiredHealthy: 2, expectedPods: 3, disruptionsAllowed: 0 });
  const conditions = [{ type: 'Ready', status: 'False' }];
  await api.merge(`${at('', 'pods', 'a')}/status`, { status: { conditions } });
  await untilStatus({ currentHealthy: 1, conditions: [{ status: 'False', reason: 'InsufficientPods' }] });
});

test('where the pods cannot be counted, nothing may go, and the condition says why', async () => {
  const gone = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'gone', uid: 'gone' } };
  await createPods(['a'], gone);
  await createBudget({ maxUnavailable: 1 });
  await untilStatus({
    disruptionsAllowed: 0,
    conditions: [{ status: 'False', reason: 'SyncFailed', message: 'found no controllers for pod "a"' }],
  });
  expect((await evict('a')).code).toBe(429);
});

test.each([
  ['example.com/v1', 'Robot', 'no matches for kind "Robot" in version "example.com/v1"'],
  ['v1', 'ConfigMap', 'configmaps does not implement the scale subresource'],
])('a controller of %s %s cannot be counted', async (apiVersion, kind, message) => {
  const made = await api.create(at('', 'configmaps'), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x' },
  });
  await createPods(['a'], { apiVersion, kind, metadata: { name: 'x', uid: made.metadata.uid } });
  await createBudget({ minAvailable: '50%' });
  await untilStatus({ conditions: [{ reason: 'SyncFailed', message }] });
});

test('an evicted pod that is not deleted counts again after two minutes', async () => {
  await createPods(['a', 'b']);
  await createBudget({ minAvailable: 1 });
  await untilStatus({ currentHealthy: 2, disruptionsAllowed: 1 });
  const disruptedPods = { a: '2026-03-01T12:00:00Z' };
  await api.merge(`${at('policy', 'poddisruptionbudgets', 'web')}/status`, { status: { disruptedPods } });
  await untilStatus({ currentHealthy: 1, disruptionsAllowed: 0, disruptedPods });
  clock.advance(121_000);
  await untilStatus({ currentHealthy: 2, disruptionsAllowed: 1 });
});

test('without the controller, the status stays as a test wrote it', async () => {
  await using plain = await Api.start();
  const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const spec = { minAvailable: 1, selector: {} };
  await plain.create(path, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec,
  });
  const status = { disruptionsAllowed: 7, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  await plain.merge(`${path}/web/status`, { status });
  expect((await plain.get(`${path}/web`)).body.status).toEqual(status);
});
