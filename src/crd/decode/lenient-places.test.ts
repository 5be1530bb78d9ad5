import { expect, test } from 'vitest';
import { isLenientInCrd } from './lenient-places.ts';

const schema = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'];

test.each<[(string | number)[], boolean]>([
  [[], false],
  [['spec', 'names'], false],
  [schema, false],
  [[...schema, 'properties', 'items'], false],
  [[...schema, 'properties', 'a', 'items'], true],
  [[...schema, 'properties', 'a', 'items', 'properties', 'b'], true],
  [[...schema, 'properties', 'default', 'properties', 'enum'], false],
  [[...schema, 'properties', 'a', 'default', 'x'], true],
  [[...schema, 'anyOf', 1, 'additionalProperties'], true],
  [[...schema, 'anyOf', 1, 'not'], false],
  [[...schema, 'dependencies'], false],
  [[...schema, 'dependencies', 'a'], true],
])('%j', (steps, lenient) => expect(isLenientInCrd(steps)).toBe(lenient));
