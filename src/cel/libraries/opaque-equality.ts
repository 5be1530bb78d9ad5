import { stringFactor } from '../cost/constants.ts';
import type { CallCost, CostNode } from '../cost/function-costs.ts';
import { fixed, scale } from '../cost/size.ts';
import { sameType } from '../types/type.ts';
import { CelOpaque } from '../values/opaque.ts';
import type { Library } from './library.ts';

const unit = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver']);
const unitPrefix = 'kubernetes.authorization.';
/** The longest name of a format, as upstream estimates it. */
const maxFormatSize = 64n;

/** `==` on a value of Kubernetes' own types costs 1, whatever its size. */
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

/** Upstream looks at the right operand alone. */
function urlSize(right: CostNode): bigint {
  return right.size?.max ?? 1n;
}

/** What it costs to compare values of Kubernetes' own types. */
export function opaqueEquality(): Library {
  return { name: 'kubernetes.equality', costs: { functions: { '_==_': equalityCost } } };
}
