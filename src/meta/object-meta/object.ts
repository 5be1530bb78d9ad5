import { isObject, type JsonObject, type JsonValue, own, ownString } from '../value/value.ts';

/** Any Kubernetes object as JSON: `apiVersion`, `kind`, `metadata` and the fields of its kind. */
export type KubeObject = JsonObject;

/** The object's metadata; a new empty object if it has none. */
export function metadataOf(object: KubeObject): JsonObject {
  const metadata = own(object, 'metadata');
  return isObject(metadata) ? metadata : {};
}

/** The object's metadata; added if missing. */
export function ensureMetadata(object: KubeObject): JsonObject {
  const metadata = own(object, 'metadata');
  if (isObject(metadata)) return metadata;
  const added: JsonObject = {};
  object['metadata'] = added;
  return added;
}

/** A string of the metadata; empty if missing. */
export function metadataString(object: KubeObject, field: string): string {
  return ownString(metadataOf(object), field) ?? '';
}

export function nameOf(object: KubeObject): string {
  return metadataString(object, 'name');
}

export function namespaceOf(object: KubeObject): string {
  return metadataString(object, 'namespace');
}

/** `metadata.labels` or `metadata.annotations`, without values that are not strings. */
export function stringMap(value: JsonValue | undefined): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  if (!isObject(value)) return map;
  for (const [key, item] of Object.entries(value)) if (typeof item === 'string') map.set(key, item);
  return map;
}

/** The strings of a list such as `metadata.finalizers`; other items are skipped. */
export function stringList(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
