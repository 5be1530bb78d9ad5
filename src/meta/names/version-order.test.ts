import { expect, test } from 'vitest';
import { compareVersionPriority } from './version-order.ts';

test('stable before beta before alpha, high numbers before low, anything else last', () => {
  const ordered = [
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
    'v1gamma1',
    'v99999999999999999999',
  ];
  expect([...ordered].reverse().sort(compareVersionPriority)).toEqual(ordered);
});

test('equal ones are equal', () => {
  expect(compareVersionPriority('v1beta1', 'v1beta1')).toBe(0);
  expect(compareVersionPriority('v1', 'v01')).toBe(0);
});
