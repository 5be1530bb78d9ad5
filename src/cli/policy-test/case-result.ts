import type { CheckResult } from '../validate/check-result.ts';
import type { PolicyCase } from './policy-case.ts';

/** What came of one case. */
export interface CaseResult {
  readonly one: PolicyCase;
  /** Why it failed; undefined where it passed. */
  readonly failure: string | undefined;
}

/** What came of all cases. */
export interface PolicyTestReport {
  readonly results: readonly CaseResult[];
  /** Policies, parameters, CRDs and old objects that a server does not take. */
  readonly troubles: readonly CheckResult[];
}

export function countsOf({ results, troubles }: PolicyTestReport) {
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  return { passed: results.length - failed, failed, errors: troubles.length };
}
