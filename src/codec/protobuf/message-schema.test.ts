import { expect, test } from 'vitest';
import { messageSchemas } from './message-schema.ts';

const schemaOf = messageSchemas({
  message: (message) =>
    message === 'LocalObjectReference' ? { 'x-kubernetes-map-type': 'atomic' } : undefined,
  field: (message, field) => (`${message}.${field}` === 'Secret.type' ? { default: 'Opaque' } : undefined),
});

test('a kind has the schema of its message, with what notes say of it', () => {
  expect(schemaOf('v1', 'Secret')['properties']).toMatchObject({
    data: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
    stringData: { type: 'object', additionalProperties: { type: 'string' } },
    type: { type: 'string', default: 'Opaque' },
    immutable: { type: 'boolean' },
  });
  expect(schemaOf('v1', 'ServiceAccount')['properties']).toMatchObject({
    imagePullSecrets: { type: 'array', items: { type: 'object', 'x-kubernetes-map-type': 'atomic' } },
  });
});

test('fields of a message without a name stand among those of its parent', () => {
  expect(schemaOf('v1', 'Pod')).toMatchObject({
    properties: {
      spec: {
        properties: {
          volumes: { items: { properties: { name: { type: 'string' }, emptyDir: { type: 'object' } } } },
        },
      },
    },
  });
});

test('quantities and ports are numbers or texts, times are texts', () => {
  expect(schemaOf('v1', 'Node')).toMatchObject({
    properties: {
      status: {
        properties: { capacity: { additionalProperties: { 'x-kubernetes-int-or-string': true } } },
      },
      metadata: { properties: { creationTimestamp: { type: 'string', format: 'date-time' } } },
    },
  });
});

test('a schema is made once', () => {
  expect(schemaOf('apps/v1', 'Deployment')).toBe(schemaOf('apps/v1', 'Deployment'));
});

test('a kind without a message is a bug', () => {
  expect(() => schemaOf('example.com/v1', 'Widget')).toThrow('example.com/v1 Widget has a message');
});
