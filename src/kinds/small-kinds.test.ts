import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../meta/index.ts';
import { cronJobKind } from './batch/cron-job.ts';
import { jobKind } from './batch/job.ts';
import { leaseKind } from './coordination/lease.ts';
import { endpointSliceKind } from './discovery/endpoint-slice.ts';
import { podDisruptionBudgetKind } from './policy/pod-disruption-budget.ts';
import { priorityClassKind } from './scheduling/priority-class.ts';
import { csiStorageCapacityKind } from './storage/csi-storage-capacity.ts';
import { volumeAttributesClassKind } from './storage/volume-attributes-class.ts';
import { createErrors, updated } from './strategy/check-kind.test-support.ts';

const template = (restartPolicy: string) => ({
  spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy },
});

describe('a Job', () => {
  test.each<[JsonObject, string[]]>([
    [{ template: template('Never') }, []],
    [
      { template: template('Always') },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      { template: template('Never'), parallelism: -1, completionMode: 'Indexed' },
      [
        'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
        'spec.completions: Required value: when completion mode is Indexed',
      ],
    ],
  ])('%j', (spec, errors) => expect(createErrors(jobKind, { spec })).toEqual(errors));
});

test('a CronJob has a name that leaves room for those of its jobs, and a known policy', () => {
  const spec = { schedule: '* * * * *', jobTemplate: { spec: { template: template('Never') } } };
  const named = (name: string, more: JsonObject = {}) =>
    createErrors(cronJobKind, { metadata: { name }, spec: { ...spec, ...more } });
  expect(named('x'.repeat(52))).toEqual([]);
  expect(named('x'.repeat(53))).toEqual([
    `metadata.name: Invalid value: "${'x'.repeat(53)}": must be no more than 52 characters`,
  ]);
  expect(named('a', { concurrencyPolicy: 'x' })).toEqual([
    'spec.concurrencyPolicy: Unsupported value: "x": supported values: "Allow", "Forbid", "Replace"',
  ]);
});

test('a Lease lasts for a while', () => {
  expect(createErrors(leaseKind, { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } })).toEqual([
    'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
  ]);
});

test('the addresses of an EndpointSlice are of one type', () => {
  const of = (addressType: string) => ({ addressType, endpoints: [] });
  expect(createErrors(endpointSliceKind, of('IPv5'))).toEqual([
    'addressType: Unsupported value: "IPv5": supported values: "FQDN", "IPv4", "IPv6"',
  ]);
  expect(updated(endpointSliceKind, of('IPv4'), of('IPv6'))).toEqual([
    'addressType: Invalid value: "IPv6": field is immutable',
  ]);
});

describe('a PodDisruptionBudget', () => {
  test.each<[JsonObject, string[]]>([
    [{ minAvailable: '100%' }, []],
    [
      { minAvailable: 1, maxUnavailable: 1 },
      [
        'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
      ],
    ],
    [
      { minAvailable: '110%', unhealthyPodEvictionPolicy: 'Never' },
      [
        'spec.minAvailable: Invalid value: "110%": must not be greater than 100%',
        'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
      ],
    ],
  ])('%j', (spec, errors) => expect(createErrors(podDisruptionBudgetKind, { spec })).toEqual(errors));

  test('whose status counts below zero', () => {
    const status = { disruptionsAllowed: -1, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    expect(updated(podDisruptionBudgetKind, { spec: {} }, { spec: {}, status }, 'status')).toEqual([
      'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });
});

describe('a PriorityClass', () => {
  const reserved =
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: ";
  test.each<[name: string, fields: JsonObject, errors: string[]]>([
    ['a', { value: 1_000_000_000 }, []],
    [
      'a',
      { value: 1_000_000_001 },
      ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
    ],
    [
      'a',
      { preemptionPolicy: 'x' },
      ['preemptionPolicy: Unsupported value: "x": supported values: "PreemptLowerPriority", "Never"'],
    ],
    ['system-x', { value: 1 }, [`${reserved}system-x is not a known system priority class`]],
    [
      'system-node-critical',
      { value: 1 },
      [`${reserved}value of system-node-critical PriorityClass must be 2000001000`],
    ],
    [
      'system-node-critical',
      { value: 2_000_001_000, globalDefault: true },
      [`${reserved}globalDefault of system-node-critical PriorityClass must be false`],
    ],
  ])('%s with %j', (name, fields, errors) => {
    expect(createErrors(priorityClassKind, { metadata: { name }, ...fields })).toEqual(errors);
  });

  test('keeps its value and its policy', () => {
    expect(updated(priorityClassKind, { value: 1, preemptionPolicy: 'Never' }, { value: 2 })).toEqual([
      'value: Forbidden: may not be changed in an update.',
      'preemptionPolicy: Invalid value: "PreemptLowerPriority": field is immutable',
    ]);
  });
});

test('a VolumeAttributesClass keeps its driver and its parameters', () => {
  const of = (driverName: string, value: string) => ({ driverName, parameters: { iops: value } });
  expect(updated(volumeAttributesClassKind, of('a', '1'), of('b', '2'))).toEqual([
    'driverName: Forbidden: updates to driverName are forbidden.',
    'parameters: Forbidden: updates to parameters are forbidden.',
  ]);
});

test('a CSIStorageCapacity keeps its class; its capacity may change', () => {
  const of = (storageClassName: string, capacity: string) => ({ storageClassName, capacity });
  expect(updated(csiStorageCapacityKind, of('a', '1Gi'), of('a', '2Gi'))).toMatchObject({ capacity: '2Gi' });
  expect(updated(csiStorageCapacityKind, of('a', '1Gi'), of('b', '2Gi'))).toEqual([
    'storageClassName: Invalid value: "b": field is immutable',
  ]);
});
