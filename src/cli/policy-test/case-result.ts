import type { CheckResult } from '../../offline/index.ts';
import type { PolicyCase } from './policy-case.ts';

/** The result of one case. */
export interface CaseResult {
  readonly one: PolicyCase;
  /** The reason of the failure; undefined if the case passed. */
  readonly failure: string | undefined;
}

/** The results of all cases. */
export interface PolicyTestReport {
  readonly results: readonly CaseResult[];
  /** Policies, parameters, CRDs and old objects that the server refused. */
  readonly troubles: readonly CheckResult[];
}

export function countsOf({ results, troubles }: PolicyTestReport) {
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  return { passed: results.length - failed, failed, errors: troubles.length };
}
