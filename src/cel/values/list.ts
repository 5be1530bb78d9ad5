import { CelError, isError } from './cel-error.ts';
import { Comparable, weightOfAll } from './comparable.ts';
import { resultsEqual, valuesEqual } from './equality.ts';
import { maxWeight, requireAtMost } from './too-large.ts';
import type { Result, Value } from './value.ts';

/** A list. Elements are read by index, so that lists over the caller's data convert only what is looked at. */
export abstract class CelList extends Comparable {
  abstract readonly size: number;
  /** The element at an index within bounds; an error where the caller's data is not what its declaration says. */
  abstract at(index: number): Result;

  override weight(): number {
    return 1 + this.size;
  }

  override get tellsErrors(): boolean {
    return true;
  }

  /** Whether both hold equal elements in the same order. Lists with other semantics override it. */
  equals(other: Value): boolean | CelError {
    if (!(other instanceof CelList) || other.size !== this.size) return false;
    for (let index = 0; index < this.size; index++) {
      const equal = resultsEqual(this.at(index), other.at(index));
      if (equal !== true) return equal;
    }
    return true;
  }

  /** The elements of both, one after the other. Lists with other semantics override it. */
  concat(other: CelList): Result {
    if (this.size + other.size > largestCopied) return new ConcatenatedList(this, other);
    const elements = this.elements();
    if (isError(elements)) return elements;
    const others = other.elements();
    return isError(others) ? others : new ArrayList([...elements, ...others]);
  }

  /** Whether some element equals the value. */
  contains(value: Value): boolean | CelError {
    let failure: CelError | undefined;
    for (let index = 0; index < this.size; index++) {
      const element = this.at(index);
      const equal = isError(element) ? element : valuesEqual(element, value);
      if (equal === true) return true;
      if (isError(equal)) failure ??= equal;
    }
    return failure ?? false;
  }

  /** All elements, or the first error. */
  elements(): Value[] | CelError {
    requireAtMost(this.size, maxWeight);
    const values: Value[] = [];
    for (let index = 0; index < this.size; index++) {
      const value = this.at(index);
      if (isError(value)) return value;
      values.push(value);
    }
    return values;
  }
}

/** Up to here two lists are put together by copying them. */
const largestCopied = 64;

/** Two lists one after the other, neither of them copied: adding costs 1 however long they are. */
class ConcatenatedList extends CelList {
  readonly size: number;
  readonly #weight: number;
  readonly #left: CelList;
  readonly #right: CelList;

  constructor(left: CelList, right: CelList) {
    super();
    this.size = left.size + right.size;
    this.#weight = left.weight() + right.weight();
    requireAtMost(this.#weight, maxWeight);
    this.#left = left;
    this.#right = right;
  }

  override weight(): number {
    return this.#weight;
  }

  at(index: number): Result {
    let list: CelList = this;
    let place = index;
    while (list instanceof ConcatenatedList) {
      const inLeft = place < list.#left.size;
      if (!inLeft) place -= list.#left.size;
      list = inLeft ? list.#left : list.#right;
    }
    return list.at(place);
  }

  /** List by list, which takes less time than index by index. */
  override elements(): Value[] | CelError {
    const values: Value[] = [];
    const rest: CelList[] = [this];
    for (let list = rest.pop(); list !== undefined; list = rest.pop()) {
      if (list instanceof ConcatenatedList) {
        rest.push(list.#right, list.#left);
        continue;
      }
      const elements = list.elements();
      if (isError(elements)) return elements;
      for (const element of elements) values.push(element);
    }
    return values;
  }
}

/** The ints from 0 up, none of them stored. */
export class RangeList extends CelList {
  readonly size: number;

  constructor(size: number) {
    super();
    this.size = size;
  }

  at(index: number): Result {
    return index;
  }
}

/** A list that an expression made. */
export class ArrayList extends CelList {
  readonly values: readonly Value[];
  readonly #weight: number;

  constructor(values: readonly Value[]) {
    super();
    this.values = values;
    this.#weight = weightOfAll(values);
  }

  override weight(): number {
    return this.#weight;
  }

  get size(): number {
    return this.values.length;
  }

  at(index: number): Result {
    const value = this.values[index];
    return value === undefined ? new CelError(`index out of bounds: ${index}`) : value;
  }
}

/**
 * The list that `map` and `filter` grow: appending shares the array, which only ever grows behind the elements that
 * shorter lists know, so a comprehension takes linear time. A list that is not the longest is copied.
 */
export class GrowingList extends CelList {
  readonly #values: Value[];
  readonly size: number;
  readonly #weight: number;

  constructor(values: Value[] = [], weight = 1) {
    super();
    this.#values = values;
    this.size = values.length;
    this.#weight = weight;
    requireAtMost(weight, maxWeight);
  }

  override weight(): number {
    return this.#weight;
  }

  at(index: number): Result {
    const value = index < this.size ? this.#values[index] : undefined;
    return value === undefined ? new CelError(`index out of bounds: ${index}`) : value;
  }

  override concat(other: CelList): Result {
    const others = other.elements();
    if (isError(others)) return others;
    const values = this.#values.length === this.size ? this.#values : this.#values.slice(0, this.size);
    for (const value of others) values.push(value);
    return new GrowingList(values, this.#weight + weightOfAll(others) - 1);
  }
}

export const emptyList = new ArrayList([]);
