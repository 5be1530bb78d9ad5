import {
  aggregateText,
  annotationErrors,
  clone,
  FieldPath,
  goJson,
  goJsonKind,
  goTypeName,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  labelErrors,
  metadataString,
  own,
  ownString,
  parseGroupVersion,
  put,
  stringMap,
} from '../meta/index.ts';

/** The error in a converted object, by the message that reports it. */
export interface ConversionMistake {
  readonly about: 'json' | 'version' | 'identity' | 'metadata';
  readonly text: string;
}

/**
 * Takes over a converted object: it must be the same object in the requested version. Of the metadata, only labels and
 * annotations may change; the rest is restored from the original.
 * Source: apiextensions-apiserver, conversion/webhook_converter.go.
 */
export function takeConverted(
  original: KubeObject,
  value: JsonValue,
  apiVersion: string,
): { readonly object: KubeObject } | { readonly mistake: ConversionMistake } {
  const json = jsonMistake(value);
  if (json !== undefined || !isObject(value)) return mistaken('json', json ?? '');
  const version = versionMistake(original, value, apiVersion);
  if (version !== undefined) return mistaken('version', version);
  const identity = identityMistake(original, value);
  if (identity !== undefined) return mistaken('identity', identity);
  const metadata = restoreMetadata(original, value);
  if ('text' in metadata) return mistaken('metadata', metadata.text);
  value['metadata'] = metadata.restored;
  return { object: value };
}

function mistaken(about: ConversionMistake['about'], text: string): { readonly mistake: ConversionMistake } {
  return { mistake: { about, text } };
}

/** Go's error for a document that is not an object of any kind. */
function jsonMistake(value: JsonValue): string | undefined {
  if (value === null) return 'unexpected end of JSON input';
  if (!isObject(value)) {
    return `json: cannot unmarshal ${goJsonKind(value)} into Go value of type map[string]interface {}`;
  }
  const readable = parseGroupVersion(ownString(value, 'apiVersion') ?? '') !== undefined;
  if (readable && (ownString(value, 'kind') ?? '') !== '') return undefined;
  return `Object 'Kind' is missing in '${goJson(value)}'`;
}

function versionMistake(original: KubeObject, converted: KubeObject, apiVersion: string): string | undefined {
  const received = ownString(converted, 'apiVersion') ?? '';
  if (received !== apiVersion) return `invalid groupVersion (expected ${apiVersion}, received ${received})`;
  const [expectedKind, kind] = [ownString(original, 'kind') ?? '', ownString(converted, 'kind') ?? ''];
  return kind === expectedKind ? undefined : `invalid kind (expected ${expectedKind}, received ${kind})`;
}

function identityMistake(original: KubeObject, converted: KubeObject): string | undefined {
  for (const [field, name] of identityFields) {
    const [expected, found] = [metadataString(original, field), metadataString(converted, field)];
    if (expected !== found) return `must have the same ${name}: ${expected} != ${found}`;
  }
  return undefined;
}

const identityFields = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

function restoreMetadata(
  original: KubeObject,
  converted: KubeObject,
): { readonly restored: JsonObject } | { readonly text: string } {
  const given = own(converted, 'metadata');
  if (given === undefined) return { text: 'missing metadata in converted object' };
  if (!isObject(given)) return { text: `invalid metadata of type ${goTypeName(given)} in converted object` };
  const before = own(original, 'metadata') ?? {};
  const restored = isObject(before) ? clone(before) : {};
  for (const field of ['labels', 'annotations'] as const) {
    const text = takeStrings(restored, given, field);
    if (text !== undefined) return { text };
  }
  return { restored };
}

/** Copies labels or annotations of the converted object into the metadata; returns the error if they are invalid. */
function takeStrings(
  metadata: JsonObject,
  given: JsonObject,
  field: 'labels' | 'annotations',
): string | undefined {
  const value = own(given, field) ?? null;
  if (value === null) {
    delete metadata[field];
    return undefined;
  }
  if (!isObject(value)) return `invalid metadata.${field} of type ${goTypeName(value)} in converted object`;
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'string') continue;
    return `metadata.${field}[${key}] must be a string, but is ${goTypeName(item)} in converted object`;
  }
  const text = sameStrings(own(metadata, field), value) ? undefined : stringsMistake(field, value);
  put(metadata, field, value);
  return text;
}

/** Stored values are not validated again. */
function sameStrings(before: JsonValue | undefined, after: JsonObject): boolean {
  const old = stringMap(before);
  const now = Object.entries(after);
  return old.size === now.length && now.every(([key, item]) => old.get(key) === item);
}

/** Upstream's path for annotations lacks the last letter. */
function stringsMistake(field: 'labels' | 'annotations', value: JsonObject): string | undefined {
  const strings = stringMap(value);
  const errors =
    field === 'labels'
      ? labelErrors(FieldPath.of('metadata', 'labels'), strings)
      : annotationErrors(FieldPath.of('metadata', 'annotation'), strings);
  return errors.length === 0 ? undefined : aggregateText(errors);
}
