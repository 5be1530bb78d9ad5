import type { FeatureGates, FieldError, JsonObject, KubeObject, SelectorOptions } from '../../meta/index.ts';
import type { CheckDefaultRules, CheckRules, CheckRuleTotals, SurveyOf } from '../../schema/index.ts';
import type { HoistedSpec } from './hoisted-spec.ts';

/** How to check the `x-kubernetes-validations` rules of one schema. */
interface RuleChecks {
  readonly checkRules?: CheckRules;
  readonly checkRuleTotals?: CheckRuleTotals;
  readonly checkDefaultRules?: CheckDefaultRules;
}

/** What the rule check depends on besides the schema. */
export interface RuleContext {
  /** False for the stored schema: its rule costs are not checked again. */
  readonly costLimited: boolean;
  /** Expressions anywhere in the stored CRD; they may use functions that new expressions may not use yet. */
  readonly storedExpressions: { readonly rules: ReadonlySet<string>; readonly messages: ReadonlySet<string> };
}

/** Makes the checks for one schema; if absent, only the fields around the expressions are checked. */
export type RuleChecksFor = (context: RuleContext) => RuleChecks;

/** A CRD under validation. */
export interface CrdCheck {
  readonly crd: KubeObject;
  readonly spec: HoistedSpec;
  /** The stored CRD, on update: its errors are tolerated. */
  readonly old: KubeObject | undefined;
  readonly oldSpec: HoistedSpec | undefined;
  readonly gates: FeatureGates;
  readonly selectors: SelectorOptions;
  /** The stored schemas that would be refused today; only these excuse errors. */
  readonly unsoundOldSchemas: readonly JsonObject[];
  readonly storedExpressions: RuleContext['storedExpressions'];
  readonly ruleChecksFor: RuleChecksFor;
  /** Surveys each schema once, for all rules that need it. */
  readonly surveyOf: SurveyOf;
}

/** Returns the errors of one rule, in upstream's order. */
export type CrdRule = (check: CrdCheck) => FieldError[];
