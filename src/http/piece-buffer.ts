import { limits } from '../meta/index.ts';

/** Fills consecutive buffers of the chunk size. */
export class PieceBuffer {
  /** The maximum number of bytes still to come. */
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

  /** Reserves space; returns the full chunk, if there is one. */
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

  /** The bytes since the last full chunk. */
  take(): Uint8Array {
    return this.#buffer.subarray(0, this.#at);
  }
}
