import { expect, test } from 'vitest';
import { disabledControllers } from './controllers-flag.ts';

const crd = ['crd-names', 'crd-conditions', 'crd-finalizer', 'clusterrole-aggregation'];

test.each([
  [['*'], []],
  [['*', '-namespace'], ['namespace']],
  [
    ['-garbage-collector', '*', '-namespace'],
    ['namespace', 'garbage-collector'],
  ],
  [
    crd,
    ['namespace', 'serviceaccount', 'garbage-collector', 'resourcequota', 'validatingadmissionpolicy-status'],
  ],
  [
    [...crd, 'namespace'],
    ['serviceaccount', 'garbage-collector', 'resourcequota', 'validatingadmissionpolicy-status'],
  ],
  [['-namespace', '*', 'namespace'], ['namespace']],
])('--controllers=%s switches off %s', (list, disabled) => {
  expect(disabledControllers(list)).toEqual(disabled);
});

test('a name that no controller has is refused with the names there are', () => {
  expect(() => disabledControllers(['*', '-nobody'])).toThrow(
    'there is no controller nobody: they are crd-names, crd-conditions, crd-finalizer, clusterrole-aggregation, namespace, serviceaccount, garbage-collector, resourcequota, validatingadmissionpolicy-status',
  );
});
