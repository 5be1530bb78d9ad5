import { CelError, isError } from './cel-error.ts';
import { Comparable, weightOfAll } from './comparable.ts';
import { resultsEqual, valuesEqual } from './equality.ts';
import { maxWeight, requireAtMost } from './too-large.ts';
import type { Result, Value } from './value.ts';

/** A list. Elements are read by index, so that lists over the caller's data convert only the elements read. */
export abstract class CelList extends Comparable {
  abstract readonly size: number;
  /** The element at a valid index; an error if the caller's data does not match its declaration. */
  abstract at(index: number): Result;

  override weight(): number {
    return 1 + this.size;
  }

  override get tellsErrors(): boolean {
    return true;
  }

  /** Whether both contain equal elements in the same order. Lists with other semantics override it. */
  equals(other: Value): boolean | CelError {
    if (!(other instanceof CelList) || other.size !== this.size) return false;
    for (let index = 0; index < this.size; index++) {
      const equal = resultsEqual(this.at(index), other.at(index));
      if (equal !== true) return equal;
    }
    return true;
  }

  /** Concatenation. Lists with other semantics override it. */
  concat(other: CelList): Result {
    if (this.size + other.size > largestCopied) return new ConcatenatedList(this, other);
    const elements = this.elements();
    if (isError(elements)) return elements;
    const others = other.elements();
    return isError(others) ? others : new ArrayList([...elements, ...others]);
  }

  /** Whether an element equals the value. */
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

/** Up to this length, concatenation copies. */
const largestCopied = 64;

/** A concatenation without copying: adding costs 1, whatever the length. */
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

  /** Iterates list by list, which is faster than by index. */
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

/** The ints from 0 up, computed on demand. */
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

/** A list created by an expression. */
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
 * The list that `map` and `filter` grow: appending shares the array, which only grows beyond the elements of shorter
 * lists, so that a comprehension takes linear time. Appending to a shorter list copies.
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
