import type { JsonObject } from '../../meta/index.ts';
import { mapSchema } from './map-schema.ts';
import { ref, refTarget } from './models/notation.ts';
import { publishedInV3 } from './schema-v3.ts';
import { publishedInV2 } from './schema-v2.ts';

/** What is different about schemas in the two versions of OpenAPI. */
export interface SpecForm {
  /** Refers to a model. */
  ref(model: string, description?: string): JsonObject;
  /** A model that the server brings along, as it is published. */
  model(schema: JsonObject): JsonObject;
  /** What is published of one node in the schema of a kind. */
  node(schema: JsonObject): JsonObject;
  /** True for a node that may not get properties, because clients would then refuse all others. */
  isOpaque(node: JsonObject): boolean;
}

export const v3Form: SpecForm = {
  ref,
  model: (schema) => schema,
  node: publishedInV3,
  isOpaque: () => false,
};

/** The schemas of Swagger 2.0 know less: see {@link publishedInV2}. A description may stand beside a `$ref`. */
export const v2Form: SpecForm = {
  ref: refInV2,
  model: (schema) =>
    mapSchema(schema, (node) => {
      const target = refTarget(node);
      if (target === undefined) return publishedInV2(node);
      const { description } = node;
      return refInV2(target, typeof description === 'string' ? description : undefined);
    }),
  node: publishedInV2,
  isOpaque: (node) => node['x-kubernetes-preserve-unknown-fields'] === true,
};

function refInV2(model: string, description?: string): JsonObject {
  const target = { $ref: `#/definitions/${model}` };
  return description === undefined ? target : { description, ...target };
}
