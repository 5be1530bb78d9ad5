import { expect, test } from 'vitest';
import { checkSchema, compileSchema, defaultFeatureGates, FieldPath, fieldErrorText } from './index.ts';

/** The example of docs/schemas.md. */
test('a schema is checked, and normalizes and validates an object', () => {
  const gates = defaultFeatureGates();
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['replicas'],
        properties: {
          replicas: { type: 'integer', minimum: 0 },
          color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
        },
      },
    },
  };
  const path = FieldPath.of('spec', 'validation', 'openAPIV3Schema');
  expect(checkSchema(schema, path, { gates, statusEnabled: true })).toEqual([]);

  const compiled = compileSchema(schema, { gates });
  const object = { metadata: { name: 'w' }, spec: { replicas: -1, size: 'xl' } };
  const unknownFields: string[] = [];
  compiled.normalize(object, { unknownFields });
  expect(unknownFields).toEqual(['spec.size']);
  expect(object.spec).toEqual({ replicas: -1, color: 'red' });
  expect(compiled.validate({ object, scope: 'object' }).errors.map(fieldErrorText)).toEqual([
    'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
  ]);
});
