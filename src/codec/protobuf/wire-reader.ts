import { DecodeError } from '../decode-error.ts';
import { asBuffer } from '../json/json-text.ts';

/** The wire types of fields. */
export const wireType = Object.freeze({ varint: 0, fixed64: 1, bytes: 2, fixed32: 5 });

const groupStart = 3;
const groupEnd = 4;
const groupDepthMax = 100;

/**
 * Decodes the primitives of the protobuf wire format, with all 64 bits of integers and the error messages of Go's
 * generated code; https://protobuf.dev/programming-guides/encoding/.
 */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  tag(): { number: number; wire: number } {
    const tag = Number(this.varint());
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === groupEnd) throw new DecodeError('proto: wiretype end group for non-group');
    if (number <= 0 || number > 0x1fffffff)
      throw new DecodeError(`proto: illegal tag ${number} (wire type ${tag})`);
    return { number, wire };
  }

  /** An unsigned integer; a number if safe. */
  varint(): number | bigint {
    let value = 0;
    for (let index = 0; index < 7; index += 1) {
      const byte = this.#next();
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return value;
    }
    let large = BigInt(value);
    for (let index = 7n; index < 10n; index += 1n) {
      const byte = this.#next();
      large |= BigInt(byte & 0x7f) << (7n * index);
      if (byte < 0x80) return BigInt.asUintN(64, large);
    }
    throw new DecodeError('proto: integer overflow');
  }

  int64(): number | bigint {
    const value = this.varint();
    if (typeof value === 'number') return value;
    const signed = BigInt.asIntN(64, value);
    const small = Number(signed);
    return Number.isSafeInteger(small) ? small : signed;
  }

  int32(): number {
    return Number(BigInt.asIntN(32, BigInt(this.varint())));
  }

  double(): number {
    return asBuffer(this.#take(8)).readDoubleLE(0);
  }

  bytes(): Uint8Array {
    return this.#take(Number(this.varint()));
  }

  /** Skips an unknown field. */
  skip(wire: number, depth = 0): void {
    if (wire === wireType.varint) this.varint();
    else if (wire === wireType.fixed64) this.#take(8);
    else if (wire === wireType.bytes) this.bytes();
    else if (wire === wireType.fixed32) this.#take(4);
    else if (wire === groupStart && depth < groupDepthMax) this.#skipGroup(depth);
    else throw new DecodeError(`proto: illegal wireType ${wire}`);
  }

  #skipGroup(depth: number): void {
    for (;;) {
      const wire = Number(this.varint()) % 8;
      if (wire === groupEnd) return;
      this.skip(wire, depth + 1);
    }
  }

  #next(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new DecodeError('unexpected EOF');
    this.#at += 1;
    return byte;
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw new DecodeError('unexpected EOF');
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return bytes;
  }
}
