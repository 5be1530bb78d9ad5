import { isObject, type JsonObject } from '../../meta/index.ts';
import { mapSchema } from './map-schema.ts';
import { ref, refTarget } from './models/notation.ts';
import { publishedInV3 } from './schema-v3.ts';
import { publishedInV2 } from './schema-v2.ts';

/** The differences of schemas between the two OpenAPI versions. */
export interface SpecForm {
  /** Makes a reference to a model. */
  ref(model: string, description?: string): JsonObject;
  /** Converts a built-in model. */
  model(schema: JsonObject): JsonObject;
  /** Converts one schema node of a kind. */
  node(schema: JsonObject): JsonObject;
  /** True for a node that must not get properties, because clients would then refuse all other fields. */
  isOpaque(node: JsonObject): boolean;
}

export const v3Form: SpecForm = {
  ref,
  model: (schema) => schema,
  node: publishedInV3,
  isOpaque: () => false,
};

/** Swagger 2.0 supports fewer keywords: see {@link publishedInV2}. A description may be a sibling of `$ref`. */
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

/** Clients without `oneOf` support get int-or-string as a string. */
function withText(published: JsonObject, { oneOf }: JsonObject): JsonObject {
  const isText = Array.isArray(oneOf) && oneOf.some((one) => isObject(one) && one['type'] === 'string');
  return isText ? { type: 'string', ...published } : published;
}

function refInV2(model: string, description?: string): JsonObject {
  const target = { $ref: `#/definitions/${model}` };
  return description === undefined ? target : { description, ...target };
}
