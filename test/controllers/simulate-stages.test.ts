import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/library/index.ts';
import { FakeClock } from '../../src/testing/index.ts';

const stage = (name: string, kind: string, spec: object) => ({
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind: 'Stage',
  metadata: { name },
  spec: { resourceRef: { apiGroup: kind === 'Widget' ? 'example.com/v1' : 'v1', kind }, ...spec },
});
const phase = (operator: string, ...values: string[]) => ({ key: '.status.phase', operator, values });
const marked = { key: '.metadata.deletionTimestamp', operator: 'Exists' };
const unmarked = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' };

const stages = [
  stage('slow-pod-starts', 'Pod', {
    selector: { matchLabels: { app: 'slow' }, matchExpressions: [phase('In', 'Pending'), unmarked] },
    delay: { durationMilliseconds: 5_000 },
    next: {
      event: { type: 'Normal', reason: 'Started', message: 'Started slowly' },
      statusTemplate: 'phase: Running\nstartTime: {{ Now }}\n',
    },
  }),
  stage('slow-pod-fails', 'Pod', {
    selector: { matchLabels: { app: 'slow' }, matchExpressions: [phase('In', 'Running')] },
    delay: { durationMilliseconds: 24 * 3_600_000 },
    next: { statusTemplate: 'phase: Failed\nreason: Evicted\n' },
  }),
  stage('widget-is-held', 'Widget', {
    selector: { matchExpressions: [{ key: '.status', operator: 'DoesNotExist' }] },
    next: {
      finalizers: { add: [{ value: 'example.com/held' }] },
      patches: [{ subresource: 'status', root: 'status', template: 'phase: Held' }],
    },
  }),
  stage('widget-is-released', 'Widget', {
    selector: { matchExpressions: [marked] },
    weight: 1,
    delay: { durationMilliseconds: 1_000 },
    next: { finalizers: { empty: true } },
  }),
];

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { status: { type: 'object', properties: { phase: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};

const clock = new FakeClock(Math.floor(Date.now() / 1_000) * 1_000);
const pods = '/api/v1/namespaces/default/pods';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ simulate: { stages }, clock, listen: false, crds: [crd] });
});
afterAll(() => server.close());

async function call(method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json' };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return JSON.parse(await (await server.fetch(path, init)).text());
}
const status = async (path: string) => (await call('GET', path)).status;
const pod = (name: string, labels: object) => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});

describe('stages', () => {
  test('take the pods that they select through their phases, by the clock', async () => {
    await call('POST', pods, pod('slow', { app: 'slow' }));
    await call('POST', pods, pod('usual', {}));
    await expect.poll(async () => (await status(`${pods}/usual`)).phase).toBe('Running');
    await expect.poll(async () => (await call('GET', `${pods}/slow`)).spec.nodeName).toBe('node-1');
    expect((await status(`${pods}/slow`)).phase).toBe('Pending');
    await expect
      .poll(async () => {
        clock.advance(5_000);
        return status(`${pods}/slow`);
      })
      .toMatchObject({ phase: 'Running', startTime: expect.stringMatching(/^2.*Z$/) });
    const { items } = await call('GET', '/api/v1/namespaces/default/events');
    expect(items).toMatchObject([
      { reason: 'Started', message: 'Started slowly', involvedObject: { name: 'slow' } },
    ]);
  });

  test('go on from the state that another stage has reached', async () => {
    await expect
      .poll(async () => {
        clock.advance(24 * 3_600_000);
        return status(`${pods}/slow`);
      })
      .toMatchObject({ phase: 'Failed', reason: 'Evicted' });
  });

  test('are for custom resources too, with finalizers', async () => {
    await call('POST', widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } });
    await expect.poll(() => status(`${widgets}/w`)).toEqual({ phase: 'Held' });
    const { metadata } = await call('GET', `${widgets}/w`);
    expect(metadata.finalizers).toEqual(['example.com/held']);
    await call('DELETE', `${widgets}/w`);
    expect((await call('GET', `${widgets}/w`)).metadata.deletionTimestamp).toBeDefined();
    await expect
      .poll(async () => {
        clock.advance(1_000);
        return (await call('GET', `${widgets}/w`)).reason;
      })
      .toBe('NotFound');
  });
});

test('a Stage that is not supported stops the start', async () => {
  const bad = stage('bad', 'Pod', { delay: { durationFrom: {} } });
  await expect(startServer({ simulate: { stages: [bad] }, listen: false })).rejects.toThrow(
    'Stage bad: spec.delay.durationFrom: is not supported',
  );
});
