import { expect, test } from 'vitest';
import { FieldPath, pathText } from './field-path.ts';

test('a path prints as Kubernetes prints it', () => {
  const spec = FieldPath.of('spec');
  expect(spec.toString()).toBe('spec');
  expect(spec.child('ports').index(0).child('name').toString()).toBe('spec.ports[0].name');
  expect(spec.child('labels').key('my/key').toString()).toBe('spec.labels[my/key]');
  expect(FieldPath.of('metadata', 'name').toString()).toBe('metadata.name');
  expect(spec.child('a', 'b').toString()).toBe('spec.a.b');
});

test('a path does not change when it is extended', () => {
  const spec = FieldPath.of('spec');
  spec.child('a');
  spec.index(1);
  expect(spec.toString()).toBe('spec');
});

test('an undefined path is printed as <nil>', () => {
  expect(pathText(undefined)).toBe('<nil>');
  expect(pathText(FieldPath.of('a'))).toBe('a');
});
