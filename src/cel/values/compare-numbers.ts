import { CelDouble } from './double.ts';
import { isInt } from './int.ts';
import { CelUint } from './uint.ts';
import type { CelInt } from './value.ts';

/** A value of one of the three number types. */
type Numeric = CelInt | CelDouble | CelUint;

export function isNumeric(value: unknown): value is Numeric {
  return isInt(value) || value instanceof CelDouble || value instanceof CelUint;
}

/** Compares two numbers of any types; undefined if one is NaN. */
export function compareNumbers(left: Numeric, right: Numeric): -1 | 0 | 1 | undefined {
  const a = left instanceof CelDouble || left instanceof CelUint ? left.value : left;
  const b = right instanceof CelDouble || right instanceof CelUint ? right.value : right;
  if (Number.isNaN(a) || Number.isNaN(b)) return undefined;
  if (a === b) return 0;
  if (left instanceof CelDouble !== right instanceof CelDouble) return compareWithDouble(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * cel-go compares an integer and a double as doubles, so 2^53 + 1 equals 2^53 as a double; only doubles beyond the
 * integer range are decided before.
 */
function compareWithDouble(a: number | bigint, b: number | bigint): -1 | 0 | 1 {
  const x = Number(a);
  const y = Number(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

export function numbersEqual(left: Numeric, right: Numeric): boolean {
  return compareNumbers(left, right) === 0;
}
