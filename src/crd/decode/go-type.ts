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
 * A type as Go's JSON package reads and writes it: what is read and written again is what a typed client of
 * Kubernetes would see.
 */
export interface GoType {
  /** As error texts name it: `[]v1.JSONSchemaProps`. */
  readonly name: string;
  /** What stands where the document says nothing or null. */
  zero(): JsonValue;
  /** True for what `omitempty` leaves out. */
  isEmpty(value: JsonValue): boolean;
  /**
   * Reads a value that is not null; the result shares nothing with it that is not JSON of the user.
   *
   * A value of the wrong type is refused at its place, which throws now or when everything was read.
   */
  decode(value: JsonValue, place: Place): JsonValue;
  /** True for values that {@link decode} gives back as they are; it spares most values a place. */
  keeps?(value: JsonValue): boolean;
}

/** A value that is not null at the place that is made where the type has to look closer. */
function decodeAt(type: GoType, value: JsonValue, place: () => Place): JsonValue {
  return type.keeps?.(value) === true ? value : type.decode(value, place());
}

/** A string, or a type made from it: `string('v1.JSONSchemaURL')`. */
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

/** A floating point number; integers beyond 2^53 lose their last digits, as they do in Go. */
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

/** Bytes, written in base64. */
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

/** A moment, in whole seconds. */
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

/** Any JSON, kept as it is. */
export const json: GoType = {
  name: 'v1.JSON',
  zero: () => null,
  isEmpty: () => false,
  keeps: () => true,
  decode: plainNumbers,
};

/** The value as it is stored: `1.0` as 1. */
function plainNumbers(value: JsonValue): JsonValue {
  if (value instanceof Float64) return value.valueOf();
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) put(copy, key, plainNumbers(own(value, key) ?? null));
  return copy;
}

/** A list; Go writes one that was never set as null. */
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

/** A map with keys that a user chose. */
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
  /** Left out where empty. */
  readonly omitEmpty?: true;
  /** Left out where null, and kept where empty. */
  readonly pointer?: true;
}

/** A field that is always written. */
export const always = (type: GoType): GoField => ({ type });
/** A field that is left out where it is empty. */
export const omitEmpty = (type: GoType): GoField => ({ type, omitEmpty: true });
/** A field that is left out where the document does not set it. */
export const pointer = (type: GoType): GoField => ({ type, pointer: true });

/** A field with its name and place in its struct. */
interface StructField extends GoField {
  readonly key: string;
  readonly order: number;
}

interface StructFields {
  readonly byKey: ReadonlyMap<string, StructField>;
  /** Those that stand there also where the document does not set them. */
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

/** A struct; its fields are written in their order, whatever order the document has. */
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
