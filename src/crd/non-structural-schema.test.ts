import { expect, test } from 'vitest';
import type { JsonObject } from '../meta/index.ts';
import { fooCrd, versionNamed } from './example.test-data.ts';
import { nonStructuralSchemaCondition } from './non-structural-schema.ts';

const withSchema = (openAPIV3Schema: JsonObject, spec: JsonObject = {}) =>
  fooCrd({ versions: [versionNamed('v1'), versionNamed('v2', { schema: { openAPIV3Schema } })], ...spec });

test('structural schemas draw no condition', () => {
  expect(nonStructuralSchemaCondition(fooCrd())).toBeUndefined();
  expect(nonStructuralSchemaCondition(fooCrd({ versions: [{ name: 'v1' }] }))).toBeUndefined();
});

test('every violation is named at its place in the API', () => {
  expect(
    nonStructuralSchemaCondition(withSchema({ properties: { a: {} } }, { preserveUnknownFields: true })),
  ).toEqual({
    type: 'NonStructuralSchema',
    status: 'True',
    reason: 'Violations',
    message:
      '[spec.preserveUnknownFields: Invalid value: true: must be false, ' +
      'spec.versions[1].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields, ' +
      'spec.versions[1].schema.openAPIV3Schema.type: Required value: must not be empty at the root]',
  });
});

test('a schema that cannot be read as a structural one is unknown', () => {
  expect(nonStructuralSchemaCondition(withSchema({ type: 'object', definitions: { a: {} } }))).toMatchObject({
    type: 'NonStructuralSchema',
    status: 'Unknown',
    reason: 'StructuralError',
    message: expect.stringMatching(/^failed to check validation schema for version v2: /),
  });
});
