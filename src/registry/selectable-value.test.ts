import { expect, test } from 'vitest';
import { selectableValue } from './selectable-value.ts';

const object = { spec: { color: 'blue', size: 3, big: 9007199254740993n, on: false, none: null } };

test.each([
  ['spec.color', 'blue'],
  ['spec.size', '3'],
  ['spec.big', '9007199254740993'],
  ['spec.on', 'false'],
  ['spec.none', ''],
  ['spec.missing', ''],
  ['spec.color.below', ''],
  ['status.phase', ''],
  ['spec.constructor.name', ''],
])('%s is %j', (path, value) => {
  expect(selectableValue(object, path)).toBe(value);
});
