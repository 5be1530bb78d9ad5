import { stringFactor } from '../cost/constants.ts';
import { codePointLength } from '../values/text.ts';

/** Up to this length, a tenth of the length rounded up is 1, in code points and in UTF-16 units. */
const unitsForOne = 1 / stringFactor;

/** The cost of reading a string: a tenth of its length, rounded up; `more` is added to the length. */
export function scanCost(text: string, more = 0): number {
  const units = text.length + more;
  if (units <= unitsForOne) return units === 0 ? 0 : 1;
  return Math.ceil((codePointLength(text) + more) * stringFactor);
}

/** The cost of comparing two strings: a tenth of the shorter length, rounded up. */
export function comparisonCost(left: string, right: string): number {
  const units = Math.min(left.length, right.length);
  if (units <= unitsForOne) return units === 0 ? 0 : 1;
  if (left === right) return scanCost(left);
  return Math.ceil(Math.min(codePointLength(left), codePointLength(right)) * stringFactor);
}
