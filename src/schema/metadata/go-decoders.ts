import {
  canonicalTime,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  put,
  Float64,
  withoutFloat64,
} from '../../meta/index.ts';
import { timeErrorText } from './go-time-error.ts';
import { MetadataTypeError } from './metadata-type-error.ts';

/** The location of a value in Go's types, for error messages. */
export interface GoField {
  /** The innermost struct: `ObjectMeta`. */
  readonly struct: string;
  /** The path from the outermost struct, without indexes: `ownerReferences.name`. */
  readonly field: string;
  /** The path with indexes, for unknown fields: `ownerReferences[0].name`. */
  readonly path: string;
  /** Called with the path of every unknown field. */
  readonly onUnknown: (path: string) => void;
}

/**
 * Decodes a value like Go and returns what Go would encode; undefined if Go omits it as empty. Lists and objects are
 * modified in place.
 *
 * @throws {MetadataTypeError} if the value has the wrong type.
 */
export type GoDecoder = (value: JsonValue, at: GoField) => JsonValue | undefined;

/** The name of a JSON value in Go's decoder errors. */
function jsonKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || value instanceof Float64) return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function mismatch(value: JsonValue, at: GoField, goType: string, kind = jsonKind(value)): MetadataTypeError {
  const target = `Go struct field ${at.struct}.${at.field} of type ${goType}`;
  return new MetadataTypeError(`json: cannot unmarshal ${kind} into ${target}`);
}

/** A string with omitempty. */
export function goString(goType = 'string'): GoDecoder {
  return (value, at) => {
    if (value === null || value === '') return undefined;
    if (typeof value !== 'string') throw mismatch(value, at, goType);
    return value;
  };
}

/** A string without omitempty. */
export function goRequiredString(goType = 'string'): GoDecoder {
  const decode = goString(goType);
  return (value, at) => decode(value, at) ?? '';
}

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** An integer; zero is omitted unless the field is a pointer. */
export function goInt64({ keepZero }: { readonly keepZero: boolean }): GoDecoder {
  return (raw, at) => {
    const value = withoutFloat64(raw);
    if (value === null) return undefined;
    if (typeof value !== 'number' && typeof value !== 'bigint') throw mismatch(value, at, 'int64');
    const fits =
      typeof value === 'number' ? Number.isSafeInteger(value) : value >= int64Min && value <= int64Max;
    if (!fits) throw mismatch(value, at, 'int64', `number ${value}`);
    return Number(value) === 0 && !keepZero ? undefined : value;
  };
}

/** A pointer to a boolean: false differs from absent. */
export const goBool: GoDecoder = (value, at) => {
  if (value === null) return undefined;
  if (typeof value !== 'boolean') throw mismatch(value, at, 'bool');
  return value;
};

const zeroTime = '0001-01-01T00:00:00Z';

/** An RFC 3339 time, encoded in UTC and whole seconds. */
export const goTime: GoDecoder = (value, at) => {
  if (value === null) return undefined;
  if (typeof value !== 'string') throw new MetadataTypeError(mismatch(value, at, 'string').message, true);
  const text = canonicalTime(value);
  if (text === undefined) throw new MetadataTypeError(timeErrorText(value), true);
  return text === zeroTime ? undefined : text;
};

/** Labels and annotations: null becomes an empty string. */
export const goStringMap: GoDecoder = (value, at) => {
  if (value === null) return undefined;
  if (!isObject(value)) throw mismatch(value, at, 'map[string]string');
  let count = 0;
  for (const key of Object.keys(value)) {
    const item = own(value, key) ?? null;
    if (item === null) put(value, key, '');
    else if (typeof item !== 'string') throw mismatch(item, at, 'string');
    count += 1;
  }
  return count === 0 ? undefined : value;
};

/** A list; null and empty lists are omitted. */
export function goList(goType: string, decodeItem: GoDecoder): GoDecoder {
  return (value, at) => {
    if (value === null) return undefined;
    if (!Array.isArray(value)) throw mismatch(value, at, `[]${goType}`);
    for (const [index, item] of value.entries()) {
      value[index] = decodeItem(item, { ...at, path: `${at.path}[${index}]` }) ?? null;
    }
    return value.length === 0 ? undefined : value;
  };
}

/** The fields of a Go struct; those in `always` are encoded even if absent. */
export interface GoStruct {
  readonly name: string;
  readonly fields: ReadonlyMap<string, GoDecoder>;
  readonly always: readonly string[];
}

/** Decodes an object in place: unknown fields are dropped, invalid ones throw. */
function decodeStruct(struct: GoStruct, object: JsonObject, at: GoField): void {
  for (const key of Object.keys(object)) {
    const decode = struct.fields.get(key);
    if (decode === undefined) {
      at.onUnknown(`${at.path}.${key}`);
      delete object[key];
      continue;
    }
    const field = { ...at, struct: struct.name, field: `${at.field}.${key}`, path: `${at.path}.${key}` };
    const decoded = decode(own(object, key) ?? null, field);
    if (decoded === undefined) delete object[key];
    else put(object, key, decoded);
  }
  for (const key of struct.always) if (!Object.hasOwn(object, key)) object[key] = '';
}

/** A struct in a list; null is an empty one. */
export function goStruct(struct: GoStruct): GoDecoder {
  return (value, at) => {
    if (value !== null && !isObject(value)) throw mismatch(value, at, `v1.${struct.name}`);
    const object = value ?? {};
    decodeStruct(struct, object, at);
    return object;
  };
}
