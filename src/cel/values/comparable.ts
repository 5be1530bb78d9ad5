import type { CelError } from './cel-error.ts';
import { maxWeight, requireAtMost } from './too-large.ts';
import type { Value } from './value.ts';

/** What every value that JavaScript does not know by itself has in common: it can say whether it equals another. */
export abstract class Comparable {
  /** CEL's `==` for two values that are not both numbers. */
  abstract equals(other: Value): boolean | CelError;

  /** Whether a comparison with a value that cannot be read gives the error; else the two are just not equal. */
  get tellsErrors(): boolean {
    return false;
  }

  /**
   * How many values there are to look at where all of it is looked at. `[a, a]` holds `a` once and takes twice as long
   * to compare or to print; forty times over, that is more than can be done.
   */
  weight(): number {
    return 1;
  }
}

export function weightOf(value: Value): number {
  return value instanceof Comparable ? value.weight() : 1;
}

/** The weight of a list or map of these; throws ValueTooLarge where that is too much. */
export function weightOfAll(values: Iterable<Value>): number {
  let weight = 1;
  for (const value of values) weight += weightOf(value);
  requireAtMost(weight, maxWeight);
  return weight;
}
