import { decodeJsonAsWritten, encodeJson, encodeJsonAsWritten } from '../../codec/index.ts';
import { isObject, type JsonObject, type JsonValue, type KubeObject, own, put } from '../../meta/index.ts';
import { scaleApiVersion } from './scale-object.ts';
import { applyJsonPatch, applyMergePatch, parseJsonPatch } from '../../patch/index.ts';

/** A patch as sent. */
interface SentPatch {
  readonly type: 'json' | 'merge' | 'strategic' | 'apply';
  readonly bytes: Uint8Array;
}

/**
 * The patched object as text, for error messages: upstream patches bytes, so numbers appear as the client wrote them,
 * also `1.0` and `1e400`.
 *
 * @param plain the same document with plain numbers
 */
export function patchedText(old: KubeObject, patch: SentPatch, plain: () => JsonValue): string {
  try {
    const sent = decodeJsonAsWritten(patch.bytes);
    if (patch.type === 'merge') return mergedText(old, sent);
    if (patch.type === 'json') return encodeJsonAsWritten(applyJsonPatch(old, parseJsonPatch(sent)));
  } catch {
    // A test operation of a JSON patch compares values, not texts: then plain numbers are used.
  }
  return encodeJson(plain()).toString();
}

/** A Scale is a Go struct: metadata that the patch does not touch has the order of its fields. */
function mergedText(old: KubeObject, patch: JsonValue): string {
  const merged = applyMergePatch(old, patch);
  const text = encodeJsonAsWritten(merged);
  const isScale = old['apiVersion'] === scaleApiVersion && old['kind'] === 'Scale';
  if (!isScale || !isObject(merged) || !isObject(patch) || Object.hasOwn(patch, 'metadata')) return text;
  const sorted = encodeJsonAsWritten(own(merged, 'metadata') ?? null);
  return text.replace(`"metadata":${sorted}`, () => `"metadata":${JSON.stringify(inGoOrder(old))}`);
}

/** The field order of Go's ObjectMeta. */
const metadataFields = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
];

/** The same for an entry of managedFields. */
const managerFields = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource'];

function inGoOrder({ metadata }: KubeObject): JsonValue {
  if (!isObject(metadata)) return {};
  const ordered = withFirst(metadataFields, metadata);
  const managers = own(metadata, 'managedFields');
  if (!Array.isArray(managers)) return ordered;
  const entries = managers.map((entry) => (isObject(entry) ? withFirst(managerFields, entry) : entry));
  return { ...ordered, managedFields: entries };
}

/** A copy with some fields first, in this order. */
function withFirst(fields: readonly string[], object: JsonObject): JsonObject {
  const ordered: JsonObject = {};
  for (const field of [...fields, ...Object.keys(object)]) {
    const value = own(object, field);
    if (value !== undefined) put(ordered, field, value);
  }
  return ordered;
}
