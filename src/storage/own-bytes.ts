/**
 * The bytes in a buffer of exactly their size. A small `Buffer` is a view of an 8 KiB pool and retains the whole pool;
 * a value with a buffer of its own is returned unchanged.
 */
export function ownBytes(value: Uint8Array): Uint8Array {
  return value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value);
}
