import { expect, test } from 'vitest';
import { controllerNames } from '../../controllers/index.ts';
import { disabledControllers } from './controllers-flag.ts';

const crd = ['crd-names', 'crd-conditions', 'crd-finalizer', 'clusterrole-aggregation'];

test.each([
  [['*'], ['disruption', 'csrsigning', 'simulate']],
  [
    ['*', '-namespace'],
    ['namespace', 'disruption', 'csrsigning', 'simulate'],
  ],
  [
    ['-garbage-collector', '*', '-namespace'],
    ['namespace', 'garbage-collector', 'disruption', 'csrsigning', 'simulate'],
  ],
  [
    crd,
    [
      'namespace',
      'serviceaccount',
      'garbage-collector',
      'resourcequota',
      'validatingadmissionpolicy-status',
      'disruption',
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
      'disruption',
      'csrsigning',
      'simulate',
    ],
  ],
  [
    ['-namespace', '*', 'namespace'],
    ['namespace', 'disruption', 'csrsigning', 'simulate'],
  ],
  [['+simulate'], ['disruption', 'csrsigning']],
  [['+csrsigning', '+simulate', '+disruption'], []],
  [
    ['*', 'simulate'],
    ['disruption', 'csrsigning'],
  ],
  [['+simulate', '-namespace'], controllerNames.filter((name) => name !== 'simulate')],
])('--controllers=%s switches off %s', (list, disabled) => {
  expect(disabledControllers(list)).toEqual(disabled);
});

test('a name that no controller has is refused with the names there are', () => {
  expect(() => disabledControllers(['*', '-nobody'])).toThrow(
    'there is no controller nobody: they are crd-names, crd-conditions, crd-finalizer, clusterrole-aggregation, namespace, serviceaccount, garbage-collector, resourcequota, validatingadmissionpolicy-status, disruption, csrsigning, simulate',
  );
});
