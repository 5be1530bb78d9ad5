import { wireType } from './wire-reader.ts';

/** Encodes the primitives of the protobuf wire format, each with the tag of its field. */
export class WireWriter {
  readonly #parts: Uint8Array[] = [];

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }

  /** An integer of up to 64 bits; negative ones take ten bytes, as in proto2. */
  integer(field: number, value: number | bigint): void {
    this.#tag(field, wireType.varint);
    this.#varint(BigInt.asUintN(64, BigInt(value)));
  }

  bool(field: number, value: boolean): void {
    this.integer(field, value ? 1 : 0);
  }

  double(field: number, value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#tag(field, wireType.fixed64);
    this.#parts.push(bytes);
  }

  bytes(field: number, value: Uint8Array): void {
    this.bytesTag(field, value.length);
    this.#parts.push(value);
  }

  /** The tag and length before bytes that follow. */
  bytesTag(field: number, length: number): void {
    this.#tag(field, wireType.bytes);
    this.#varint(BigInt(length));
  }

  string(field: number, value: string): void {
    this.bytes(field, Buffer.from(value, 'utf8'));
  }

  #tag(field: number, wire: number): void {
    this.#varint(BigInt(field * 8 + wire));
  }

  #varint(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    while (rest >= 0x80n) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.#parts.push(Uint8Array.from(bytes));
  }
}
