import { encodeYaml } from '../../codec/index.ts';
import protobuf from 'protobufjs/minimal.js';
import { isObject, type JsonObject, type JsonValue } from '../../meta/index.ts';

type Writer = protobuf.Writer;

/** Writes a JSON value as a field of a protobuf message. Values of the wrong type are omitted. */
export type WriteField = (writer: Writer, field: number, value: JsonValue) => void;

/** Writes the fields of a JSON object as a message. */
export type WriteContent = (writer: Writer, object: JsonObject) => void;

/** Field number and writer, by JSON name. */
export type MessageTable = ReadonlyMap<string, readonly [number: number, write: WriteField]>;

const wireType = { varint: 0, fixed64: 1, bytes: 2 } as const;

function tag(writer: Writer, field: number, type: number): Writer {
  return writer.uint32(field * 8 + type);
}

/** Lone surrogates become U+FFFD, because Go refuses invalid UTF-8. */
export const string: WriteField = (writer, field, value) => {
  if (typeof value === 'string') tag(writer, field, wireType.bytes).bytes(Buffer.from(value, 'utf8'));
};

export const bool: WriteField = (writer, field, value) => {
  if (typeof value === 'boolean') tag(writer, field, wireType.varint).bool(value);
};

export const double: WriteField = (writer, field, value) => {
  if (isNumeric(value)) tag(writer, field, wireType.fixed64).double(Number(value));
};

export const int64: WriteField = (writer, field, value) => {
  if (isNumeric(value)) tag(writer, field, wireType.varint).int64(Number(value));
};

function isNumeric(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Any JSON, as a message with block-style YAML: Go clients compare the text. */
export const any: WriteField = (writer, field, value) => {
  nest(writer, [field], () => string(writer, 2, encodeYaml(value).toString()));
};

/** Nested messages: `[1, 3]` is field 3 of the message in field 1. */
function nest(writer: Writer, fields: readonly number[], write: () => void): void {
  for (const field of fields) tag(writer, field, wireType.bytes).fork();
  write();
  for (const _ of fields) writer.ldelim();
}

/** A message, nested in messages of these fields; a function, because message types can be recursive. */
export function message(content: () => WriteContent, within: readonly number[] = []): WriteField {
  return (writer, field, value) => {
    if (isObject(value)) nest(writer, [field, ...within], () => content()(writer, value));
  };
}

/** A repeated field. */
export function listOf(item: WriteField): WriteField {
  return (writer, field, value) => {
    for (const entry of Array.isArray(value) ? value : []) item(writer, field, entry);
  };
}

/** A value wrapped in a message without other fields. */
export function inside(field: number, write: WriteField): WriteField {
  return (writer, outer, value) => nest(writer, [outer], () => write(writer, field, value));
}

/** A map: a message per entry, with the name as field 1 and the value as field 2. */
export function entries(field: number, write: WriteField): WriteContent {
  return (writer, object) => {
    for (const [name, value] of Object.entries(object)) {
      nest(writer, [field], () => {
        string(writer, 1, name);
        write(writer, 2, value);
      });
    }
  };
}

/** Writes a message by its table; names with the prefix `x-` become entries of an additional field. */
export function fields(table: MessageTable, extensions?: number): WriteContent {
  return (writer, object) => {
    const more: JsonObject = {};
    for (const [name, value] of Object.entries(object)) {
      const [field, write] = table.get(name) ?? [];
      if (field !== undefined) write?.(writer, field, value);
      else if (name.startsWith('x-')) more[name] = value;
    }
    if (extensions !== undefined) entries(extensions, any)(writer, more);
  };
}

/** The bytes of a message without its tag and length. */
export function encodeContent(content: WriteContent, object: JsonObject): Uint8Array {
  const writer = protobuf.Writer.create();
  content(writer, object);
  return writer.finish();
}

/** The tag and length of a length-delimited field. */
export function frameOf(field: number, length: number): Uint8Array {
  return tag(protobuf.Writer.create(), field, wireType.bytes).uint32(length).finish();
}
