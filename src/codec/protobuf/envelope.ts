import {
  formatGroupVersion,
  type GroupVersionKind,
  isObject,
  type JsonObject,
  type JsonValue,
  ownList,
  type Steps,
} from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';
import { goUtf8 } from '../json/json-text.ts';
import { type KindMessage, messageOf, messages } from './kinds.ts';
import { readMessage } from './message-reader.ts';
import { writeMessage } from './message-writer.ts';
import { WireReader, wireType } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/** `k8s` and a zero byte. */
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/**
 * Decodes a body of `application/vnd.kubernetes.protobuf`: four bytes `k8s\0`, then a `runtime.Unknown` with the type
 * of the object and its bytes. The result is the object as in JSON.
 *
 * @throws {DecodeError} for invalid bytes, and for kinds without a protobuf form in Ilk.
 */
export function decodeProtobuf(bytes: Uint8Array): JsonValue {
  if (bytes.length === 0) throw new DecodeError('empty data');
  if (!magic.equals(bytes.subarray(0, 4))) {
    const prefix = [...magic].join(' ');
    throw new DecodeError(
      `provided data does not appear to be a protobuf message, expected prefix [${prefix}]`,
    );
  }
  const { apiVersion, kind, raw } = readUnknown(bytes.subarray(4));
  return { kind, apiVersion, ...readKind(raw, messageFor(apiVersion, kind)) };
}

/**
 * Encodes an object, or a list of objects, as a body of `application/vnd.kubernetes.protobuf`.
 *
 * @throws {DecodeError} for kinds without a protobuf form in Ilk, and for values that do not fit their fields.
 */
export function encodeProtobuf(value: JsonValue, gvk: GroupVersionKind): Buffer {
  return Buffer.concat(
    inEnvelope([writeKind(value, messageFor(formatGroupVersion(gvk.group, gvk.version), gvk.kind))], gvk),
  );
}

/**
 * {@link encodeProtobuf} for a list, in steps: one for each item.
 *
 * @param empty the list without items
 * @param items are created as they are written
 * @throws {DecodeError} as `encodeProtobuf`
 */
export function* encodeProtobufList(
  empty: JsonObject,
  items: Iterable<JsonValue>,
  gvk: GroupVersionKind,
): Steps<Uint8Array[]> {
  const kind = messageFor(formatGroupVersion(gvk.group, gvk.version), gvk.kind);
  const written: Uint8Array[] = [];
  for (const item of items) {
    written.push(writeItem(item, kind));
    yield;
  }
  const head = writeKind(empty, kind);
  return inEnvelope(itemsComeFirst(kind) ? [...written, head] : [head, ...written], gvk);
}

/** Fields are ordered by number. */
function itemsComeFirst(kind: KindMessage): boolean {
  return 'message' in kind && messages.get(kind.message)?.fields[0]?.name === 'items';
}

function inEnvelope(raw: readonly Uint8Array[], gvk: GroupVersionKind): Uint8Array[] {
  const typeMeta = new WireWriter();
  typeMeta.string(1, formatGroupVersion(gvk.group, gvk.version));
  typeMeta.string(2, gvk.kind);
  const head = new WireWriter();
  head.bytes(1, typeMeta.finish());
  head.bytesTag(
    2,
    raw.reduce((sum, piece) => sum + piece.length, 0),
  );
  const tail = new WireWriter();
  tail.string(3, '');
  tail.string(4, '');
  return [magic, head.finish(), ...raw, tail.finish()];
}

function messageFor(apiVersion: string, kind: string): KindMessage {
  const message = messageOf(apiVersion, kind);
  if (message !== undefined) return message;
  throw new DecodeError(`no protobuf form is known for kind "${kind}" in version "${apiVersion}"; send JSON`);
}

function readUnknown(bytes: Uint8Array): { apiVersion: string; kind: string; raw: Uint8Array } {
  const fields = stringFields(bytes);
  const typeMeta = stringFields(fields.get(1)?.at(-1) ?? new Uint8Array());
  const text = (field: number) => goUtf8(typeMeta.get(field)?.at(-1) ?? new Uint8Array());
  return { apiVersion: text(1), kind: text(2), raw: fields.get(2)?.at(-1) ?? new Uint8Array() };
}

/** All fields of a message that are strings, bytes or messages, by number. */
function stringFields(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const fields = new Map<number, Uint8Array[]>();
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (wire !== wireType.bytes) {
      reader.skip(wire);
      continue;
    }
    const values = fields.get(number) ?? [];
    values.push(reader.bytes());
    fields.set(number, values);
  }
  return fields;
}

function readKind(raw: Uint8Array, kind: KindMessage): JsonObject {
  if ('message' in kind) return readMessage(raw, kind.message, 0);
  const fields = stringFields(raw);
  return {
    metadata: readMessage(fields.get(1)?.at(-1) ?? new Uint8Array(), 'ListMeta', 1),
    items: (fields.get(2) ?? []).map((item) => readMessage(item, kind.items, 1)),
  };
}

function writeItem(item: JsonValue, kind: KindMessage): Uint8Array {
  if ('message' in kind) return writeMessage({ items: [item] }, kind.message);
  const writer = new WireWriter();
  writer.bytes(2, writeMessage(item, kind.items));
  return writer.finish();
}

function writeKind(value: JsonValue, kind: KindMessage): Uint8Array {
  if ('message' in kind) return writeMessage(value, kind.message);
  if (!isObject(value)) throw new DecodeError('a list is an object with items');
  const writer = new WireWriter();
  const metadata = value['metadata'];
  writer.bytes(1, writeMessage(isObject(metadata) ? metadata : {}, 'ListMeta'));
  for (const item of ownList(value, 'items') ?? []) writer.bytes(2, writeMessage(item, kind.items));
  return writer.finish();
}
