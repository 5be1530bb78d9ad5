import {
  type FeatureGates,
  type FieldError,
  type FieldPath,
  goJson,
  invalid,
  type JsonObject,
} from '../../meta/index.ts';
import { schemasOf } from '../check/schema-document.ts';
import type { CheckDefaultRules, CheckRules, CheckRuleTotals, SchemaSite } from '../check/schema-site.ts';
import {
  type CompiledRule,
  compileRule,
  type EnvironmentFor,
  type RuleExpression,
  ruleText,
  RuleVariables,
} from './compile-rule.ts';
import { objectCostLimit, storedRuleParts } from './compile-rules.ts';
import { Ratchet } from './ratchet.ts';
import { cardinality, expressionCostProblem, saturatingProduct, SchemaCost } from './rule-cost.ts';
import type { RuleEnvironments } from './rule-environments.ts';
import { RuleNode } from './rule-node.ts';
import { RuleRun } from './rule-run.ts';
import { placeOf, rootPlace } from './rule-type.ts';
import { SiteTypes } from './site-types.ts';
import { maxOccurrences } from './size-limits.ts';

/** The options of checking a schema's rules. */
export interface RuleCheckContext {
  /** False for a stored schema: the cost of single rules is not checked again. */
  readonly costLimited: boolean;
  /** Stored expressions, which may use features that new ones may not use yet. */
  readonly storedExpressions: { readonly rules: ReadonlySet<string>; readonly messages: ReadonlySet<string> };
  /** Called with the estimated cost of each expression, times the number of evaluations. */
  readonly onCost?: (path: FieldPath, cost: bigint) => void;
}

/** The rule checks of one schema. */
export interface RuleChecks {
  readonly checkRules: CheckRules;
  readonly checkRuleTotals: CheckRuleTotals;
  readonly checkDefaultRules: CheckDefaultRules;
}

/** Creates the checks of several schemas; each has its own total cost. */
export function ruleChecks(
  environments: RuleEnvironments,
  gates: FeatureGates,
): (context: RuleCheckContext) => RuleChecks {
  return (context) => {
    const check = new RuleCheck(environments, gates, context);
    return {
      checkRules: (site) => check.site(site),
      checkRuleTotals: (path) => check.totals(path),
      checkDefaultRules: defaultRuleCheck(environments),
    };
  };
}

/** Source: ValidateCustomResourceDefinitionOpenAPISchema of k8s.io/apiextensions-apiserver. */
class RuleCheck {
  readonly #types: SiteTypes;
  readonly #costLimited: boolean;
  readonly #onCost: RuleCheckContext['onCost'];
  readonly #environments: EnvironmentFor;
  readonly #cost = new SchemaCost();

  constructor(environments: RuleEnvironments, gates: FeatureGates, context: RuleCheckContext) {
    const { rules, messages } = context.storedExpressions;
    const choose = (isStored: boolean) => (isStored ? environments.forStored : environments.forNew);
    this.#types = new SiteTypes(gates);
    this.#costLimited = context.costLimited;
    this.#onCost = context.onCost;
    this.#environments = {
      rule: (expression) => choose(rules.has(expression)),
      message: (expression) => choose(messages.has(expression)),
    };
  }

  totals(path: FieldPath): FieldError[] {
    return this.#cost.errors(path);
  }

  site(site: SchemaSite): FieldError[] {
    const type = this.#types.of(site);
    const path = site.path.child('x-kubernetes-validations');
    if (type === undefined) return [noTypeError(path)];
    const variables = new RuleVariables(type.declared);
    const occurrences = cardinality(site) ?? maxOccurrences(type.bytesMin);
    return schemasOf(site.schema, 'x-kubernetes-validations').flatMap((rule, index) => {
      const compiled = compileRule(rule, variables, this.#environments);
      const at = path.index(index);
      return [
        ...this.#costErrors(compiled.expression, at.child('rule'), { name: 'rule', occurrences }),
        ...compileErrors(compiled.error, rule, at.child('rule')),
        ...compileErrors(compiled.messageError, rule, at.child('messageExpression')),
        ...this.#costErrors(compiled.message, at.child('messageExpression'), {
          name: 'messageExpression',
          // A message is evaluated once per error, which the estimate does not include.
          occurrences: 1n,
        }),
        ...oldSelfErrors(compiled, at, site.uncorrelatable),
      ];
    });
  }

  #costErrors(
    expression: RuleExpression | undefined,
    at: FieldPath,
    { name, occurrences }: { readonly name: string; readonly occurrences: bigint },
  ): FieldError[] {
    if (expression === undefined) return [];
    const cost = saturatingProduct(expression.costMax(), occurrences);
    this.#cost.add(at, cost);
    this.#onCost?.(at, cost);
    const problem = this.#costLimited ? expressionCostProblem(`estimated ${name} cost`, cost) : undefined;
    return problem === undefined
      ? []
      : [{ type: 'FieldValueForbidden', field: at.toString(), detail: problem }];
  }
}

function noTypeError(path: FieldPath): FieldError {
  const detail =
    'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
  return { type: 'InternalError', field: path.toString(), detail };
}

function compileErrors(problem: string | undefined, rule: JsonObject, at: FieldPath): FieldError[] {
  return problem === undefined ? [] : [{ ...invalid(at, rule, problem), valueText: structText(rule) }];
}

/** A rule as Go prints its struct. */
function structText(rule: JsonObject): string {
  const fields = [
    ['Rule', ruleText(rule, 'rule')],
    ['Message', ruleText(rule, 'message')],
    ['MessageExpression', ruleText(rule, 'messageExpression')],
    ['Reason', rule['reason'] ?? null],
    ['FieldPath', ruleText(rule, 'fieldPath')],
    ['OptionalOldSelf', rule['optionalOldSelf'] ?? null],
  ] as const;
  return `{${fields.map(([name, value]) => `"${name}":${goJson(value)}`).join(',')}}`;
}

function oldSelfErrors(
  { expression, rule }: CompiledRule,
  at: FieldPath,
  uncorrelatable: FieldPath | undefined,
): FieldError[] {
  const optional = rule['optionalOldSelf'] ?? null;
  if (expression?.usesOldSelf !== true) {
    const text = 'may not be set if oldSelf is not used in rule';
    return optional === null ? [] : [invalid(at.child('optionalOldSelf'), optional, text)];
  }
  if (uncorrelatable === undefined) return [];
  const text = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
  return [invalid(at.child('rule'), ruleText(rule, 'rule'), text)];
}

/**
 * Runs the rules on defaults, within the budget of one object. If a rule uses `oldSelf`, a default must be valid both
 * unchanged and as a new value.
 */
function defaultRuleCheck(environments: RuleEnvironments): CheckDefaultRules {
  let remaining = objectCostLimit;
  return (node, value, path) => {
    const parts = storedRuleParts(environments);
    if (!parts.hasRules(node.raw)) return [];
    const place = placeOf(node, rootPlace.name);
    const rules = new RuleNode(node, { ...place, type: parts.types.of(node, place) }, parts);
    const available = remaining;
    const errorsWith = (old: typeof value | undefined): FieldError[] => {
      const budget = environments.newBudget(available);
      const run = new RuleRun(budget);
      run.visit({ rules, value, old, path, ratchet: new Ratchet(undefined) });
      remaining = Math.min(remaining, run.isOver ? 0 : budget.remaining);
      return run.errors;
    };
    const unchanged = errorsWith(value);
    return unchanged.length > 0 ? unchanged : errorsWith(undefined);
  };
}
