import { isObject, type JsonObject } from '../../meta/index.ts';
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
      if (target === undefined) return withText(publishedInV2(node), node);
      const { $ref: _, allOf: __, description, ...beside } = node;
      return {
        ...publishedInV2(beside),
        ...refInV2(target, typeof description === 'string' ? description : undefined),
      };
    }),
  node: publishedInV2,
  isOpaque: (node) => node['x-kubernetes-preserve-unknown-fields'] === true,
};

/** What may be a text or a number is a text, to clients that know no `oneOf`. */
function withText(published: JsonObject, { oneOf }: JsonObject): JsonObject {
  const isText = Array.isArray(oneOf) && oneOf.some((one) => isObject(one) && one['type'] === 'string');
  return isText ? { type: 'string', ...published } : published;
}

function refInV2(model: string, description?: string): JsonObject {
  const target = { $ref: `#/definitions/${model}` };
  return description === undefined ? target : { description, ...target };
}
