import { type JsonObject, isObject } from '../../../meta/index.ts';

/** Shorthands for the schemas of built-in models. All are OpenAPI v3. */

const schemas = '#/components/schemas/';

export const text = (description: string): JsonObject => ({ description, type: 'string' });
export const flag = (description: string): JsonObject => ({ description, type: 'boolean' });
export const number = (description: string): JsonObject => ({
  description,
  type: 'number',
  format: 'double',
});
export const int32 = (description: string): JsonObject => ({ description, type: 'integer', format: 'int32' });
export const int64 = (description: string): JsonObject => ({ description, type: 'integer', format: 'int64' });

/** A reference. OpenAPI 3.0 ignores siblings of a `$ref`, so a description needs a wrapper. */
export function ref(model: string, description?: string): JsonObject {
  const target: JsonObject = { $ref: `${schemas}${model}` };
  return description === undefined ? target : { description, allOf: [target] };
}

/** The model name of a schema made by {@link ref}; undefined for any other schema. */
export function refTarget(schema: JsonObject): string | undefined {
  const { $ref: direct, allOf } = schema;
  const [only] = Array.isArray(allOf) ? allOf : [];
  const wrapped = isObject(only) ? only['$ref'] : undefined;
  const target = direct ?? wrapped;
  return typeof target === 'string' && target.startsWith(schemas) ? target.slice(schemas.length) : undefined;
}

/** A list that patches replace as a whole, unless `how` says otherwise. */
export function list(items: JsonObject, description: string, how: JsonObject = atomic): JsonObject {
  return { description, type: 'array', items, ...how };
}

const atomic: JsonObject = { 'x-kubernetes-list-type': 'atomic' };
/** For {@link list}: a set of values that patches merge. */
export const set: JsonObject = { 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' };

/** For {@link list}: objects merged by a key field. */
export function mapList(key: string): JsonObject {
  return {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [key],
    'x-kubernetes-patch-merge-key': key,
    'x-kubernetes-patch-strategy': 'merge',
  };
}

export const plainText: JsonObject = { type: 'string' };

export function map(values: JsonObject, description: string): JsonObject {
  return { description, type: 'object', additionalProperties: values };
}

/** The schema of an object. */
export function model(
  description: string,
  properties: JsonObject,
  more: { readonly required?: readonly string[]; readonly extensions?: JsonObject } = {},
): JsonObject {
  return {
    description,
    type: 'object',
    properties,
    ...(more.required === undefined ? {} : { required: [...more.required] }),
    ...more.extensions,
  };
}

/** The extension with the kind of a schema. */
export function ofKind(group: string, version: string, kind: string): JsonObject {
  return { 'x-kubernetes-group-version-kind': [{ group, kind, version }] };
}

/** `apiVersion` and `kind` of every object. */
export const typeMeta: JsonObject = {
  apiVersion: text(
    'The API version of this object. The server may convert objects to another version, and refuses versions that it does not serve.',
  ),
  kind: text(
    'The kind of this object, in CamelCase. It is determined by the endpoint and cannot be changed.',
  ),
};
