import protobuf from 'protobufjs/minimal.js';

export type Writer = protobuf.Writer;
type Reader = protobuf.Reader;

const wireType = { varint: 0, bytes: 2 } as const;

/** Writes a bytes field; like all of these functions, it omits default values, as proto3 does. */
export function bytesField(writer: Writer, field: number, value: Uint8Array): void {
  if (value.length > 0) writer.uint32((field << 3) | wireType.bytes).bytes(value);
}

export function textField(writer: Writer, field: number, value: string): void {
  if (value !== '') writer.uint32((field << 3) | wireType.bytes).string(value);
}

export function intField(writer: Writer, field: number, value: number): void {
  if (value !== 0) writer.uint32((field << 3) | wireType.varint).int64(value);
}

export function boolField(writer: Writer, field: number, value: boolean): void {
  if (value) writer.uint32((field << 3) | wireType.varint).bool(true);
}

/** Writes an embedded message, even if empty: its presence selects a variant. */
export function messageField(writer: Writer, field: number, write: (writer: Writer) => void): void {
  writer.uint32((field << 3) | wireType.bytes).fork();
  write(writer);
  writer.ldelim();
}

/** The bytes of a top-level message. */
export function encodeMessage(write: (writer: Writer) => void): Buffer {
  const writer = protobuf.Writer.create();
  write(writer);
  const bytes = writer.finish();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads one field of a message into the result; false for an unknown field. */
export type ReadField<T> = (message: T, field: number, reader: Reader) => boolean;

/** Reads a message to its end, and skips unknown fields of newer servers. */
function readMessage<T>(reader: Reader, end: number, message: T, read: ReadField<T>): T {
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (!read(message, tag >>> 3, reader)) reader.skipType(tag & 7);
  }
  return message;
}

/** Reads an embedded message, which starts with its length. */
export function readInner<T>(reader: Reader, message: T, read: ReadField<T>): T {
  const length = reader.uint32();
  return readMessage(reader, reader.pos + length, message, read);
}

export function decodeMessage<T>(bytes: Uint8Array, message: T, read: ReadField<T>): T {
  const reader = protobuf.Reader.create(bytes);
  return readMessage(reader, reader.len, message, read);
}

/** An int64 as a number: revisions and counts never exceed 53 bits. */
export function readInt(reader: Reader): number {
  // Without the package `long`, which a bundle may omit, the library returns a number.
  const value: number | { readonly high: number; readonly low: number } = reader.int64();
  return typeof value === 'number' ? value : value.high * 2 ** 32 + (value.low >>> 0);
}
