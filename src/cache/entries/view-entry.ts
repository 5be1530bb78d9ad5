import type { Revision, StoredRecord } from '../../storage/index.ts';
import type { IndexedValues } from './indexed-values.ts';

/**
 * One stored object in the view. Never changed: a write makes a new entry, so whoever holds one holds the past.
 *
 * Only `memo` and `indexed` move. `memo` belongs to the layer above, which keeps there what it made from the bytes on
 * demand (the bytes of each served version); the view never looks at it and carries it over for as long
 * as the object stays the same. `indexed` is what indexes know of the entry.
 */
export class ViewEntry<M> {
  /** The storage key. */
  readonly key: string;
  /** The revision of the write that made this value. */
  readonly modRevision: Revision;
  /** The stored bytes, as the storage gave them. */
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
