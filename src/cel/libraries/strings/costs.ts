import { actualSize } from '../../cost/actual-size.ts';
import { stringFactor } from '../../cost/constants.ts';
import type { CallCost } from '../../cost/function-costs.ts';
import { add, multiply, type Range, scale, unlimited } from '../../cost/size.ts';

const twice = 2 * stringFactor;
const actualTwice: CallCost['actual'] = ({ args: [text = null] }) =>
  Math.ceil(actualSize(text) * 2 * stringFactor);

/** Reads and writes the text; the maximum result size depends on the replaced and the new string. */
export const replaceCost: CallCost = {
  estimate({ target, args: [old, by], sizeOf }) {
    if (target === undefined || old === undefined || by === undefined) return undefined;
    const size = sizeOf(target);
    return { cost: scale(size, twice), resultSize: replacedSize(size, sizeOf(old), sizeOf(by)) };
  },
  actual: actualTwice,
};

function replacedSize(size: Range, old: Range, by: Range): Range {
  let [minCount, maxCount, minKept, maxKept] = [0n, 0n, 0n, 0n];
  if (old.min === 0n) {
    maxCount = size.max < unlimited ? size.max + 1n : size.max;
    maxKept = size.max;
  } else if (by.max <= old.min) maxKept = size.max;
  else maxCount = quotient(size.max, old.min);
  if (old.max === 0n) {
    minCount = size.min < unlimited ? size.min + 1n : size.min;
    minKept = size.min;
  } else if (old.max <= by.min) minKept = size.min;
  else minCount = quotient(size.min, old.max);
  return add(multiply({ min: minCount, max: maxCount }, by), { min: minKept, max: maxKept });
}

/** Rounded up, in doubles like upstream. */
function quotient(left: bigint, right: bigint): bigint {
  const value = Math.ceil(Number(left) / Number(right));
  return value >= 2 ** 64 ? unlimited : BigInt(value);
}

/** Reads and writes the text; a literal limit bounds the number of parts. */
export const splitCost: CallCost = {
  estimate({ target, args, sizeOf }) {
    if (target === undefined) return undefined;
    const size = sizeOf(target);
    const limit = args[1]?.expr;
    const isLiteral =
      limit?.kind === 'const' && (typeof limit.value === 'number' || typeof limit.value === 'bigint');
    const max = isLiteral ? BigInt.asUintN(64, BigInt(limit.value)) : size.max;
    return { cost: scale(size, twice), resultSize: { min: 0n, max } };
  },
  actual: actualTwice,
};

/** Writes all elements and separators. Estimated once, charged twice: as upstream. */
export const joinCost: CallCost = {
  estimate({ target, args: [separator], sizeOf, elementsOf }) {
    if (target === undefined) return undefined;
    const count = sizeOf(target);
    const elements = elementsOf(target);
    let size: Range = elements === undefined ? { min: 0n, max: 0n } : multiply(count, sizeOf(elements));
    if (separator !== undefined) {
      const gaps = { min: count.min > 0n ? count.min - 1n : 0n, max: count.max > 0n ? count.max - 1n : 0n };
      size = add(size, multiply(sizeOf(separator), gaps));
    }
    return { cost: scale(size, stringFactor), resultSize: size };
  },
  actual: ({ result }) => Math.ceil(actualSize(result) * 2 * stringFactor),
  dependsOnResult: true,
};
