import type { Result } from '../values/value.ts';
import type { CostTable } from './function-costs.ts';
import { standardActualCosts } from './standard-costs.ts';

/** The cost of the calls at one call site. */
export interface ActualCost {
  /** The cost, if it is constant. */
  readonly fixed: number | undefined;
  /** Whether the call must run before its cost is known. */
  readonly dependsOnResult: boolean;
  of(args: readonly Result[], result: Result): number;
}

/**
 * Selects the cost of a call site. The overload id is empty if the checker found several.
 * overload.
 */
export function actualCostOf(name: string, overloadId: string, table: CostTable): ActualCost {
  const byOverload = table.overloads.get(overloadId);
  const byName = table.functions.get(name);
  const standard = standardActualCosts.get(overloadId);
  const ofStandard = (args: readonly Result[]): number => (standard === undefined ? 1 : standard(args));
  if (byOverload === undefined && byName === undefined)
    return { fixed: standard === undefined ? 1 : undefined, dependsOnResult: false, of: ofStandard };
  return {
    fixed: undefined,
    dependsOnResult: byOverload?.dependsOnResult === true || byName?.dependsOnResult === true,
    of(args, result) {
      const call = { overloadId, args, result };
      return byOverload?.actual(call) ?? byName?.actual(call) ?? ofStandard(args);
    },
  };
}
