import { limits } from '../meta/index.ts';

/** Fills buffers of the size that is sent at once, one after the other. */
export class PieceBuffer {
  /** Bytes that are still to come, at the most. */
  #leftBytes: number;
  #buffer: Buffer;
  #at = 0;

  constructor(byteLengthMax: number) {
    this.#leftBytes = byteLengthMax;
    this.#buffer = this.#next(0);
  }

  #next(bytes: number): Buffer {
    return Buffer.allocUnsafeSlow(Math.max(bytes, Math.min(this.#leftBytes, limits.sendPieceBytesMax)));
  }

  /** Reserves space; returns the full piece, if there is one. */
  reserve(bytes: number): Uint8Array | undefined {
    if (this.#at + bytes <= this.#buffer.length) return undefined;
    const full = this.take();
    this.#buffer = this.#next(bytes);
    this.#at = 0;
    return full;
  }

  /** Writes into the reserved space: `write` gets the buffer and the offset, and returns the offset after its bytes. */
  fill(write: (target: Buffer, at: number) => number): void {
    const start = this.#at;
    this.#at = write(this.#buffer, start);
    this.#leftBytes -= this.#at - start;
  }

  add(bytes: Uint8Array): void {
    this.fill((target, at) => {
      target.set(bytes, at);
      return at + bytes.length;
    });
  }

  /** The bytes since the last full piece. */
  take(): Uint8Array {
    return this.#buffer.subarray(0, this.#at);
  }
}
