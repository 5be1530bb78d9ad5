import { CelError } from './cel-error.ts';
import { EntryMap, keyIdentity } from './map.ts';
import type { Value } from './value.ts';

/** The map that `transformMap` grows. Insertions share the entries; it is not visible before the loop ends. */
export class GrowingMap extends EntryMap {
  readonly #grown: Map<unknown, readonly [Value, Value]>;

  constructor(entries = new Map<unknown, readonly [Value, Value]>()) {
    super(entries);
    this.#grown = entries;
  }

  /** Adds an entry; a duplicate key is an error. */
  insert(key: Value, value: Value, shownKey: string): GrowingMap | CelError {
    const identity = keyIdentity(key);
    if (this.#grown.has(identity)) return new CelError(`insert failed: key ${shownKey} already exists`);
    this.addWeight(value);
    this.#grown.set(identity, [key, value]);
    return this;
  }
}
