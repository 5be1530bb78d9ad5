import type { ResourceType, ResourceVersion } from '../../crd/index.ts';
import { formatGroupVersion, type KubeObject, ownString } from '../../meta/index.ts';
import { decodeStoredValue } from './stored-value.ts';

const start = Buffer.from('{"apiVersion":"');
const quote = 0x22;

/**
 * The version of stored bytes; undefined if the type does not have it (any more). Reads only the first field, which
 * is the version in all bytes that this server writes.
 */
export function storedVersionOf(bytes: Uint8Array, type: ResourceType): ResourceVersion | undefined {
  return versionNamed(storedApiVersion(bytes), type);
}

/** The version of an object; undefined if the type does not have it (any more). */
export function versionOf(object: KubeObject, type: ResourceType): ResourceVersion | undefined {
  return versionNamed(ownString(object, 'apiVersion') ?? '', type);
}

/** The `apiVersion` of stored bytes; empty if they have none. */
export function storedApiVersion(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.subarray(0, start.length).equals(start)) {
    const text = buffer.toString('latin1', start.length, buffer.indexOf(quote, start.length));
    // No type has a version with a backslash.
    if (!text.includes('\\')) return text;
  }
  return ownString(decodeStoredValue(bytes) ?? {}, 'apiVersion') ?? '';
}

function versionNamed(apiVersion: string, { group, versions }: ResourceType): ResourceVersion | undefined {
  return versions.find(({ name }) => formatGroupVersion(group, name) === apiVersion);
}
