import { expect, test, vi } from 'vitest';
import { Api } from '../controllers/api.ts';

/**
 * The admission plugins Priority and RuntimeClass, beyond what a kube-apiserver answered: that is in
 * `test/fidelity/kube-pods.test-data.jsonl`.
 */

const pods = '/api/v1/namespaces/default/pods';
const priorityClasses = '/apis/scheduling.k8s.io/v1/priorityclasses';
const podOf = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const shown = ({ priority, preemptionPolicy, overhead, nodeSelector }: Record<string, unknown>) =>
  JSON.parse(JSON.stringify({ priority, preemptionPolicy, overhead, nodeSelector }));

test('the system classes exist from the start, once', async () => {
  await using api = await Api.start();
  const { body } = await api.get(priorityClasses);
  const found = body.items.map(
    ({
      metadata,
      value,
      globalDefault,
    }: {
      metadata: { name: string };
      value: number;
      globalDefault?: true;
    }) => [metadata.name, value, globalDefault],
  );
  expect(found).toEqual([
    ['system-cluster-critical', 2_000_000_000, undefined],
    ['system-node-critical', 2_000_001_000, undefined],
  ]);
});

test('both plugins may be disabled', async () => {
  await using api = await Api.start({ disableAdmissionPlugins: ['Priority', 'RuntimeClass'] });
  const spec = { priorityClassName: 'none', runtimeClassName: 'none', overhead: { cpu: '1' } };
  const made = await api.create(pods, podOf('a', spec));
  expect(shown(made.spec)).toEqual({ overhead: { cpu: '1' } });
});

test('pods that exist from the start keep what they were given, and get what they lack', async () => {
  const high = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 9,
  };
  const runtime = {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'other' },
    handler: 'h',
    overhead: { podFixed: { cpu: '2' } },
  };
  const given = { priorityClassName: 'high', priority: 5, preemptionPolicy: 'Never' };
  await using api = await Api.start({
    objects: [
      podOf('early', { priorityClassName: 'high' }),
      high,
      runtime,
      podOf('plain'),
      podOf('late', { priorityClassName: 'high' }),
      podOf('stored', given),
      podOf('gone', {
        ...given,
        priorityClassName: 'gone',
        runtimeClassName: 'gone',
        overhead: { cpu: '1' },
      }),
      podOf('changed', { runtimeClassName: 'other', overhead: { cpu: '1' }, nodeSelector: { a: 'b' } }),
    ],
  });
  const specs = async (name: string) => shown((await api.get(`${pods}/${name}`)).body.spec);
  const lower = 'PreemptLowerPriority';
  expect(await specs('early')).toEqual({});
  expect(await specs('plain')).toEqual({ priority: 0, preemptionPolicy: lower });
  expect(await specs('late')).toEqual({ priority: 9, preemptionPolicy: lower });
  expect(await specs('stored')).toEqual({ priority: 5, preemptionPolicy: 'Never' });
  expect(await specs('gone')).toEqual({ priority: 5, preemptionPolicy: 'Never', overhead: { cpu: '1' } });
  expect(await specs('changed')).toEqual({
    priority: 0,
    preemptionPolicy: lower,
    overhead: { cpu: '1' },
    nodeSelector: { a: 'b' },
  });
});

test('pods of simulated workloads get the priority of their template', async () => {
  await using api = await Api.start({ simulate: true });
  await api.create(priorityClasses, { metadata: { name: 'high' }, value: 7, preemptionPolicy: 'Never' });
  const labels = { app: 'web' };
  const { spec } = podOf('', { priorityClassName: 'high' });
  await api.create('/apis/apps/v1/namespaces/default/replicasets', {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  await vi.waitFor(async () => {
    const { items } = (await api.get(pods)).body;
    const found = items.map((pod: { spec: Record<string, unknown> }) => shown(pod.spec));
    const expected = { priority: 7, preemptionPolicy: 'Never' };
    expect(found).toEqual([expected, expected]);
  }, 10_000);
});
