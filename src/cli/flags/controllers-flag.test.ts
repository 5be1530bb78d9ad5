import { expect, test } from 'vitest';
import { controllerNames } from '../../controllers/index.ts';
import { disabledControllers } from './controllers-flag.ts';

const crd = ['crd-names', 'crd-conditions', 'crd-finalizer', 'clusterrole-aggregation'];

test.each([
  [['*'], ['csrsigning', 'simulate']],
  [
    ['*', '-namespace'],
    ['namespace', 'csrsigning', 'simulate'],
  ],
  [
    ['-garbage-collector', '*', '-namespace'],
    ['namespace', 'garbage-collector', 'csrsigning', 'simulate'],
  ],
  [
    crd,
    [
      'namespace',
      'serviceaccount',
      'garbage-collector',
      'resourcequota',
      'validatingadmissionpolicy-status',
      'csrsigning',
      'simulate',
    ],
  ],
  [
    [...crd, 'namespace'],
    [
      'serviceaccount',
      'garbage-collector',
      'resourcequota',
      'validatingadmissionpolicy-status',
      'csrsigning',
      'simulate',
    ],
  ],
  [
    ['-namespace', '*', 'namespace'],
    ['namespace', 'csrsigning', 'simulate'],
  ],
  [['+simulate'], ['csrsigning']],
  [['+csrsigning', '+simulate'], []],
  [['*', 'simulate'], ['csrsigning']],
  [['+simulate', '-namespace'], controllerNames.filter((name) => name !== 'simulate')],
])('--controllers=%s switches off %s', (list, disabled) => {
  expect(disabledControllers(list)).toEqual(disabled);
});

test('a name that no controller has is refused with the names there are', () => {
  expect(() => disabledControllers(['*', '-nobody'])).toThrow(
    'there is no controller nobody: they are crd-names, crd-conditions, crd-finalizer, clusterrole-aggregation, namespace, serviceaccount, garbage-collector, resourcequota, validatingadmissionpolicy-status, csrsigning, simulate',
  );
});
