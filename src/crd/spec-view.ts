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
 * Reading a CustomResourceDefinition that has been normalized. What is missing nevertheless, as in an object that
 * somebody wrote straight into the store, reads as empty.
 */

/** `spec`, empty where it is missing. */
export function specOf(crd: KubeObject): JsonObject {
  return ownObject(crd, 'spec') ?? {};
}

/** `status`, empty where it is missing. */
export function statusOf(crd: KubeObject): JsonObject {
  return ownObject(crd, 'status') ?? {};
}

/** The objects of a list, empty where it is missing; anything else in it is left out. */
export function objectsOf(owner: JsonObject, field: string): JsonObject[] {
  return (ownList(owner, field) ?? []).filter((item): item is JsonObject => isObject(item));
}

/** The strings of a list, empty where it is missing; anything else in it is left out. */
export function stringsOf(owner: JsonObject, field: string): string[] {
  return (ownList(owner, field) ?? []).filter((item) => typeof item === 'string');
}

/** A string, empty where it is missing. */
export function textOf(owner: JsonObject, field: string): string {
  return ownString(owner, field) ?? '';
}

/** The versions in the order of the spec. */
export function versionsOf(spec: JsonObject): JsonObject[] {
  return objectsOf(spec, 'versions');
}

/** `schema.openAPIV3Schema` of a version, undefined where it has none. */
export function schemaOf(version: JsonObject): JsonObject | undefined {
  const schema = ownObject(version, 'schema');
  return schema === undefined ? undefined : ownObject(schema, 'openAPIV3Schema');
}

/** The name of the version that is stored, undefined where none is marked. */
export function storageVersionName(spec: JsonObject): string | undefined {
  const version = versionsOf(spec).find((candidate) => candidate['storage'] === true);
  return version === undefined ? undefined : textOf(version, 'name');
}

/** The names that a CRD asks for, or has: `spec.names`, `status.acceptedNames`. */
export function namesOf(owner: JsonObject, field: 'names' | 'acceptedNames'): JsonObject {
  return ownObject(owner, field) ?? {};
}

/** True where a value stands, and does not say nothing. */
export function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}
