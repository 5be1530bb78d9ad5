import { CelBytes, compareBytes } from './bytes.ts';
import { CelError, noSuchOverload } from './cel-error.ts';
import { compareNumbers, isNumeric } from './compare-numbers.ts';
import { CelDuration } from './duration.ts';
import { compareStrings } from './text.ts';
import { CelTimestamp } from './timestamp.ts';
import type { Value } from './value.ts';

const notANumber = new CelError('NaN values cannot be ordered');

/** Compares two ordered values: numbers of any types, or two values of the same type. */
export function compareValues(left: Value, right: Value): -1 | 0 | 1 | CelError {
  if (isNumeric(left)) return isNumeric(right) ? (compareNumbers(left, right) ?? notANumber) : noSuchOverload;
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return left === right ? 0 : left ? 1 : -1;
  if (left instanceof CelTimestamp && right instanceof CelTimestamp) return left.compare(right);
  if (left instanceof CelDuration && right instanceof CelDuration) {
    return left.nanos < right.nanos ? -1 : left.nanos > right.nanos ? 1 : 0;
  }
  if (left instanceof CelBytes && right instanceof CelBytes) return compareBytes(left.bytes, right.bytes);
  return noSuchOverload;
}
