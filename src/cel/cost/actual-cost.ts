import type { Result } from '../values/value.ts';
import type { CostTable } from './function-costs.ts';
import { standardActualCosts } from './standard-costs.ts';

/** What one call costs once it has been made. */
export type ActualCost = (args: readonly Result[], result: Result) => number;

/**
 * How the calls of one place are paid for; a plain number where every call costs the same. The overload id is empty
 * where the checker could not settle on one overload.
 */
export function actualCostOf(name: string, overloadId: string, table: CostTable): number | ActualCost {
  const byOverload = table.overloads.get(overloadId);
  const byName = table.functions.get(name);
  const standard = standardActualCosts.get(overloadId);
  if (byOverload === undefined && byName === undefined) return standard ?? 1;
  return (args, result) => {
    const call = { overloadId, args, result };
    return byOverload?.actual(call) ?? byName?.actual(call) ?? (standard === undefined ? 1 : standard(args));
  };
}
