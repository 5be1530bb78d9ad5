import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../meta/index.ts';
import { writeOf } from '../attributes.test-support.ts';
import { checkQuotas, type LimitedResource } from './check-quotas.ts';
import { counterNamed, counterOf } from './quota-counters.ts';

const quota = (hard: object, used: object, spec: object = {}) =>
  ({ metadata: { name: 'q' }, spec, status: { hard, used } }) as KubeObject;
const services = { group: '', version: 'v1', resource: 'services' };
const pods = { group: '', version: 'v1', resource: 'pods' };
const service = (type: string, ports: object[] = [{}], more: object = {}) =>
  ({ spec: { type, ports, ...more } }) as KubeObject;

/** What is used after a write, by quota. */
function used(
  quotas: readonly KubeObject[],
  write: Parameters<typeof writeOf>[0],
  limited: LimitedResource[] = [],
) {
  const { attributes } = writeOf(write);
  const counter = counterOf(attributes.resource);
  if (counter === undefined) throw new Error('nothing counts it');
  return checkQuotas(quotas, attributes, { counter, limited }).map(
    (one) => (one['status'] as { used: object }).used,
  );
}

describe('a write uses', () => {
  const count = { 'count/widgets.example.com': '2' };
  test('one object of its resource', () => {
    expect(used([quota(count, { 'count/widgets.example.com': '1' })], {})).toEqual([
      { 'count/widgets.example.com': '2' },
    ]);
  });

  test('nothing of a quota that does not name it', () => {
    const quotas = [quota({ pods: '0' }, {})];
    const { attributes } = writeOf();
    const counter = counterOf(attributes.resource);
    if (counter !== undefined)
      expect(checkQuotas(quotas, attributes, { counter, limited: [] })[0]).toBe(quotas[0]);
  });

  test('ports of nodes where a service takes them', () => {
    const hard = { services: '9', 'services.nodeports': '9', 'services.loadbalancers': '9' };
    const none = { services: '0', 'services.nodeports': '0', 'services.loadbalancers': '0' };
    const by = (object: KubeObject) => used([quota(hard, none)], { resource: services, object })[0];
    expect(by(service('ClusterIP'))).toEqual({ ...none, services: '1' });
    expect(by(service('NodePort', [{}, {}]))).toEqual({ ...none, services: '1', 'services.nodeports': '2' });
    const balanced = { services: '1', 'services.loadbalancers': '1' };
    expect(by(service('LoadBalancer'))).toEqual({ ...none, ...balanced, 'services.nodeports': '1' });
    const without = { allocateLoadBalancerNodePorts: false };
    expect(by(service('LoadBalancer', [{}, { nodePort: 30_000 }], without))).toEqual({
      ...none,
      ...balanced,
      'services.nodeports': '1',
    });
  });

  test('only what an update adds', () => {
    const hard = { 'services.nodeports': '3' };
    const update = { operation: 'UPDATE', resource: services } as const;
    const change = (before: number, after: number) =>
      used([quota(hard, { 'services.nodeports': '2' })], {
        ...update,
        oldObject: service('NodePort', Array(before).fill({})),
        object: service('NodePort', Array(after).fill({})),
      });
    expect(change(1, 2)).toEqual([{ 'services.nodeports': '3' }]);
    expect(change(2, 1)).toEqual([{ 'services.nodeports': '2' }]);
    expect(() => change(1, 3)).toThrow(
      'services "a" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=2, limited: services.nodeports=3',
    );
  });
});

describe('refuses', () => {
  const name = 'count/widgets.example.com';
  test('what exceeds a quota, and says how', () => {
    const full = quota({ [name]: '1k' }, { [name]: '1000' });
    expect(() => used([full], {})).toThrow(
      `widgets.example.com "a" is forbidden: exceeded quota: q, requested: ${name}=1, used: ${name}=1k, limited: ${name}=1k`,
    );
  });

  test('what a quota has yet to count', () => {
    expect(() => used([quota({ [name]: '5' }, {})], {})).toThrow(
      `widgets.example.com "a" is forbidden: status unknown for quota: q, resources: ${name}`,
    );
  });

  test('what needs a quota and has none', () => {
    const limited = [
      { group: 'example.com', resource: 'widgets', matchContains: ['count/'], matchScopes: [] },
    ];
    expect(() => used([], {}, limited)).toThrow(
      `widgets.example.com "a" is forbidden: insufficient quota to consume: ${name}`,
    );
    expect(used([quota({ [name]: '1' }, { [name]: '0' })], {}, limited)).toEqual([{ [name]: '1' }]);
    expect(
      used([], {}, [{ group: 'example.com', resource: 'widgets', matchContains: ['pods'], matchScopes: [] }]),
    ).toEqual([]);
    expect(
      used([], {}, [{ group: 'other', resource: 'widgets', matchContains: ['count/'], matchScopes: [] }]),
    ).toEqual([]);
  });
});

describe('what is in a scope that is limited', () => {
  const requirement = { scope: 'PriorityClass', operator: 'In', values: ['high', 'top'] };
  const limited = [{ group: '', resource: 'pods', matchContains: [], matchScopes: [requirement] }];
  const pod = (priorityClassName: string) =>
    ({ spec: { priorityClassName }, metadata: { name: 'a' } }) as KubeObject;
  const ofHigh = {
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
  };
  const write = (object: KubeObject, quotas: KubeObject[]) =>
    used(quotas, { resource: pods, object }, limited);

  test('needs a quota with the scope', () => {
    expect(() => write(pod('high'), [])).toThrow(
      'insufficient quota to match these scopes: [{PriorityClass In [high top]}]',
    );
    expect(write(pod('high'), [quota({ pods: '1' }, { pods: '0' }, ofHigh)])).toEqual([{ pods: '1' }]);
    expect(write(pod('low'), [])).toEqual([]);
  });
});

describe('a scope of pods', () => {
  const counts = (spec: object, pod: object) => {
    const quotas = [quota({ pods: '1' }, { pods: '0' }, spec)];
    const [after] = used(quotas, { resource: pods, object: { spec: pod } as KubeObject });
    return JSON.stringify(after) === '{"pods":"1"}';
  };
  const priority = (operator: string, values: string[] = []) => ({
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] },
  });
  const affinity = (term: object) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
  });
  const preferred = {
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { namespaces: ['x'] } }],
      },
    },
  };
  const needs = (cpu: string) => ({ containers: [{ resources: { requests: { cpu } } }] });
  test.each<[spec: object, pod: object, expected: boolean]>([
    [{}, {}, true],
    [{ scopes: ['Terminating'] }, { activeDeadlineSeconds: 0 }, true],
    [{ scopes: ['Terminating'] }, {}, false],
    [{ scopes: ['NotTerminating'] }, {}, true],
    [{ scopes: ['BestEffort'] }, { containers: [{}] }, true],
    [{ scopes: ['BestEffort'] }, needs('1'), false],
    [{ scopes: ['BestEffort'] }, needs('0'), true],
    [{ scopes: ['NotBestEffort'] }, { initContainers: [{ resources: { limits: { memory: '1' } } }] }, true],
    [{ scopes: ['Terminating', 'BestEffort'] }, { activeDeadlineSeconds: 5, ...needs('1') }, false],
    [{ scopes: ['Unknown'] }, {}, false],
    [priority('Exists'), { priorityClassName: 'x' }, true],
    [priority('Exists'), {}, false],
    [priority('DoesNotExist'), {}, true],
    [priority('In', ['x']), { priorityClassName: 'x' }, true],
    [priority('In', ['y']), { priorityClassName: 'x' }, false],
    [priority('NotIn', ['y']), { priorityClassName: 'x' }, true],
    [{ scopes: ['CrossNamespacePodAffinity'] }, affinity({ namespaces: ['x'] }), true],
    [{ scopes: ['CrossNamespacePodAffinity'] }, affinity({ namespaceSelector: {} }), true],
    [{ scopes: ['CrossNamespacePodAffinity'] }, affinity({}), false],
    [{ scopes: ['CrossNamespacePodAffinity'] }, preferred, true],
  ])('%j holds %j: %s', (spec, pod, expected) => expect(counts(spec, pod)).toBe(expected));

  test('a pod that has ended is no pod, but still an object', () => {
    const hard = { pods: '1', 'count/pods': '1' };
    const object = { status: { phase: 'Succeeded' } };
    const after = used([quota(hard, { pods: '0', 'count/pods': '0' })], { resource: pods, object });
    expect(after).toEqual([{ pods: '0', 'count/pods': '1' }]);
  });
});

test.each([
  ['pods', 'pods'],
  ['services.nodeports', 'services'],
  ['count/widgets.example.com', 'widgets.example.com'],
  ['configmaps', 'configmaps'],
  ['requests.cpu', 'pods'],
  ['requests.example.com/gpu', 'pods'],
  ['requests.storage', 'persistentvolumeclaims'],
  ['gold.storageclass.storage.k8s.io/requests.storage', 'persistentvolumeclaims'],
  ['nothing', undefined],
  ['count/events', undefined],
  ['count/events.events.k8s.io', undefined],
  ['count/tokenreviews.authentication.k8s.io', undefined],
])('%s counts %s', (name, expected) => {
  const counter = counterNamed(name);
  const { group = '', resource } = counter?.resource ?? {};
  expect(group === '' ? resource : `${resource}.${group}`).toBe(expected);
});
