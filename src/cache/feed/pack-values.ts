import type { StoredRecord } from '../../storage/index.ts';

/** Large enough to be allocated and freed as a whole, small enough that a few surviving values waste little. */
const slabBytes = 512 * 1024;
/** Values from this size are not packed. */
const packedBytesMax = 8 * 1024;

/**
 * Copies the values of records into slabs. A separate buffer costs each small value about 200 bytes of overhead: for
 * a hundred thousand objects, a fifth of the process.
 */
export function packValues(records: readonly StoredRecord[]): StoredRecord[] {
  let slab = new Uint8Array(0);
  let used = 0;
  return records.map((record) => {
    const { key, modRevision, value } = record;
    if (value.length > packedBytesMax) return record;
    if (used + value.length > slab.length) {
      slab = new Uint8Array(slabBytes);
      used = 0;
    }
    const packed = slab.subarray(used, used + value.length);
    packed.set(value);
    used += value.length;
    return { key, modRevision, value: packed };
  });
}
