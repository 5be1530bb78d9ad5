import { isObject, type JsonValue, type KubeObject, own } from '../../meta/index.ts';
import { coerceMetadata, MetadataTypeError, type NormalizeOptions } from '../../schema/index.ts';
import { CrdDecodeError } from './crd-decode-error.ts';
import type { GoType } from './go-type.ts';
import { Place } from './place.ts';

/** A kind that has a Go struct: metadata, spec and status. */
export interface TypedKind {
  readonly kind: string;
  readonly spec: GoType;
  readonly status: GoType;
}

export interface TypedNormalizeOptions extends NormalizeOptions {
  readonly dropInvalidMetadata?: boolean;
}

/**
 * Normalizes an object, in place, to what a typed server would store: unknown fields are dropped, empty fields are
 * dropped where Go drops them, and every struct is present.
 *
 * @throws {CrdDecodeError} for a value of the wrong type.
 */
export function normalizeTyped(
  object: KubeObject,
  typed: TypedKind,
  options: TypedNormalizeOptions = {},
): void {
  const { kind, spec, status } = typed;
  const place = Place.root(options.unknownFields);
  const fields = new Map<string, JsonValue>();
  for (const key of Object.keys(object)) {
    const value = own(object, key) ?? null;
    delete object[key];
    if (key === 'metadata') fields.set(key, normalizedMetadata(value, kind, options));
    else if (key === 'spec') fields.set(key, decode(spec, value, place.field(kind, key)));
    else if (key === 'status') fields.set(key, decode(status, value, place.field(kind, key)));
    else if (key === 'kind' || key === 'apiVersion') fields.set(key, value);
    else place.unknown(key);
  }
  place.finish();
  for (const key of ['kind', 'apiVersion']) {
    const value = fields.get(key);
    if (value !== undefined) object[key] = value;
  }
  object['metadata'] = fields.get('metadata') ?? {};
  object['spec'] = fields.get('spec') ?? spec.zero();
  object['status'] = fields.get('status') ?? status.zero();
}

function decode(type: GoType, value: JsonValue, place: Place): JsonValue {
  return value === null ? type.zero() : type.decode(value, place);
}

function normalizedMetadata(metadata: JsonValue, kind: string, options: TypedNormalizeOptions): JsonValue {
  const holder: KubeObject = { metadata };
  try {
    coerceMetadata(holder, {
      dropInvalid: options.dropInvalidMetadata === true,
      unknownFields: options.unknownFields,
    });
  } catch (error) {
    if (error instanceof MetadataTypeError) throw new CrdDecodeError(fromTheTop(error.message, kind));
    throw error;
  }
  const coerced = holder['metadata'];
  return isObject(coerced) ? coerced : {};
}

/** Go decodes the metadata of custom resources alone, and that of typed kinds as a field; the error messages differ. */
function fromTheTop(text: string, kind: string): string {
  return text
    .replace(
      'into Go value of type v1.ObjectMeta',
      `into Go struct field ${kind}.metadata of type v1.ObjectMeta`,
    )
    .replace(/into Go struct field (\w+)\.(?!metadata )/, 'into Go struct field $1.metadata.');
}
