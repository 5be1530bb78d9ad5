import { actualSize } from './actual-size.ts';
import { stringFactor } from './constants.ts';
import type { CallCost, CallToEstimate, CostNode } from './function-costs.ts';
import { fixed, scale } from './size.ts';

/** A constant cost. */
export function fixedCost(cost: number): CallCost {
  return { estimate: () => ({ cost: fixed(cost) }), actual: () => cost };
}

export const unitCost: CallCost = fixedCost(1);

/** The n-th operand; the target, if any, is the first. */
export function operandAt(call: CallToEstimate, place: number): CostNode | undefined {
  return call.target === undefined ? call.args[place] : place === 0 ? call.target : call.args[place - 1];
}

/** Reads its first operand `times` times; with `keepsSize`, the result is as large as the operand. */
export function scanCost(times: number, options: { readonly keepsSize?: boolean } = {}): CallCost {
  return {
    estimate(call) {
      const operand = operandAt(call, 0);
      if (operand === undefined) return undefined;
      const size = call.sizeOf(operand);
      return {
        cost: scale(size, times * stringFactor),
        resultSize: options.keepsSize === true ? size : undefined,
      };
    },
    actual: ({ args: [value = null] }) => Math.ceil(actualSize(value) * times * stringFactor),
  };
}

/** The value of an integer literal operand; a negative one counts as 0. */
export function literalSize(node: CostNode | undefined): bigint | undefined {
  if (node?.expr?.kind !== 'const') return undefined;
  const { value } = node.expr;
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  return value < 0 ? 0n : BigInt(value);
}
