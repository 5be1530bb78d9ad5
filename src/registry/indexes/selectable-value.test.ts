import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { selectableValueReader } from './selectable-value.ts';

const object: JsonObject = {
  spec: {
    color: 'blue',
    size: 3,
    big: 9007199254740993n,
    huge: 1e20,
    on: false,
    none: null,
    duration: '1h30m',
    ports: [{ name: 'http', port: 80 }, { name: 'https' }, { name: null }, {}, 'odd'],
    matrix: [['a', 'b'], ['b'], null, 'c'],
    labels: { app: 'web' },
    list: [],
  },
};

test.each([
  ['spec.color', 'blue'],
  ['spec.size', '3'],
  ['spec.big', '9007199254740993'],
  ['spec.huge', '1e+20'],
  ['spec.on', 'false'],
  ['spec.duration', '1h30m'],
  ['spec.none', ''],
  ['spec.missing', ''],
  ['spec.color.below', ''],
  ['spec.labels.app', 'web'],
  ['status.phase', ''],
  ['spec.constructor.name', ''],
  ['spec.__proto__', ''],
  ['spec.ports[*].name', ['http', 'https']],
  ['spec.ports[*].port', ['80']],
  ['spec.matrix[*][*]', ['a', 'b', 'b']],
  ['spec.list[*]', ['']],
  ['spec.color[*]', ['']],
  ['spec.missing[*].name', ['']],
])('%s is %j', (fieldPath, value) => {
  expect(selectableValueReader({ fieldPath })(object)).toEqual(value);
});

test('a key that user data chose is a key', () => {
  const hostile = JSON.parse('{"spec":{"__proto__":"mine"}}');
  expect(selectableValueReader({ fieldPath: 'spec.__proto__' })(hostile)).toBe('mine');
});

test('a kind may say itself what its value is', () => {
  const field = { fieldPath: 'phase', read: () => 'Active' };
  expect(selectableValueReader(field)(object)).toBe('Active');
});
