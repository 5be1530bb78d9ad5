import type { Revision, StoredRecord } from '../../storage/index.ts';
import type { IndexedValues } from './indexed-values.ts';

/**
 * One stored object in the view. Immutable: a write makes a new entry, so a reference to an entry keeps its state.
 *
 * Only `memo` and `indexed` change. `memo` belongs to the layer above, which caches there what it derives from the
 * bytes on demand (the bytes of each served version); the view does not read it, and keeps it while the object does
 * not change. `indexed` holds the index values of the entry.
 */
export class ViewEntry<M> {
  /** The storage key. */
  readonly key: string;
  /** The revision of the write that stored this value. */
  readonly modRevision: Revision;
  /** The stored bytes, as read from the storage. */
  readonly value: Uint8Array;
  memo: M | undefined;
  indexed: IndexedValues | undefined;

  constructor(key: string, modRevision: Revision, value: Uint8Array) {
    this.key = key;
    this.modRevision = modRevision;
    this.value = value;
    this.memo = undefined;
    this.indexed = undefined;
  }
}

/** The entry of a stored record. */
export function entryOf<M>(record: StoredRecord): ViewEntry<M> {
  return new ViewEntry(record.key, record.modRevision, record.value);
}
