import { isObject, type JsonValue } from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';
import { decodeJson } from '../json/decode-json.ts';
import { encodeJson } from '../json/encode-json.ts';
import { goUtf8 } from '../json/json-text.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';
import { WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/** Decodes a message by name. */
type ReadMessage = (bytes: Uint8Array, message: string, depth: number) => JsonValue;
/** Encodes a message by name. */
type WriteMessage = (value: JsonValue, message: string) => Uint8Array;

/** A message whose JSON form is not an object. Those that contain a schema need the decoder for it. */
interface SpecialType {
  read(bytes: Uint8Array, readMessage: ReadMessage, depth: number): JsonValue;
  /** The bytes of the message; undefined if the JSON value has another type. */
  write(value: JsonValue, writeMessage: WriteMessage): Uint8Array | undefined;
}

/** The fields of a small message by number; the last of each applies. */
function fieldsOf(bytes: Uint8Array): {
  numbers: Map<number, number | bigint>;
  chunks: Map<number, Uint8Array[]>;
} {
  const numbers = new Map<number, number | bigint>();
  const chunks = new Map<number, Uint8Array[]>();
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (wire === 0) numbers.set(number, reader.int64());
    else if (wire === 2) chunks.set(number, [...(chunks.get(number) ?? []), reader.bytes()]);
    else reader.skip(wire);
  }
  return { numbers, chunks };
}

const last = (chunks: Map<number, Uint8Array[]>, field: number) => chunks.get(field)?.at(-1);

function message(build: (writer: WireWriter) => void): Uint8Array {
  const writer = new WireWriter();
  build(writer);
  return writer.finish();
}

function time(fractionDigits: 0 | 6): SpecialType {
  return {
    read(bytes) {
      // Go writes an unset time as a message without fields.
      if (bytes.length === 0) return null;
      const { numbers } = fieldsOf(bytes);
      return formatTimestamp(numbers.get(1) ?? 0, Number(numbers.get(2) ?? 0), fractionDigits);
    },
    write(value) {
      if (value === null) return new Uint8Array();
      const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined;
      if (parsed === undefined) return undefined;
      return message((writer) => {
        writer.integer(1, parsed.seconds);
        writer.integer(2, parsed.nanos);
      });
    },
  };
}

const intOrString: SpecialType = {
  read(bytes) {
    const { numbers, chunks } = fieldsOf(bytes);
    if (Number(numbers.get(1) ?? 0) === 1) return goUtf8(last(chunks, 3) ?? new Uint8Array());
    return Number(BigInt.asIntN(32, BigInt(numbers.get(2) ?? 0)));
  },
  write(value) {
    if (typeof value !== 'string' && !Number.isInteger(value)) return undefined;
    return message((writer) => {
      writer.integer(1, typeof value === 'string' ? 1 : 0);
      writer.integer(2, typeof value === 'number' ? value : 0);
      writer.string(3, typeof value === 'string' ? value : '');
    });
  },
};

const quantity: SpecialType = {
  read(bytes) {
    const text = goUtf8(last(fieldsOf(bytes).chunks, 1) ?? new Uint8Array());
    return text === '' ? '0' : text;
  },
  write(value) {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    return message((writer) => writer.string(1, String(value)));
  },
};

/** `JSON`, `FieldsV1`, `RawExtension`: JSON text in field 1. */
const rawJson: SpecialType = {
  read(bytes) {
    const raw = last(fieldsOf(bytes).chunks, 1);
    return raw === undefined || raw.length === 0 ? null : decodeJson(raw).value;
  },
  write: (value) => message((writer) => writer.bytes(1, encodeJson(value))),
};

const schemaOrArray: SpecialType = {
  read(bytes, readMessage, depth) {
    const { chunks } = fieldsOf(bytes);
    const list = chunks.get(2);
    if (list !== undefined) return list.map((schema) => readMessage(schema, 'JSONSchemaProps', depth));
    const schema = last(chunks, 1);
    return schema === undefined ? null : readMessage(schema, 'JSONSchemaProps', depth);
  },
  write(value, writeMessage) {
    if (Array.isArray(value)) {
      return message((writer) => {
        for (const schema of value) writer.bytes(2, writeMessage(schema, 'JSONSchemaProps'));
      });
    }
    return message((writer) => writer.bytes(1, writeMessage(value, 'JSONSchemaProps')));
  },
};

const schemaOrBool: SpecialType = {
  read(bytes, readMessage, depth) {
    const { numbers, chunks } = fieldsOf(bytes);
    const schema = last(chunks, 2);
    return schema === undefined ? Boolean(numbers.get(1)) : readMessage(schema, 'JSONSchemaProps', depth);
  },
  write(value, writeMessage) {
    if (typeof value === 'boolean') return message((writer) => writer.bool(1, value));
    if (!isObject(value)) return undefined;
    return message((writer) => {
      writer.bool(1, true);
      writer.bytes(2, writeMessage(value, 'JSONSchemaProps'));
    });
  },
};

const schemaOrStrings: SpecialType = {
  read(bytes, readMessage, depth) {
    const { chunks } = fieldsOf(bytes);
    const names = chunks.get(2);
    if (names !== undefined) return names.map((name) => goUtf8(name));
    const schema = last(chunks, 1);
    return schema === undefined ? null : readMessage(schema, 'JSONSchemaProps', depth);
  },
  write(value, writeMessage) {
    if (!Array.isArray(value)) {
      return message((writer) => writer.bytes(1, writeMessage(value, 'JSONSchemaProps')));
    }
    if (!value.every((name) => typeof name === 'string')) return undefined;
    return message((writer) => {
      for (const name of value) writer.string(2, name);
    });
  },
};

/** A list of strings in a message of its own, because it is the value of a map. */
const extraValue: SpecialType = {
  read: (bytes) => (fieldsOf(bytes).chunks.get(1) ?? []).map((item) => goUtf8(item)),
  write(value) {
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return undefined;
    return message((writer) => {
      for (const item of value) writer.string(1, item);
    });
  },
};

export const specialTypes: ReadonlyMap<string, SpecialType> = new Map([
  ['Time', time(0)],
  ['MicroTime', time(6)],
  ['IntOrString', intOrString],
  ['Quantity', quantity],
  ['RawJson', rawJson],
  ['SchemaOrArray', schemaOrArray],
  ['SchemaOrBool', schemaOrBool],
  ['SchemaOrStrings', schemaOrStrings],
  ['ExtraValue', extraValue],
]);

/** The error for a value that does not fit its field. */
export function wrongType(name: string, type: string): DecodeError {
  return new DecodeError(`cannot write field "${name}" as protobuf ${type}`);
}
