import protobuf from 'protobufjs/minimal.js';

export type Writer = protobuf.Writer;
type Reader = protobuf.Reader;

const wireType = { varint: 0, bytes: 2 } as const;

/** Writes a field of bytes; like all of these, it leaves out what is the default, as proto3 does. */
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

/** Writes a message inside a message, an empty one too: which of several it is says what is asked for. */
export function messageField(writer: Writer, field: number, write: (writer: Writer) => void): void {
  writer.uint32((field << 3) | wireType.bytes).fork();
  write(writer);
  writer.ldelim();
}

/** The bytes of a message that is not inside of another. */
export function encodeMessage(write: (writer: Writer) => void): Buffer {
  const writer = protobuf.Writer.create();
  write(writer);
  const bytes = writer.finish();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads one field of a message into the result; false for an unknown field. */
export type ReadField<T> = (message: T, field: number, reader: Reader) => boolean;

/** Reads a message up to its end, and skips what it does not know: newer servers say more. */
function readMessage<T>(reader: Reader, end: number, message: T, read: ReadField<T>): T {
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (!read(message, tag >>> 3, reader)) reader.skipType(tag & 7);
  }
  return message;
}

/** Reads an embedded message, which begins with its length. */
export function readInner<T>(reader: Reader, message: T, read: ReadField<T>): T {
  const length = reader.uint32();
  return readMessage(reader, reader.pos + length, message, read);
}

export function decodeMessage<T>(bytes: Uint8Array, message: T, read: ReadField<T>): T {
  const reader = protobuf.Reader.create(bytes);
  return readMessage(reader, reader.len, message, read);
}

/** An int64 as a number: of revisions and counts, nobody will ever use more than 53 bits. */
export function readInt(reader: Reader): number {
  // Without the package `long`, which a bundle may hide from it, the library gives a number.
  const value: number | { readonly high: number; readonly low: number } = reader.int64();
  return typeof value === 'number' ? value : value.high * 2 ** 32 + (value.low >>> 0);
}
