import { isObject, type JsonObject, own, ownList, ownObject, put } from '../../meta/index.ts';

/** Keywords that Swagger 2.0 lacks, and defaults, which old clients would apply themselves. */
const unknownInV2 = ['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default'];

/**
 * A schema node of a custom resource in Swagger 2.0. Nullable values and values with unknown fields become untyped,
 * because clients would otherwise refuse valid objects. A node without anything to change is returned itself.
 * Source: apiextensions-apiserver, controller/openapi/v2/conversion.go.
 */
export function publishedInV2(schema: JsonObject): JsonObject {
  const nullable = isNullable(schema);
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const untyped = nullable || open;
  const dropped = [...unknownInV2, ...(untyped ? ['items', 'properties'] : [])];
  const untypedList = schema['type'] === 'array' && (untyped || schema['items'] === undefined);
  if (nullable || untypedList || (open && schema['type'] === 'object')) dropped.push('type');
  return withoutNullableRequired(without(schema, dropped));
}

function without(schema: JsonObject, dropped: readonly string[]): JsonObject {
  if (!dropped.some((key) => Object.hasOwn(schema, key))) return schema;
  const node: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) if (!dropped.includes(key)) put(node, key, value);
  return node;
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
