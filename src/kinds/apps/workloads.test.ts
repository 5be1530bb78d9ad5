import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type KubeObject, ownList, ownObject } from '../../meta/index.ts';
import type { BuiltInKind } from '../definition/kind.ts';
import { contextOf, created, createErrors, updated } from '../strategy/check-kind.test-support.ts';
import { daemonSetKind } from './daemon-set.ts';
import { deploymentKind } from './deployment.ts';
import { statefulSetKind } from './stateful-set.ts';

const selector = { matchLabels: { app: 'a' } };
const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const workload = (spec: JsonObject = {}) => ({ spec: { selector, template, ...spec } });
/** The first claim of a StatefulSet as it was stored before claims said their type. */
function withoutType(statefulSet: KubeObject): JsonObject {
  const [claim] = ownList(ownObject(statefulSet, 'spec') ?? {}, 'volumeClaimTemplates') ?? [];
  const { apiVersion: _, kind: __, ...rest } = isObject(claim) ? claim : {};
  return rest;
}
const errors = (kind: BuiltInKind, spec: JsonObject) => createErrors(kind, workload(spec));

describe('a Deployment', () => {
  test('that is fine', () => expect(errors(deploymentKind, {})).toEqual([]));

  const rolling = 'spec.strategy.rollingUpdate';
  test.each<[JsonObject, string]>([
    [
      { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
      `${rolling}: Forbidden: may not be specified when strategy \`type\` is 'Recreate'`,
    ],
    [
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } },
      `${rolling}.maxUnavailable: Invalid value: "0%": may not be 0 when \`maxSurge\` is 0`,
    ],
    [
      { strategy: { rollingUpdate: { maxUnavailable: '101%' } } },
      `${rolling}.maxUnavailable: Invalid value: "101%": must not be greater than 100%`,
    ],
    [
      { strategy: { type: 'Other' } },
      'spec.strategy: Unsupported value: {"Type":"Other","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ],
    [
      { minReadySeconds: 5, progressDeadlineSeconds: 5 },
      'spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds',
    ],
    [
      { selector: { matchLabels: { app: 'b' } } },
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ],
    [{ replicas: -1 }, 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
  ])('with %j', (spec, error) => expect(errors(deploymentKind, spec)).toEqual([error]));

  test('keeps its selector', () => {
    const labels = { app: 'b' };
    const other = { selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } };
    expect(updated(deploymentKind, workload(), workload(other))).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable',
    ]);
  });

  test('counts changes of its spec, and takes no status but at its endpoint', () => {
    expect(updated(deploymentKind, workload(), workload({ replicas: 3 }))).toMatchObject({
      metadata: { generation: 2 },
    });
    const withStatus = { ...workload(), status: { replicas: 3 } };
    expect(updated(deploymentKind, workload(), withStatus)).toMatchObject({ status: {} });
    expect(updated(deploymentKind, workload(), withStatus, 'status')).toMatchObject({
      status: { replicas: 3 },
    });
  });
});

describe('a DaemonSet', () => {
  const rolling = 'spec.updateStrategy.rollingUpdate';
  test.each<[JsonObject, string]>([
    [
      { maxSurge: 1, maxUnavailable: 1 },
      `${rolling}.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero`,
    ],
    [
      { maxSurge: 0, maxUnavailable: 0 },
      `${rolling}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`,
    ],
  ])('rolling with %j', (rollingUpdate, error) => {
    expect(errors(daemonSetKind, { updateStrategy: { rollingUpdate } })).toEqual([error]);
  });

  test('counts its templates in an annotation', () => {
    const count = (value: string) => ({
      metadata: { annotations: { 'deprecated.daemonset.template.generation': value } },
    });
    expect(created(daemonSetKind, workload())).toMatchObject(count('1'));
    expect(updated(daemonSetKind, workload(), workload({ minReadySeconds: 3 }))).toMatchObject(count('1'));
    const other = { ...template, spec: { containers: [{ name: 'd', image: 'i' }] } };
    expect(updated(daemonSetKind, workload(), workload({ template: other }))).toMatchObject(count('2'));
  });
});

describe('a StatefulSet', () => {
  test.each<[JsonObject, string]>([
    [
      { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
    ],
    [
      { podManagementPolicy: 'Other' },
      `spec.podManagementPolicy: Invalid value: "Other": must be 'OrderedReady' or 'Parallel'`,
    ],
    [
      { ordinals: { start: -1 } },
      'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Keep' } },
      'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Keep": supported values: "Retain", "Delete"',
    ],
  ])('with %j', (spec, error) => expect(errors(statefulSetKind, spec)).toEqual([error]));

  test('changes some fields of its spec alone', () => {
    const named = (serviceName: string, replicas: number) => workload({ serviceName, replicas });
    expect(updated(statefulSetKind, named('a', 1), named('a', 2))).toMatchObject({ spec: { replicas: 2 } });
    expect(updated(statefulSetKind, named('a', 1), named('b', 1))).toEqual([
      'spec.serviceName: Invalid value: "b": field is immutable',
    ]);
  });

  test('changes where an earlier version of Ilk stored its claims without a type', () => {
    const claim = {
      metadata: { name: 'v' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const before = created(statefulSetKind, workload({ volumeClaimTemplates: [claim] }));
    expect(before).toMatchObject({
      spec: { volumeClaimTemplates: [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' }] },
    });
    const after = structuredClone(before);
    const stored = {
      ...before,
      spec: { ...ownObject(before, 'spec'), volumeClaimTemplates: [withoutType(before)] },
    };
    const context = contextOf(statefulSetKind);
    expect(statefulSetKind.strategy.validateUpdate(after, stored, '', context).errors).toEqual([]);
  });
});
