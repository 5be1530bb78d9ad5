import type { Revision } from '../storage/index.ts';

/**
 * One stored object in the view. Never changed: a write makes a new entry, so whoever holds one holds the past.
 *
 * `memo` is the only field that moves. It belongs to the room above, which keeps there what it made from the bytes on
 * demand (parsed labels, the bytes of each served version); the view never looks at it and carries it over for as long
 * as the object stays the same.
 */
export class ViewEntry<M> {
  /** The storage key. */
  readonly key: string;
  /** The revision of the write that made this value. */
  readonly modRevision: Revision;
  /** The stored bytes, as the storage gave them. */
  readonly value: Uint8Array;
  memo: M | undefined;

  constructor(key: string, modRevision: Revision, value: Uint8Array) {
    this.key = key;
    this.modRevision = modRevision;
    this.value = value;
    this.memo = undefined;
  }
}
