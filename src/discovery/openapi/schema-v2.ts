import { isObject, type JsonObject, own, ownList, ownObject } from '../../meta/index.ts';

/** What Swagger 2.0 does not know, and defaults, which old clients would apply themselves. */
const unknownInV2 = ['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default'];

/**
 * A node of the schema of a custom resource as Swagger 2.0 can have it. Where that cannot tell the truth, the node
 * says less, for clients would refuse valid objects: what may be null or have unknown fields is untyped.
 * Source: apiextensions-apiserver, controller/openapi/v2/conversion.go.
 */
export function publishedInV2(schema: JsonObject): JsonObject {
  const node = { ...schema };
  const nullable = isNullable(node);
  for (const key of unknownInV2) delete node[key];
  const open = node['x-kubernetes-preserve-unknown-fields'] === true;
  if (nullable || open) {
    delete node['items'];
    delete node['properties'];
  }
  const untypedList = node['type'] === 'array' && node['items'] === undefined;
  if (nullable || untypedList || (open && node['type'] === 'object')) delete node['type'];
  return withoutNullableRequired(node);
}

/** A field that may be null looks as if it were missing to clients that know no null. */
function withoutNullableRequired(node: JsonObject): JsonObject {
  const required = ownList(node, 'required');
  if (required === undefined) return node;
  const { required: _, ...rest } = node;
  if (isNullable(own(node, 'additionalProperties'))) return rest;
  const properties = ownObject(node, 'properties') ?? {};
  const kept = required.filter((name) => typeof name !== 'string' || !isNullable(own(properties, name)));
  return kept.length === 0 ? rest : { ...rest, required: kept };
}

function isNullable(schema: unknown): boolean {
  return isObject(schema) && schema['nullable'] === true;
}
