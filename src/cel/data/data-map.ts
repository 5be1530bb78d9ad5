import { CelError } from '../values/cel-error.ts';
import { CelMap } from '../values/map.ts';
import type { Result, Value } from '../values/value.ts';
import type { DataWeights } from './data-weight.ts';
import { own } from './own.ts';

/** A caller's object as a map, read in place. Only own properties count. */
export class DataMap extends CelMap {
  readonly #object: object;
  readonly #read: (raw: unknown) => Result;
  readonly #weights: DataWeights;

  constructor(object: object, read: (raw: unknown) => Result, weights: DataWeights) {
    super();
    this.#object = object;
    this.#read = read;
    this.#weights = weights;
  }

  override weight(): number {
    return this.#weights.of(this.#object);
  }

  get size(): number {
    return Object.keys(this.#object).length;
  }

  find(key: Value): Result | undefined {
    if (typeof key !== 'string') return new CelError('no such overload');
    const raw = own(this.#object, key);
    return raw === undefined ? undefined : this.#read(raw);
  }

  keys(): readonly Value[] {
    return Object.keys(this.#object);
  }
}
