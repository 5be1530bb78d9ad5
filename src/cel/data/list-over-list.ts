import { CelList } from '../values/list.ts';
import type { Result } from '../values/value.ts';

/** A list that wraps another one with different semantics. */
export abstract class ListOverList extends CelList {
  readonly #list: CelList;

  constructor(list: CelList) {
    super();
    this.#list = list;
  }

  override weight(): number {
    return this.#list.weight();
  }

  get size(): number {
    return this.#list.size;
  }

  at(index: number): Result {
    return this.#list.at(index);
  }
}
