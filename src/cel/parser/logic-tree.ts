import type { Expr } from '../ast/expression.ts';
import type { NodeFactory } from './node-factory.ts';

/**
 * Builds a balanced tree of `&&` or `||`, so that long chains do not nest deeply:
 * `a && b && c && d` is `(a && b) && (c && d)`.
 */
export function balancedLogic(
  factory: NodeFactory,
  name: '_&&_' | '_||_',
  terms: readonly Expr[],
  ids: readonly number[],
): Expr {
  const [only] = terms;
  if (ids.length === 0 && only !== undefined) return only;
  const at = <T>(items: readonly T[], index: number): T => {
    const item = items[index];
    if (item === undefined) throw new RangeError('a chain has one operator less than terms');
    return item;
  };
  const tree = (low: number, high: number): Expr => {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? at(terms, middle) : tree(low, middle - 1);
    const right = middle === high ? at(terms, middle + 1) : tree(middle + 1, high);
    return factory.call(at(ids, middle), name, [left, right]);
  };
  return tree(0, ids.length - 1);
}
