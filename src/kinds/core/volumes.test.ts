import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { storageClassKind } from '../storage/storage-class.ts';
import { created, createErrors, updated } from '../strategy/check-kind.test-support.ts';
import { persistentVolumeKind } from './persistent-volume.ts';
import { persistentVolumeClaimKind } from './persistent-volume-claim.ts';

const asked = (storage: string) => ({ resources: { requests: { storage } } });
const claim = (more: JsonObject = {}) => ({
  spec: { accessModes: ['ReadWriteOnce'], ...asked('2Gi'), ...more },
});

describe('a PersistentVolumeClaim', () => {
  test.each<[JsonObject, string[]]>([
    [claim(), []],
    [
      { spec: {} },
      [
        'spec.accessModes: Required value: at least 1 access mode is required',
        'spec.resources[storage]: Required value',
      ],
    ],
    [claim(asked('0')), ['spec.resources[storage]: Invalid value: "0": must be greater than zero']],
    [
      claim({ dataSourceRef: { kind: 'Thing', name: 'b' } }),
      [
        `spec.dataSource: Invalid value: "Thing": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
        `spec.dataSourceRef: Invalid value: "Thing": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
      ],
    ],
  ])('%j', (object, errors) => expect(createErrors(persistentVolumeClaimKind, object)).toEqual(errors));

  test('says the same in both fields for what it is filled with', () => {
    const dataSource = { kind: 'PersistentVolumeClaim', name: 'b' };
    expect(created(persistentVolumeClaimKind, claim({ dataSource }))['spec']).toMatchObject({
      dataSourceRef: dataSource,
    });
  });

  test('keeps its size until it is bound; then it becomes no smaller than it is', () => {
    const change = (old: JsonObject, size: string) =>
      updated(persistentVolumeClaimKind, old, claim(asked(size)));
    expect(change(claim(), '3Gi')).toEqual([expect.stringMatching(/^spec: Forbidden: spec is immutable/)]);
    const bound = { ...claim(), status: { phase: 'Bound', capacity: { storage: '1Gi' } } };
    expect(change(bound, '3Gi')).toMatchObject({ spec: asked('3Gi') });
    expect(change(bound, '1500Mi')).toMatchObject({ spec: asked('1500Mi') });
    expect(change(bound, '1Gi')).toEqual([
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ]);
  });
});

describe('a PersistentVolume', () => {
  const fine = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } };
  test.each<[JsonObject, string[]]>([
    [fine, []],
    [
      {},
      [
        'spec.accessModes: Required value',
        'spec.capacity: Required value',
        'spec.capacity: Unsupported value: null: supported values: "storage"',
        'spec: Required value: must specify a volume type',
      ],
    ],
    [
      { ...fine, local: { path: '/a' } },
      [
        'spec.local: Forbidden: may not specify more than 1 volume type',
        'spec.nodeAffinity: Required value: Local volume requires node affinity',
      ],
    ],
    [
      { ...fine, hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' },
      [`spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'`],
    ],
  ])('%j', (spec, errors) => expect(createErrors(persistentVolumeKind, { spec })).toEqual(errors));

  test('stays what it is', () => {
    const { hostPath: _, ...rest } = fine;
    expect(
      updated(persistentVolumeKind, { spec: fine }, { spec: { ...rest, hostPath: { path: '/b' } } }),
    ).toEqual([
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
    ]);
  });

  test('gets the time of its phase from the server, unless the client sets one', () => {
    const [then, now] = ['1969-12-31T23:59:59Z', '1970-01-01T00:00:00Z'];
    const old = { spec: fine, status: { phase: 'Available', lastPhaseTransitionTime: then } };
    const become = (status: JsonObject) =>
      updated(persistentVolumeKind, old, { spec: fine, status }, 'status');
    const time = (lastPhaseTransitionTime: string) => ({ status: { lastPhaseTransitionTime } });
    expect(become({ phase: 'Bound' })).toMatchObject(time(now));
    expect(become({ phase: 'Bound', lastPhaseTransitionTime: then })).toMatchObject(time(now));
    expect(become({ phase: 'Available' })).toMatchObject(time(then));
    const own = '2000-01-01T00:00:00Z';
    expect(become({ phase: 'Bound', lastPhaseTransitionTime: own })).toMatchObject(time(own));
  });
});

describe('a StorageClass', () => {
  test.each<[JsonObject, string[]]>([
    [{ provisioner: 'a.b/c' }, []],
    [{}, ['provisioner: Required value']],
    [
      { provisioner: 'a', reclaimPolicy: 'Keep', volumeBindingMode: 'x', parameters: { '': 'a' } },
      [
        'parameters: Invalid value: "": field can not be empty.',
        'reclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Retain"',
        'volumeBindingMode: Unsupported value: "x": supported values: "Immediate", "WaitForFirstConsumer"',
      ],
    ],
  ])('%j', (object, errors) => expect(createErrors(storageClassKind, object)).toEqual(errors));

  test('of which nothing changes', () => {
    const old = { provisioner: 'a', parameters: { a: '1' } };
    expect(updated(storageClassKind, old, { provisioner: 'b', parameters: { a: '2' } })).toEqual([
      'parameters: Invalid value: {"a":"2"}: field is immutable',
      'provisioner: Invalid value: "b": field is immutable',
    ]);
  });
});
