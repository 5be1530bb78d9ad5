import type { CelError } from './cel-error.ts';
import { maxWeight, requireAtMost } from './too-large.ts';
import type { Value } from './value.ts';

/** The interface of all value classes: equality. */
export abstract class Comparable {
  /** CEL's `==` for two values that are not both numbers. */
  abstract equals(other: Value): boolean | CelError;

  /** Whether a comparison with an unreadable value returns its error; otherwise they are unequal. */
  get tellsErrors(): boolean {
    return false;
  }

  /**
   * The number of values in a full traversal. `[a, a]` contains `a` once but takes twice as long to compare or print;
   * nested forty times, that is infeasible.
   */
  weight(): number {
    return 1;
  }
}

export function weightOf(value: Value): number {
  return value instanceof Comparable ? value.weight() : 1;
}

/** The weight of a list or map of these; throws ValueTooLarge above the limit. */
export function weightOfAll(values: Iterable<Value>): number {
  let weight = 1;
  for (const value of values) weight += weightOf(value);
  requireAtMost(weight, maxWeight);
  return weight;
}
