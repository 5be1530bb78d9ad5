import { CelError } from '../values/cel-error.ts';
import { CelList } from '../values/list.ts';
import type { Result } from '../values/value.ts';
import type { DataWeights } from './data-weight.ts';

/** An array of the caller, read in place. */
export class DataList extends CelList {
  readonly #items: readonly unknown[];
  readonly #read: (raw: unknown) => Result;
  readonly #weights: DataWeights;

  constructor(items: readonly unknown[], read: (raw: unknown) => Result, weights: DataWeights) {
    super();
    this.#items = items;
    this.#read = read;
    this.#weights = weights;
  }

  override weight(): number {
    return this.#weights.of(this.#items);
  }

  get size(): number {
    return this.#items.length;
  }

  at(index: number): Result {
    const raw = this.#items[index];
    return raw === undefined ? new CelError(`index out of bounds: ${index}`) : this.#read(raw);
  }
}
