import type { DeclaredType } from '../../cel/index.ts';
import { defaultFeatureGates, type JsonObject, ownObject } from '../../meta/index.ts';
import { SchemaNode } from '../schema-node.ts';
import { RuleTypes } from './rule-type.ts';

const text = { type: 'string' };
const number = { type: 'integer', format: 'int64' };
const time = { type: 'string', format: 'date-time' };
const texts = { type: 'array', items: text };
const textMap = { type: 'object', additionalProperties: text };
const flag = { type: 'boolean' };

/** `metadata` as published by OpenAPI documents. */
const objectMeta = {
  type: 'object',
  properties: {
    annotations: textMap,
    creationTimestamp: time,
    deletionGracePeriodSeconds: number,
    deletionTimestamp: time,
    finalizers: texts,
    generateName: text,
    generation: number,
    labels: textMap,
    managedFields: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          apiVersion: text,
          fieldsType: text,
          fieldsV1: { type: 'object' },
          manager: text,
          operation: text,
          subresource: text,
          time,
        },
      },
    },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          apiVersion: text,
          blockOwnerDeletion: flag,
          controller: flag,
          kind: text,
          name: text,
          uid: text,
        },
      },
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
};

/**
 * The type of whole objects of a kind, with complete metadata, for checking admission expressions.
 *
 * @param schema the `openAPIV3Schema` of the kind
 * @param name the type name in error messages
 */
export function declareObject(schema: JsonObject, name: string): DeclaredType | undefined {
  const properties = ownObject(schema, 'properties') ?? {};
  const full = { ...properties, apiVersion: text, kind: text, metadata: objectMeta };
  const node = new SchemaNode({ ...schema, properties: full }, defaultFeatureGates());
  return new RuleTypes().of(node, { isResource: true, name })?.declared;
}
