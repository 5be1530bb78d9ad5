import { CelError } from './cel-error.ts';
import { CelMap, keyIdentity } from './map.ts';
import type { Result, Value } from './value.ts';

/** The map that `transformMap` grows. Inserting shares the entries; it is never seen before the loop is over. */
export class GrowingMap extends CelMap {
  readonly #entries: Map<unknown, readonly [Value, Value]>;

  constructor(entries = new Map<unknown, readonly [Value, Value]>()) {
    super();
    this.#entries = entries;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: Value): Result | undefined {
    return this.#entries.get(keyIdentity(key))?.[1];
  }

  keys(): readonly Value[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }

  /** The map with one more entry; a key that is there already is an error. */
  insert(key: Value, value: Value, shownKey: string): GrowingMap | CelError {
    const identity = keyIdentity(key);
    if (this.#entries.has(identity)) return new CelError(`insert failed: key ${shownKey} already exists`);
    this.#entries.set(identity, [key, value]);
    return this;
  }
}
