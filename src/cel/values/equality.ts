import type { CelError } from './cel-error.ts';
import { Comparable } from './comparable.ts';
import { isNumeric, numbersEqual } from './compare-numbers.ts';
import type { Value } from './value.ts';

/** CEL's `==`: numbers by value whatever their type, anything else of different types is unequal. */
export function valuesEqual(left: Value, right: Value): boolean | CelError {
  if (left instanceof Comparable) return right === null ? false : left.equals(right);
  if (left === right) return true;
  return isNumeric(left) && isNumeric(right) && numbersEqual(left, right);
}
