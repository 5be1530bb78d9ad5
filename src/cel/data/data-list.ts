import { CelError } from '../values/cel-error.ts';
import { CelList } from '../values/list.ts';
import type { Result } from '../values/value.ts';

/** An array of the caller's, read in place. */
export class DataList extends CelList {
  readonly #items: readonly unknown[];
  readonly #read: (raw: unknown) => Result;

  constructor(items: readonly unknown[], read: (raw: unknown) => Result) {
    super();
    this.#items = items;
    this.#read = read;
  }

  get size(): number {
    return this.#items.length;
  }

  at(index: number): Result {
    const raw = this.#items[index];
    return raw === undefined ? new CelError(`index out of bounds: ${index}`) : this.#read(raw);
  }
}
