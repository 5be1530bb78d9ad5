import { CelError } from './cel-error.ts';
import { EntryMap, keyIdentity } from './map.ts';
import type { Value } from './value.ts';

/** The map that `transformMap` grows. Inserting shares the entries; it is never seen before the loop is over. */
export class GrowingMap extends EntryMap {
  readonly #grown: Map<unknown, readonly [Value, Value]>;

  constructor(entries = new Map<unknown, readonly [Value, Value]>()) {
    super(entries);
    this.#grown = entries;
  }

  /** The map with one more entry; a key that is there already is an error. */
  insert(key: Value, value: Value, shownKey: string): GrowingMap | CelError {
    const identity = keyIdentity(key);
    if (this.#grown.has(identity)) return new CelError(`insert failed: key ${shownKey} already exists`);
    this.addWeight(value);
    this.#grown.set(identity, [key, value]);
    return this;
  }
}
