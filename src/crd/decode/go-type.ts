import {
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  parseTime,
  formatTime,
  put,
  Float64,
  withoutFloat64,
} from '../../meta/index.ts';
import { CrdDecodeError } from './crd-decode-error.ts';
import type { Place } from './place.ts';

/**
 * A type as Go's JSON package reads and writes it. Decoding and encoding a value gives what a typed Kubernetes client
 * would see.
 */
export interface GoType {
  /** Its name in error messages: `[]v1.JSONSchemaProps`. */
  readonly name: string;
  /** The value where the document has nothing or null. */
  zero(): JsonValue;
  /** True for values that `omitempty` omits. */
  isEmpty(value: JsonValue): boolean;
  /**
   * Decodes a value that is not null. The result shares only the user's free-form JSON with the input.
   *
   * A value of the wrong type is reported at its place; the error is thrown at once or when decoding ends.
   */
  decode(value: JsonValue, place: Place): JsonValue;
  /** True for values that {@link decode} returns unchanged; no place is created for these. */
  keeps?(value: JsonValue): boolean;
}

/** Decodes a value that is not null. The place is created only if the type must look into the value. */
function decodeAt(type: GoType, value: JsonValue, place: () => Place): JsonValue {
  return type.keeps?.(value) === true ? value : type.decode(value, place());
}

/** A string, or a named string type: `string('v1.JSONSchemaURL')`. */
export function string(name = 'string'): GoType {
  return {
    name,
    zero: () => '',
    isEmpty: (value) => value === '',
    keeps: (value) => typeof value === 'string',
    decode(value, place) {
      if (typeof value !== 'string') return place.wrongType(value, this);
      return value;
    },
  };
}

/** A boolean. */
export const bool: GoType = {
  name: 'bool',
  zero: () => false,
  isEmpty: (value) => value === false,
  keeps: (value) => typeof value === 'boolean',
  decode(value, place) {
    if (typeof value !== 'boolean') return place.wrongType(value, this);
    return value;
  },
};

function integer(name: string, bits: bigint): GoType {
  const limit = 2n ** (bits - 1n);
  return {
    name,
    zero: () => 0,
    isEmpty: (value) => value === 0,
    decode(value, place) {
      if (value instanceof Float64) {
        return place.wrongType(value, { name, zero: this.zero, found: `number ${value.text}` });
      }
      if (typeof value !== 'number' && typeof value !== 'bigint') return place.wrongType(value, this);
      const whole = typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value) : undefined;
      if (whole === undefined || whole >= limit || whole < -limit) {
        return place.wrongType(value, { name, zero: this.zero, found: `number ${value}` });
      }
      return value;
    },
  };
}

/** A 32-bit integer. */
export const int32: GoType = integer('int32', 32n);
/** A 64-bit integer. */
export const int64: GoType = integer('int64', 64n);

/** A floating point number. Integers beyond 2^53 are rounded, as in Go. */
export const float64: GoType = {
  name: 'float64',
  zero: () => 0,
  isEmpty: (value) => value === 0,
  decode(raw, place) {
    const value = withoutFloat64(raw);
    if (typeof value !== 'number' && typeof value !== 'bigint') return place.wrongType(raw, this);
    if (value === Infinity || value === -Infinity) {
      const found = raw instanceof Float64 ? `number ${raw.text}` : undefined;
      return place.wrongType(raw, {
        name: this.name,
        zero: this.zero,
        ...(found === undefined ? {} : { found }),
      });
    }
    return Number(value);
  },
};

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Bytes, encoded in base64. */
export const bytes: GoType = {
  name: '[]uint8',
  zero: () => '',
  isEmpty: (value) => value === '',
  decode(value, place) {
    if (typeof value !== 'string') return place.wrongType(value, this);
    const text = value.replace(/[\r\n]/g, '');
    if (base64.test(text)) return Buffer.from(text, 'base64').toString('base64');
    const wrongAt = value.search(/[^A-Za-z0-9+/\r\n]/);
    const at = wrongAt === -1 ? value.length - (value.length % 4) : wrongAt;
    return place.refuse(new CrdDecodeError(`illegal base64 data at input byte ${at}`), this.zero());
  },
};

const timeLayout = '2006-01-02T15:04:05Z07:00';

/** A time, with a precision of seconds. */
export const time: GoType = {
  name: 'v1.Time',
  zero: () => null,
  isEmpty: () => false,
  decode(value, place) {
    if (typeof value !== 'string')
      return place.inside().wrongType(value, { name: 'string', zero: this.zero });
    const ms = parseTime(value);
    if (ms !== undefined) return formatTime(ms);
    throw new CrdDecodeError(
      `parsing time ${JSON.stringify(value)} as "${timeLayout}": cannot parse ${JSON.stringify(value)} as "2006"`,
    );
  },
};

/** Any JSON, unchanged. */
export const json: GoType = {
  name: 'v1.JSON',
  zero: () => null,
  isEmpty: () => false,
  keeps: () => true,
  decode: plainNumbers,
};

/** Encodes the value as it is stored: `1.0` as 1. */
function plainNumbers(value: JsonValue): JsonValue {
  if (value instanceof Float64) return value.valueOf();
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) put(copy, key, plainNumbers(own(value, key) ?? null));
  return copy;
}

/** A list. Go writes null for a list that was never set. */
export function list(item: GoType, name = `[]${item.name}`): GoType {
  return {
    name,
    zero: () => null,
    isEmpty: (value) => value === null || (Array.isArray(value) && value.length === 0),
    decode(value, place) {
      if (!Array.isArray(value)) return place.wrongType(value, this);
      return value.map((entry, index) =>
        entry === null ? item.zero() : decodeAt(item, entry, () => place.index(index)),
      );
    },
  };
}

/** A map with user-defined keys. */
export function map(item: GoType, name = `map[string]${item.name}`): GoType {
  return {
    name,
    zero: () => null,
    isEmpty: (value) => value === null || (isObject(value) && Object.keys(value).length === 0),
    decode(value, place) {
      if (!isObject(value)) return place.wrongType(value, this);
      const decoded: JsonObject = {};
      for (const [key, entry] of Object.entries(value)) {
        put(decoded, key, entry === null ? item.zero() : decodeAt(item, entry, () => place.key(key)));
      }
      return decoded;
    },
  };
}

/** One field of a struct. */
export interface GoField {
  readonly type: GoType;
  /** Omitted if empty. */
  readonly omitEmpty?: true;
  /** Omitted if null, kept if empty. */
  readonly pointer?: true;
}

/** A field that is always written. */
export const always = (type: GoType): GoField => ({ type });
/** A field that is omitted if empty. */
export const omitEmpty = (type: GoType): GoField => ({ type, omitEmpty: true });
/** A field that is omitted if the document does not set it. */
export const pointer = (type: GoType): GoField => ({ type, pointer: true });

/** A field with its name and its position in the struct. */
interface StructField extends GoField {
  readonly key: string;
  readonly order: number;
}

interface StructFields {
  readonly byKey: ReadonlyMap<string, StructField>;
  /** The fields that are written even if the document does not set them. */
  readonly standing: readonly StructField[];
}

function structFields(fields: Readonly<Record<string, GoField>>): StructFields {
  const all = Object.entries(fields).map(([key, field], order) => ({ ...field, key, order }));
  const standing = all.filter(
    ({ type, pointer, omitEmpty }) => !pointer && !(omitEmpty && type.isEmpty(type.zero())),
  );
  return { byKey: new Map(all.map((field) => [field.key, field])), standing };
}

function write(fields: readonly StructField[], values: ReadonlyMap<string, JsonValue>): JsonObject {
  const ordered: JsonObject = {};
  for (const { key, type, pointer, omitEmpty } of fields) {
    const value = values.get(key) ?? (pointer ? undefined : type.zero());
    if (value === undefined || (omitEmpty && type.isEmpty(value))) continue;
    ordered[key] = value;
  }
  return ordered;
}

/** A struct. Its fields are written in declaration order, whatever order the document has. */
export function struct(name: string, fieldsOf: () => Readonly<Record<string, GoField>>): GoType {
  let known: StructFields | undefined;
  const fields = () => {
    known ??= structFields(fieldsOf());
    return known;
  };
  return {
    name: `v1.${name}`,
    zero: () => write(fields().standing, new Map()),
    isEmpty: () => false,
    decode(value, place) {
      if (!isObject(value)) return place.wrongType(value, this);
      const { byKey, standing } = fields();
      const values = new Map<string, JsonValue>();
      const toWrite = new Set(standing);
      for (const key of Object.keys(value)) {
        const field = byKey.get(key);
        const entry = own(value, key);
        if (field === undefined) place.unknown(key);
        else if (entry !== null && entry !== undefined) {
          values.set(
            key,
            decodeAt(field.type, entry, () => place.field(name, key)),
          );
          toWrite.add(field);
        }
      }
      return write(
        [...toWrite].sort((a, b) => a.order - b.order),
        values,
      );
    },
  };
}
