import { expect, test } from 'vitest';
import { patchedText } from './patched-text.ts';

const old = { apiVersion: 'v1', kind: 'A', metadata: { uid: 'u', name: 'n' }, spec: { b: 2, a: 1 } };
const text = (type: 'merge' | 'json', patch: string, object = old) =>
  patchedText(object, { type, bytes: Buffer.from(patch) }, () => 'plain');

test('numbers stand as the client wrote them', () => {
  expect(text('merge', '{"spec":{"a":1e400,"c":[4.0,-0,9223372036854775808,7]}}')).toBe(
    '{"apiVersion":"v1","kind":"A","metadata":{"name":"n","uid":"u"},"spec":{"a":1e400,"b":2,"c":[4.0,-0,9223372036854775808,7]}}',
  );
  expect(text('json', '[{"op":"replace","path":"/spec","value":1.50}]')).toBe(
    '{"apiVersion":"v1","kind":"A","metadata":{"name":"n","uid":"u"},"spec":1.50}',
  );
});

test('a JSON patch that tests a number falls back to plain numbers', () => {
  expect(text('json', '[{"op":"test","path":"/spec/a","value":1.0}]')).toBe('"plain"');
});

test('the metadata of a Scale has the order of its Go struct', () => {
  const managedFields = [{ apiVersion: 'v1', manager: 'm', operation: 'Update' }];
  const scale = {
    ...old,
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { managedFields, uid: 'u', name: 'n' },
  };
  expect(text('merge', '{"spec":"x"}', scale)).toBe(
    '{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"n","uid":"u","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1"}]},"spec":"x"}',
  );
});
