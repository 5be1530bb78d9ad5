import { Comparable } from './comparable.ts';
import type { Value } from './value.ts';

/** An immutable sequence of bytes. */
export class CelBytes extends Comparable {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }

  equals(other: Value): boolean {
    return other instanceof CelBytes && compareBytes(this.bytes, other.bytes) === 0;
  }
}

/** Byte by byte, the shorter first: Go's bytes.Compare. */
export function compareBytes(left: Uint8Array, right: Uint8Array): -1 | 0 | 1 {
  const order = Buffer.compare(left, right);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}
