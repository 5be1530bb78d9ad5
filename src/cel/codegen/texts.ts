import { stringFactor } from '../cost/constants.ts';
import { codePointLength } from '../values/text.ts';

/** Up to here a tenth of any text's length, rounded up, is 1, whether code points are counted or UTF-16 units. */
const unitsForOne = 1 / stringFactor;

/** What reading a text costs: a tenth of its length, rounded up; `more` counts as more of its length. */
export function scanCost(text: string, more = 0): number {
  const units = text.length + more;
  if (units <= unitsForOne) return units === 0 ? 0 : 1;
  return Math.ceil((codePointLength(text) + more) * stringFactor);
}

/** What comparing two texts costs: a tenth of the shorter one's length, rounded up. */
export function comparisonCost(left: string, right: string): number {
  const units = Math.min(left.length, right.length);
  if (units <= unitsForOne) return units === 0 ? 0 : 1;
  if (left === right) return scanCost(left);
  return Math.ceil(Math.min(codePointLength(left), codePointLength(right)) * stringFactor);
}
