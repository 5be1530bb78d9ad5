import { isObject, type JsonObject, own, ownList, ownObject } from '../../meta/index.ts';

/** Keywords that Swagger 2.0 lacks, and defaults, which old clients would apply themselves. */
const unknownInV2 = ['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default'];

/**
 * A schema node of a custom resource in Swagger 2.0. Nullable values and values with unknown fields become untyped,
 * because clients would otherwise refuse valid objects.
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

/** Clients without null support would take a nullable field for missing. */
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
