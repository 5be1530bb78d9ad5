import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { parentManagedFields, replicasPath, scaleManagedFields } from '../index.ts';

const mapping = {
  apiVersion: 'g/v1',
  paths: new Map([
    ['g/v1', replicasPath('.spec.replicas')],
    ['g/v2', replicasPath('.spec.size.count')],
    ['g/v3', undefined],
  ]),
};

const entry = (
  manager: string,
  operation: string,
  apiVersion: string,
  spec: JsonObject,
  more: JsonObject = {},
) => ({
  apiVersion,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': spec },
  manager,
  operation,
  ...more,
});
const replicas = { 'f:replicas': {} };
const time = { time: '2026-01-01T00:00:00Z' };

describe('managed fields of a Scale', () => {
  test('are those that own the replicas, wherever their version keeps them', () => {
    const parent = [
      entry('a', 'Apply', 'g/v1', { 'f:replicas': {}, 'f:image': {} }, time),
      entry('b', 'Update', 'g/v2', { 'f:size': { 'f:count': {} } }, { subresource: 'scale', ...time }),
      entry('c', 'Update', 'g/v1', { 'f:image': {} }),
      entry('d', 'Update', 'g/v3', replicas),
      entry('e', 'Update', 'g/v9', replicas),
    ];
    expect(scaleManagedFields(parent, mapping)).toEqual([
      entry('a', 'Apply', 'autoscaling/v1', replicas, time),
      entry('b', 'Update', 'autoscaling/v1', replicas, { subresource: 'scale', ...time }),
    ]);
  });

  test('are none if the replicas have no owner', () => {
    expect(scaleManagedFields(undefined, mapping)).toBeUndefined();
    expect(scaleManagedFields([entry('c', 'Update', 'g/v1', { 'f:image': {} })], mapping)).toBeUndefined();
  });

  test('take every part of the path as a field name', () => {
    expect(replicasPath('.spec.sets[0].replicas')).toEqual(['f:spec', 'f:sets[0]', 'f:replicas']);
  });
});

describe('managed fields of an object after a write to its Scale', () => {
  test('give the replicas to who owns them in the Scale, without a time, and take them from who does not', () => {
    const parent = [entry('a', 'Apply', 'g/v1', { 'f:replicas': {}, 'f:image': {} }, time)];
    const scale = [entry('s', 'Update', 'autoscaling/v1', replicas, { subresource: 'scale', ...time })];
    expect(parentManagedFields(parent, scale, mapping)).toEqual([
      entry('a', 'Apply', 'g/v1', { 'f:image': {} }, time),
      entry('s', 'Update', 'g/v1', replicas, { subresource: 'scale' }),
    ]);
  });

  test('stay as they are where the owners stay, in their versions and with their other fields', () => {
    const parent = [
      entry('a', 'Apply', 'g/v2', { 'f:size': { 'f:count': {} } }, time),
      entry('d', 'Update', 'g/v3', replicas, time),
      entry('u', 'Update', 'g/v1', { 'f:image': {}, 'f:replicas': {} }, time),
    ];
    expect(parentManagedFields(parent, scaleManagedFields(parent, mapping), mapping)).toEqual(parent);
  });

  test('leave an updater that owned containers the containers', () => {
    const parent = [entry('u', 'Update', 'g/v1', { '.': {}, 'f:replicas': {} }, time)];
    expect(parentManagedFields(parent, undefined, mapping)).toEqual([entry('u', 'Update', 'g/v1', {}, time)]);
  });

  test('forget who wrote in a version that is gone', () => {
    expect(parentManagedFields([entry('e', 'Update', 'g/v9', replicas)], undefined, mapping)).toBeUndefined();
  });
});
