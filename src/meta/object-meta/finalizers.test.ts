import { expect, test } from 'vitest';
import { finalizerWarnings } from './finalizers.ts';

test.each<[string[], string[]]>([
  [['example.com/x', 'orphan', 'foregroundDeletion', 'kubernetes'], []],
  [
    ['x', 'example.com'],
    [
      'metadata.finalizers: "example.com": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "x": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ],
  ],
  [['/x'], ['metadata.finalizers: "/x": prefix part must be non-empty']],
])('finalizers %j are warned about', (finalizers, warnings) =>
  expect(finalizerWarnings(finalizers)).toEqual(warnings),
);

test('only new ones are warned about', () => {
  expect(finalizerWarnings(['x', 'y', 'y'], ['x'])).toEqual([
    'metadata.finalizers: "y": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
  ]);
});
