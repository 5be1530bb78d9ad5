import { isObject, type JsonObject, type JsonValue, own, ownString } from '../value/value.ts';

/** Any Kubernetes object as JSON: `apiVersion`, `kind`, `metadata` and whatever its kind holds. */
export type KubeObject = JsonObject;

/** The object's metadata, or an empty object that is not part of it. */
export function metadataOf(object: KubeObject): JsonObject {
  const metadata = own(object, 'metadata');
  return isObject(metadata) ? metadata : {};
}

/** The object's metadata, added where it is missing. */
export function ensureMetadata(object: KubeObject): JsonObject {
  const metadata = own(object, 'metadata');
  if (isObject(metadata)) return metadata;
  const added: JsonObject = {};
  object['metadata'] = added;
  return added;
}

/** A string of the metadata, empty where it is absent. */
export function metadataString(object: KubeObject, field: string): string {
  return ownString(metadataOf(object), field) ?? '';
}

export function nameOf(object: KubeObject): string {
  return metadataString(object, 'name');
}

export function namespaceOf(object: KubeObject): string {
  return metadataString(object, 'namespace');
}

/** `metadata.labels` or `metadata.annotations` without entries that are not strings. */
export function stringMap(value: JsonValue | undefined): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  if (!isObject(value)) return map;
  for (const [key, item] of Object.entries(value)) if (typeof item === 'string') map.set(key, item);
  return map;
}

/** The strings of a list such as `metadata.finalizers`; anything else is left out. */
export function stringList(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
