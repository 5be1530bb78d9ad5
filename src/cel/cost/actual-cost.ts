import type { Result } from '../values/value.ts';
import type { CostTable } from './function-costs.ts';
import { standardActualCosts } from './standard-costs.ts';

/** What the calls of one place cost. */
export interface ActualCost {
  /** The cost where it is always the same. */
  readonly fixed: number | undefined;
  /** Whether the call must be made before it can be paid for. */
  readonly dependsOnResult: boolean;
  of(args: readonly Result[], result: Result): number;
}

/**
 * How the calls of one place are paid for. The overload id is empty where the checker could not settle on one
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
