import { describe, expect, test } from 'vitest';
import { customResourceDefinitionPatchType, patchTypeFromSchema } from '../apply/index.ts';
import type { JsonObject } from '../meta/index.ts';
import { applyStrategicMergePatch, applyStrategicMergePatchInSteps } from './strategic-merge-patch.ts';

const text = { type: 'string' };
const type = patchTypeFromSchema({
  type: 'object',
  properties: {
    containers: {
      type: 'array',
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
      items: { type: 'object', properties: { name: text, image: text } },
    },
    finalizers: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: text },
    args: { type: 'array', items: text },
    strategy: { type: 'object', properties: { type: text, rolling: { type: 'object' } } },
  },
});
const patch = (target: JsonObject, change: JsonObject) => applyStrategicMergePatch(target, change, type);
const a1 = { name: 'a', image: '1' };
const b1 = { name: 'b', image: '1' };

describe('what merges', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'items by key',
      { containers: [a1, b1] },
      { containers: [{ name: 'b', image: '2' }, { name: 'c' }] },
      { containers: [a1, { name: 'b', image: '2' }, { name: 'c' }] },
    ],
    [
      'a deleted item',
      { containers: [a1, b1] },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [b1] },
    ],
    [
      'a replaced list',
      { containers: [a1] },
      { containers: [b1, { $patch: 'replace' }] },
      { containers: [b1] },
    ],
    ['sets', { finalizers: ['x', 'y'] }, { finalizers: ['y', 'z'] }, { finalizers: ['x', 'y', 'z'] }],
    [
      'values out of a set',
      { finalizers: ['x', 'y'] },
      { '$deleteFromPrimitiveList/finalizers': ['x'] },
      { finalizers: ['y'] },
    ],
    [
      'an order',
      { containers: [a1, b1] },
      { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
      { containers: [b1, a1] },
    ],
    ['lists without keys, whole', { args: ['1', '2'] }, { args: ['3'] }, { args: ['3'] }],
    [
      'a replaced map',
      { strategy: { type: 'A', rolling: {} } },
      { strategy: { $patch: 'replace', type: 'B' } },
      { strategy: { type: 'B' } },
    ],
    [
      'retained keys',
      { strategy: { type: 'A', rolling: {} } },
      { strategy: { $retainKeys: ['type'], type: 'B' } },
      { strategy: { type: 'B' } },
    ],
    [
      'null',
      { args: ['1'], strategy: { type: 'A' } },
      { args: null, strategy: { type: null } },
      { strategy: {} },
    ],
  ])('%s', (_, target, change, expected) => {
    expect(patch(target, change)).toEqual(expected);
  });

  test('lists of a CRD are replaced: none of its Go fields has a patchStrategy', () => {
    const crd = {
      metadata: { name: 'a', finalizers: ['x'] },
      spec: { versions: [{ name: 'v1' }] },
      status: { conditions: [{ type: 'A', status: 'True' }] },
    };
    const change = {
      metadata: { finalizers: ['y'] },
      spec: { versions: [{ name: 'v2' }] },
      status: { conditions: [{ type: 'B', status: 'True' }] },
    };
    expect(applyStrategicMergePatch(crd, change, customResourceDefinitionPatchType)).toEqual({
      ...change,
      metadata: { name: 'a', finalizers: ['y', 'x'] },
    });
  });
});

describe('what is refused', () => {
  test('an unknown directive, and an item without its key', () => {
    expect(() => patch({}, { strategy: { $patch: 'grow' } })).toThrow('unrecognized patch directive: "grow"');
    // A number that JavaScript cannot represent fails in the same way.
    expect(() => patch({}, { strategy: { $patch: 9007199254740993n } })).toThrow(
      'unrecognized patch directive: 9007199254740993',
    );
    expect(() => patch({}, { containers: [{ image: '1' }] })).toThrow(
      'map: {"image":"1"} does not contain declared merge key: name',
    );
  });

  test('nothing of a prototype', () => {
    const change: JsonObject = JSON.parse('{"__proto__":{"polluted":true}}');
    expect(JSON.stringify(patch({}, change))).toBe('{"__proto__":{"polluted":true}}');
  });
});

test('a patch of many keys of an object of many keys is applied in steps', () => {
  const many = (value: number) =>
    Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, value]));
  const properties = { data: { type: 'object', additionalProperties: { type: 'integer' } } };
  const patchType = patchTypeFromSchema({ type: 'object', properties });
  const steps = applyStrategicMergePatchInSteps({ data: many(1) }, { data: many(2) }, patchType);
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count += 1;
  expect(count).toBe(9);
  expect(step.value).toEqual({ data: many(2) });
});
