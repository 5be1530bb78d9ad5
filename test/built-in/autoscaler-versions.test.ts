import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { Api } from '../controllers/api.ts';

// Answers of kube-apiserver 1.37.1 to the same requests.
let server: IlkServer;
let api: Api;
beforeAll(async () => {
  server = await startServer({ listen: false });
  api = Api.of(server);
});
afterAll(() => server.close());

const at = (version: string, name = '') =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers${name === '' ? '' : `/${name}`}`;
const scaleTargetRef = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' };
const autoscaler = (version: string, name: string, spec: object) => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name },
  spec: { scaleTargetRef, maxReplicas: 3, ...spec },
});

test('what kubectl autoscale of old versions writes is read as v2, and the reverse', async () => {
  const old = { minReplicas: 2, targetCPUUtilizationPercentage: 50 };
  const made = await api.call('POST', at('v1'), autoscaler('v1', 'old', old));
  expect([made.code, made.body.spec, made.body.status, made.body.metadata.generation]).toEqual([
    201,
    { scaleTargetRef, maxReplicas: 3, ...old },
    { currentReplicas: 0, desiredReplicas: 0 },
    1,
  ]);
  const read = await api.call('GET', at('v2', 'old'));
  const target = { type: 'Utilization', averageUtilization: 50 };
  expect([read.body.apiVersion, read.body.spec, read.body.status]).toEqual([
    'autoscaling/v2',
    {
      scaleTargetRef,
      minReplicas: 2,
      maxReplicas: 3,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    },
    { desiredReplicas: 0, currentMetrics: null },
  ]);
  expect(read.body.metadata.managedFields).toMatchObject([
    { apiVersion: 'autoscaling/v1', fieldsV1: { 'f:spec': { 'f:targetCPUUtilizationPercentage': {} } } },
  ]);
});

test('without a metric, 80 per cent of the processors', async () => {
  const made = await api.call('POST', at('v1'), autoscaler('v1', 'plain', {}));
  expect(made.body.spec).toEqual({
    scaleTargetRef,
    maxReplicas: 3,
    minReplicas: 1,
    targetCPUUtilizationPercentage: 80,
  });
});

test('errors are those of v2', async () => {
  const spec = {
    scaleTargetRef: { ...scaleTargetRef, kind: '' },
    maxReplicas: 0,
    minReplicas: -2,
    targetCPUUtilizationPercentage: -50,
  };
  const { code, body } = await api.call('POST', at('v1'), autoscaler('v1', 'bad', spec));
  expect(code).toBe(422);
  const causes = body.details.causes.map((cause: { field: string; message: string }) => cause);
  expect(
    causes.map(({ field, message }: { field: string; message: string }) => `${field}: ${message}`).sort(),
  ).toEqual([
    'spec.maxReplicas: Required value',
    'spec.metrics[0].resource.target.averageUtilization: Invalid value: -50: must be greater than 0',
    'spec.minReplicas: Invalid value: -2: must be greater than or equal to 0',
    'spec.scaleTargetRef.kind: Required value',
  ]);
});

const metrics = [
  {
    type: 'Pods',
    pods: {
      metric: { name: 'packets', selector: { matchLabels: { a: 'b' } } },
      target: { type: 'AverageValue', averageValue: '1k' },
    },
  },
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '60' } } },
  {
    type: 'Object',
    object: {
      describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
      metric: { name: 'rps' },
      target: { type: 'Value', value: '2k' },
    },
  },
  {
    type: 'External',
    external: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '3' } },
  },
  {
    type: 'ContainerResource',
    containerResource: {
      name: 'memory',
      container: 'app',
      target: { type: 'Utilization', averageUtilization: 70 },
    },
  },
];
const prefix = 'autoscaling.alpha.kubernetes.io/';

test('what v1 has no fields for stands in annotations, and comes back from there', async () => {
  const behavior = { scaleDown: { stabilizationWindowSeconds: 10 } };
  await api.call('POST', at('v2'), autoscaler('v2', 'rich', { metrics, behavior }));
  const read = await api.call('GET', at('v1', 'rich'));
  expect(read.body.spec).toEqual({
    scaleTargetRef,
    minReplicas: 1,
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 60,
  });
  expect(read.body.metadata.annotations).toEqual({
    [`${prefix}behavior`]:
      '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15},{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":{"StabilizationWindowSeconds":10,"SelectPolicy":"Max","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null}}',
    [`${prefix}metrics`]:
      '[{"type":"Pods","pods":{"metricName":"packets","targetAverageValue":"1k","selector":{"matchLabels":{"a":"b"}}}},{"type":"Resource","resource":{"name":"cpu","targetAverageValue":"60"}},{"type":"Object","object":{"target":{"kind":"Service","name":"s","apiVersion":"v1"},"metricName":"rps","targetValue":"2k"}},{"type":"External","external":{"metricName":"q","targetAverageValue":"3"}},{"type":"ContainerResource","containerResource":{"name":"memory","targetAverageUtilization":70,"container":"app"}}]',
  });

  const before = await api.call('GET', at('v2', 'rich'));
  const changed = { ...read.body, spec: { ...read.body.spec, targetCPUUtilizationPercentage: 70 } };
  await api.call('PUT', at('v1', 'rich'), changed);
  const after = await api.call('GET', at('v2', 'rich'));
  expect(after.body.spec.behavior).toEqual(before.body.spec.behavior);
  expect(after.body.metadata.annotations).toBeUndefined();
  expect(after.body.metadata.generation).toBe(2);
  const target = { type: 'Utilization', averageUtilization: 70 };
  // v1's own metric comes last.
  expect(after.body.spec.metrics).toEqual([
    ...metrics.filter((_, index) => index !== 1),
    { type: 'Resource', resource: { name: 'cpu', target } },
  ]);
});

test('conditions and current metrics of the status stand in annotations too', async () => {
  await api.call('POST', at('v2'), autoscaler('v2', 'status', {}));
  const { body } = await api.call('GET', at('v2', 'status'));
  const condition = {
    type: 'AbleToScale',
    status: 'True',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: 'R<',
  };
  const resource = { name: 'cpu', current: { averageUtilization: 33, averageValue: '5m' } };
  const status = {
    currentReplicas: 2,
    conditions: [condition],
    currentMetrics: [{ type: 'Resource', resource }],
  };
  await api.call('PUT', `${at('v2', 'status')}/status`, { ...body, status });
  const read = await api.call('GET', at('v1', 'status'));
  expect(read.body.status).toEqual({
    currentReplicas: 2,
    desiredReplicas: 0,
    currentCPUUtilizationPercentage: 33,
  });
  expect(read.body.metadata.annotations).toEqual({
    [`${prefix}conditions`]:
      '[{"type":"AbleToScale","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"R\\u003c"}]',
    [`${prefix}current-metrics`]:
      '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":33,"currentAverageValue":"5m"}}]',
  });
});

test.each([
  ['no JSON', '[[1]'],
  ['another type', '[{"type":"Pods","pods":{"metricName":["x"],"targetAverageValue":"1"}}]'],
  ['depth', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['a key of every object', '[{"__proto__":{"a":1}}]'],
])('an annotation of metrics with %s goes, and nothing else happens', async (_, text) => {
  const name = `broken-${Math.abs(text.length)}`;
  const object = autoscaler('v1', name, { targetCPUUtilizationPercentage: 50 });
  const annotations = { [`${prefix}metrics`]: text, kept: 'x' };
  const made = await api.call('POST', at('v1'), { ...object, metadata: { name, annotations } });
  expect([201, 422]).toContain(made.code);
  if (made.code === 422) return;
  expect(made.body.metadata.annotations).toEqual({ kept: 'x' });
  expect(made.body.spec.targetCPUUtilizationPercentage).toBe(50);
});

test('a watch of one version sees what is written in the other; both are listed by discovery', async () => {
  const { body } = await api.call('GET', '/apis/autoscaling');
  expect(body.versions.map(({ version }: { version: string }) => version)).toEqual(['v2', 'v1']);
  expect(body.preferredVersion.version).toBe('v2');
  const list = await api.call('GET', at('v1'));
  expect([list.body.apiVersion, list.body.kind]).toEqual(['autoscaling/v1', 'HorizontalPodAutoscalerList']);
  expect(new Set(list.body.items.map((item: { apiVersion?: string }) => item.apiVersion))).toEqual(
    new Set([undefined]),
  );
});
