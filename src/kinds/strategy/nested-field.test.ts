import { expect, test } from 'vitest';
import { nestedInt64, nestedString, setNested } from './nested-field.ts';

test.each([
  [{ spec: { n: 3 } }, 3],
  [{ spec: { n: 9007199254740993n } }, 9007199254740993n],
  [{ spec: {} }, undefined],
  [{ spec: null }, undefined],
  [{}, undefined],
])('an integer, case %#', (object, found) => {
  expect(nestedInt64(object, '.spec.n')).toBe(found);
});

test.each([
  [{ spec: { n: 'x' } }, '.spec.n accessor error: x is of the type string, expected int64'],
  [{ spec: { n: null } }, '.spec.n accessor error: <nil> is of the type <nil>, expected int64'],
  [{ spec: { n: 0.5 } }, '.spec.n accessor error: 0.5 is of the type float64, expected int64'],
  [{ spec: { n: 1e300 } }, '.spec.n accessor error: 1e+300 is of the type float64, expected int64'],
  [
    { spec: [1] },
    '.spec.n accessor error: [1] is of the type []interface {}, expected map[string]interface{}',
  ],
])('no integer in %j', (object, message) => {
  expect(() => nestedInt64(object, '.spec.n')).toThrow(message);
});

test('text', () => {
  expect(nestedString({ status: { s: 'a=b' } }, '.status.s')).toBe('a=b');
  expect(() => nestedString({ status: { s: true } }, '.status.s')).toThrow(
    '.status.s accessor error: true is of the type bool, expected string',
  );
});

test('a value is set where it belongs, and keys of every name are keys', () => {
  const object = {};
  setNested(object, '.spec.__proto__.constructor', 3);
  expect(JSON.stringify(object)).toBe('{"spec":{"__proto__":{"constructor":3}}}');
  expect(nestedInt64(object, '.spec.__proto__.constructor')).toBe(3);
  expect(nestedInt64({}, '.constructor.length')).toBe(undefined);
  expect(() => setNested({ spec: null }, '.spec.n', 3)).toThrow(
    'value cannot be set because .spec is not a map[string]interface{}',
  );
});
