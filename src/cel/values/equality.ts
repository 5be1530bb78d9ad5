import { type CelError, isError } from './cel-error.ts';
import { Comparable } from './comparable.ts';
import { isNumeric, numbersEqual } from './compare-numbers.ts';
import type { Result, Value } from './value.ts';

/** CEL's `==`: numbers compare by value across types, other values of different types are unequal. */
export function valuesEqual(left: Value, right: Value): boolean | CelError {
  if (left instanceof Comparable) return right === null ? false : left.equals(right);
  if (left === right) return true;
  return isNumeric(left) && isNumeric(right) && numbersEqual(left, right);
}

/**
 * The same for parts of values, which may be errors. As upstream, a scalar is unequal to an error.
 * Source: cel-go, common/types; kubernetes, apiserver/pkg/cel/common.
 */
export function resultsEqual(left: Result, right: Result): boolean | CelError {
  if (isError(left)) return left;
  if (!isError(right)) return valuesEqual(left, right);
  return left instanceof Comparable && left.tellsErrors ? right : false;
}
