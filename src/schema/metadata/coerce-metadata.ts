import {
  compareBytes,
  goJsonKind,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownObject,
  put,
} from '../../meta/index.ts';
import type { GoField } from './go-decoders.ts';
import { MetadataTypeError } from './metadata-type-error.ts';
import { objectMetaFields } from './object-meta.ts';

/** Options for coercing metadata. */
export interface CoerceMetadataOptions {
  /** Drops invalid fields instead of refusing them: for objects stored without validation. */
  readonly dropInvalid?: boolean;
  /** Collects the sorted paths of unknown fields: `metadata.foo`. */
  readonly unknownFields?: string[] | undefined;
  /** An object with coerced metadata: fields identical to its own are skipped. */
  readonly settled?: JsonObject | undefined;
  /** The path prefix of unknown fields; `metadata` if omitted. */
  readonly path?: string;
}

const ignore = () => {};

/**
 * Coerces `metadata` to Kubernetes' ObjectMeta in place: drops unknown fields, omits empty ones, converts times to UTC.
 * An object without metadata is unchanged.
 *
 * @throws {MetadataTypeError} if a field has the wrong type and `dropInvalid` is not set.
 */
export function coerceMetadata(object: JsonObject, options: CoerceMetadataOptions = {}): void {
  const metadata = own(object, 'metadata');
  if (metadata === undefined) return;
  if (metadata === null) {
    object['metadata'] = {};
    return;
  }
  if (!isObject(metadata)) {
    if (options.dropInvalid !== true) throw new MetadataTypeError(notAnObject(metadata));
    object['metadata'] = {};
    return;
  }
  coerceFields(metadata, options);
}

function notAnObject(value: JsonValue): string {
  return `json: cannot unmarshal ${goJsonKind(value)} into Go value of type v1.ObjectMeta`;
}

function coerceFields(metadata: JsonObject, options: CoerceMetadataOptions): void {
  const unknown: string[] = [];
  const onUnknown = options.unknownFields === undefined ? ignore : (path: string) => void unknown.push(path);
  const base = options.path ?? 'metadata';
  const errors: { key: string; error: unknown }[] = [];
  const settled = (options.settled && ownObject(options.settled, 'metadata')) ?? {};
  for (const key of Object.keys(metadata)) {
    if (own(metadata, key) === own(settled, key)) continue;
    const at: GoField = { struct: 'ObjectMeta', field: key, path: `${base}.${key}`, onUnknown };
    try {
      coerceField(metadata, key, at);
    } catch (error) {
      if (options.dropInvalid === true) delete metadata[key];
      else errors.push({ key, error });
    }
  }
  if (errors.length > 0) throw firstError(errors);
  if (unknown.length > 0) options.unknownFields?.push(...unknown.sort(compareBytes));
}

/** Go decodes the fields in name order. */
function firstError(errors: readonly { readonly key: string; readonly error: unknown }[]): unknown {
  const sorted = [...errors].sort((a, b) => compareBytes(a.key, b.key)).map(({ error }) => error);
  return sorted.find((error) => error instanceof MetadataTypeError && error.stopsDecoding) ?? sorted[0];
}

function coerceField(metadata: JsonObject, key: string, at: GoField): void {
  const decode = objectMetaFields.get(key);
  if (decode === undefined) {
    at.onUnknown(at.path);
    delete metadata[key];
    return;
  }
  const value = own(metadata, key) ?? null;
  const decoded = decode(value, at);
  if (decoded === undefined) delete metadata[key];
  else if (decoded !== value) put(metadata, key, decoded);
}
