/**
 * The bytes in a buffer of exactly their size. A small `Buffer` is a window of a pool of 8 KiB, and whoever keeps the
 * window keeps the pool; a value that has its own buffer already is returned as it is.
 */
export function ownBytes(value: Uint8Array): Uint8Array {
  return value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value);
}
