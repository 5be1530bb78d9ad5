import {
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  ownList,
  ownObject,
  ownString,
} from '../meta/index.ts';

/**
 * Accessors for a normalized CustomResourceDefinition. Missing values, as in an object that was written directly into
 * the store, read as empty.
 */

/** `spec`, empty if missing. */
export function specOf(crd: KubeObject): JsonObject {
  return ownObject(crd, 'spec') ?? {};
}

/** `status`, empty if missing. */
export function statusOf(crd: KubeObject): JsonObject {
  return ownObject(crd, 'status') ?? {};
}

/** The objects of a list; empty if the list is missing. Other items are skipped. */
export function objectsOf(owner: JsonObject, field: string): JsonObject[] {
  return (ownList(owner, field) ?? []).filter((item): item is JsonObject => isObject(item));
}

/** The strings of a list; empty if the list is missing. Other items are skipped. */
export function stringsOf(owner: JsonObject, field: string): string[] {
  return (ownList(owner, field) ?? []).filter((item) => typeof item === 'string');
}

/** A string, empty if missing. */
export function textOf(owner: JsonObject, field: string): string {
  return ownString(owner, field) ?? '';
}

/** The versions in spec order. */
export function versionsOf(spec: JsonObject): JsonObject[] {
  return objectsOf(spec, 'versions');
}

/** `schema.openAPIV3Schema` of a version; undefined if it has none. */
export function schemaOf(version: JsonObject): JsonObject | undefined {
  const schema = ownObject(version, 'schema');
  return schema === undefined ? undefined : ownObject(schema, 'openAPIV3Schema');
}

/** The name of the storage version; undefined if none is marked. */
export function storageVersionName(spec: JsonObject): string | undefined {
  const version = versionsOf(spec).find((candidate) => candidate['storage'] === true);
  return version === undefined ? undefined : textOf(version, 'name');
}

/** The names of a CRD: `spec.names` or `status.acceptedNames`. */
export function namesOf(owner: JsonObject, field: 'names' | 'acceptedNames'): JsonObject {
  return ownObject(owner, field) ?? {};
}

/** True if the value is present and not empty. */
export function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}
