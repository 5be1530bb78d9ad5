import { stringFactor } from '../cost/constants.ts';
import type { CallCost, CostNode } from '../cost/function-costs.ts';
import { fixed, scale } from '../cost/size.ts';
import { sameType } from '../types/type.ts';
import { CelOpaque } from '../values/opaque.ts';
import type { Library } from './library.ts';

const unit = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver']);
const unitPrefix = 'kubernetes.authorization.';
/** The length of the longest format name, as upstream estimates it. */
const maxFormatSize = 64n;

/** `==` on Kubernetes' opaque types costs 1, whatever the size. */
const equalityCost: CallCost = {
  estimate({ args: [left, right] }) {
    if (left === undefined || right === undefined || !sameType(left.type, right.type)) return undefined;
    const { kind, name } = left.type;
    if (kind !== 'opaque' && kind !== 'struct') return undefined;
    if (unit.has(name) || name.startsWith(unitPrefix)) return { cost: fixed(1) };
    if (name === 'kubernetes.NamedFormat')
      return { cost: scale({ min: 1n, max: maxFormatSize }, stringFactor) };
    return name === 'kubernetes.URL'
      ? { cost: scale({ min: 1n, max: urlSize(right) }, stringFactor) }
      : undefined;
  },
  actual: ({ args: [left] }) => (left instanceof CelOpaque ? 1 : undefined),
};

/** Upstream only checks the right operand. */
function urlSize(right: CostNode): bigint {
  return right.size?.max ?? 1n;
}

/** The cost of comparing Kubernetes' opaque types. */
export function opaqueEquality(): Library {
  return { name: 'kubernetes.equality', costs: { functions: { '_==_': equalityCost } } };
}
