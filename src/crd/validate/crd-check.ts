import type { FeatureGates, FieldError, JsonObject, KubeObject, SelectorOptions } from '../../meta/index.ts';
import type { CheckDefaultRules, CheckRules, CheckRuleTotals, SurveyOf } from '../../schema/index.ts';
import type { HoistedSpec } from './hoisted-spec.ts';

/** How the rules of `x-kubernetes-validations` in one schema are checked. */
interface RuleChecks {
  readonly checkRules?: CheckRules;
  readonly checkRuleTotals?: CheckRuleTotals;
  readonly checkDefaultRules?: CheckDefaultRules;
}

/** What the check of rules depends on besides the schema. */
export interface RuleContext {
  /** False where the schema is the stored one: what each rule may cost is not looked at again. */
  readonly costLimited: boolean;
  /** Expressions that the stored CRD has anywhere: they may use what new ones may not use yet. */
  readonly storedExpressions: { readonly rules: ReadonlySet<string>; readonly messages: ReadonlySet<string> };
}

/** Makes the checks for one schema; without it, only what surrounds the expressions is checked. */
export type RuleChecksFor = (context: RuleContext) => RuleChecks;

/** A CRD under validation. */
export interface CrdCheck {
  readonly crd: KubeObject;
  readonly spec: HoistedSpec;
  /** The stored CRD, on update: what is wrong with it already may stay so. */
  readonly old: KubeObject | undefined;
  readonly oldSpec: HoistedSpec | undefined;
  readonly gates: FeatureGates;
  readonly selectors: SelectorOptions;
  /** The stored schemas that would not be accepted today; the others excuse nothing. */
  readonly unsoundOldSchemas: readonly JsonObject[];
  readonly storedExpressions: RuleContext['storedExpressions'];
  readonly ruleChecksFor: RuleChecksFor;
  /** Surveys each schema once, although several rules want to know of it. */
  readonly surveyOf: SurveyOf;
}

/** Finds the mistakes of one kind, in upstream's order. */
export type CrdRule = (check: CrdCheck) => FieldError[];
