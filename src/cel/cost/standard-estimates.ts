import { regexFactor, stringFactor } from './constants.ts';
import type { CallEstimate, CallToEstimate, CostNode } from './function-costs.ts';
import { operandAt } from './builders.ts';
import { add, fixed, multiply, one, type Range, saturate, scale, smaller, unlimited } from './size.ts';

type Estimate = (call: CallToEstimate) => CallEstimate | undefined;

/** The operands' sizes, if all are known. */
function sized(estimate: (sizes: readonly Range[]) => CallEstimate, count: number): Estimate {
  return (call) => {
    const nodes: CostNode[] = [];
    for (let place = 0; place < count; place++) {
      const node = operandAt(call, place);
      if (node === undefined) return undefined;
      nodes.push(node);
    }
    return estimate(nodes.map((node) => call.sizeOf(node)));
  };
}

const none: Range = fixed(0n);

const scanFirst = (resultSize?: (size: Range) => Range): Estimate =>
  sized(([size = none]) => ({ cost: scale(size, stringFactor), resultSize: resultSize?.(size) }), 1);

const compare: Estimate = sized(([left = none, right = none]) => {
  const max = smaller(left.max, right.max);
  return { cost: scale({ min: max > 0n ? 1n : 0n, max }, stringFactor) };
}, 2);

const concat: Estimate = sized(([left = none, right = none]) => {
  const size = add(left, right);
  return { cost: scale(size, stringFactor), resultSize: size };
}, 2);

const match: Estimate = sized(
  ([text = none, pattern = none]) => ({
    cost: multiply(scale(add(text, one), stringFactor), scale(pattern, regexFactor)),
  }),
  2,
);

const times = (value: bigint, factor: bigint): bigint =>
  value === unlimited ? BigInt.asUintN(64, value * factor) : saturate(value * factor);

/** cel-go's estimates for standard functions, by overload; the default is 1. */
export const standardEstimates: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['string_format', scanFirst()],
  ['string_to_bytes', scanFirst(({ min, max }) => ({ min, max: times(max, 4n) }))],
  ['bytes_to_string', scanFirst(({ min, max }) => ({ min: min / 4n, max }))],
  ['strings_quote', scanFirst(({ min, max }) => ({ min: min + 2n, max: BigInt.asUintN(64, max * 2n + 2n) }))],
  ['starts_with_string', ({ args: [part], sizeOf }) => part && { cost: scale(sizeOf(part), stringFactor) }],
  ['ends_with_string', ({ args: [part], sizeOf }) => part && { cost: scale(sizeOf(part), stringFactor) }],
  ['in_list', ({ args: [, list], sizeOf }) => list && { cost: scale(sizeOf(list), 1) }],
  ['matches', match],
  ['matches_string', match],
  [
    'contains_string',
    sized(
      ([text = none, part = none]) => ({
        cost: multiply(scale(text, stringFactor), scale(part, stringFactor)),
      }),
      2,
    ),
  ],
  ['add_string', concat],
  ['add_bytes', concat],
  ['add_list', sized(([left = none, right = none]) => ({ cost: one, resultSize: add(left, right) }), 2)],
  ['equals', compare],
  ['not_equals', compare],
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((order): [string, Estimate][] => [
    [`${order}_string`, compare],
    [`${order}_bytes`, compare],
  ]),
]);
