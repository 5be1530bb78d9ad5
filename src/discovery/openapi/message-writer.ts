import { encodeYaml } from '../../codec/index.ts';
import protobuf from 'protobufjs/minimal.js';
import { isObject, type JsonObject, type JsonValue } from '../../meta/index.ts';

type Writer = protobuf.Writer;

/** Writes a JSON value as a field of a protobuf message. What has another type than the field is left out. */
export type WriteField = (writer: Writer, field: number, value: JsonValue) => void;

/** Writes the fields of a message from a JSON object. */
export type WriteContent = (writer: Writer, object: JsonObject) => void;

/** The fields of a message by their names in JSON: the number and the type of each. */
export type MessageTable = ReadonlyMap<string, readonly [number: number, write: WriteField]>;

const wireType = { varint: 0, fixed64: 1, bytes: 2 } as const;

function tag(writer: Writer, field: number, type: number): Writer {
  return writer.uint32(field * 8 + type);
}

/** Half surrogates become U+FFFD, for Go refuses text that is not UTF-8. */
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

/** Any JSON, as a message that holds it as YAML in blocks: clients of Go compare the text. */
export const any: WriteField = (writer, field, value) => {
  nest(writer, [field], () => string(writer, 2, encodeYaml(value).toString()));
};

/** Messages in each other: `[1, 3]` is field 3 of what stands in field 1. */
function nest(writer: Writer, fields: readonly number[], write: () => void): void {
  for (const field of fields) tag(writer, field, wireType.bytes).fork();
  write();
  for (const _ of fields) writer.ldelim();
}

/** A message, within others of these fields; given as a function, for messages hold messages of their own kind. */
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

/** A value inside of a message that has nothing else. */
export function inside(field: number, write: WriteField): WriteField {
  return (writer, outer, value) => nest(writer, [outer], () => write(writer, field, value));
}

/** A map: a message for each entry, with the name as field 1 and the value as field 2. */
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

/** The content of a message by its table, and what begins with `x-` as entries of one more field. */
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

/** The bytes of a message without its frame. */
export function encodeContent(content: WriteContent, object: JsonObject): Uint8Array {
  const writer = protobuf.Writer.create();
  content(writer, object);
  return writer.finish();
}

/** What stands before the bytes of a field: its number and how many there are. */
export function frameOf(field: number, length: number): Uint8Array {
  return tag(protobuf.Writer.create(), field, wireType.bytes).uint32(length).finish();
}
