import {
  boolType,
  type Bindings,
  type CostBudget,
  type DeclaredType,
  type Environment,
  nullType,
  stringType,
} from '../../cel/index.ts';
import { type JsonObject, type KubeObject, limits, nameOf, ownObject, ownString } from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import { bindingsOf, evaluateNow, type ExpressionInput } from '../expressions/evaluator.ts';
import { AnswerPending } from '../expressions/expression-authorizer.ts';
import { MatchConditions, type MatchResult } from '../expressions/match-conditions.ts';
import { type MatchResources, matchResourcesOf } from '../matching/match-resources.ts';
import { type ParamKind, paramKindOf } from './params.ts';
import { compiledOf, itemsOf, type PolicyExpression } from './policy-expression.ts';
import { PolicyVariables } from './policy-variables.ts';

interface Validation extends PolicyExpression {
  readonly message: string;
  readonly messageExpression: PolicyExpression | undefined;
  readonly reason: string;
}

interface Annotation extends PolicyExpression {
  readonly key: string;
}

/** A validation that failed, or could not be evaluated. */
interface Failure {
  /** Its index in the policy. */
  readonly index: number;
  readonly message: string;
  /** `Invalid` if the policy has no reason, and if the evaluation failed. */
  readonly reason: string;
}

/** The result of a policy for a write. */
export interface PolicyVerdict {
  /** The number of passed validations. */
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
  /** Annotations that could not be evaluated: a denial, whatever the binding does with failures. */
  readonly annotationErrors: readonly string[];
}

const nothing: PolicyVerdict = Object.freeze({
  passed: 0,
  failures: [],
  annotations: [],
  annotationErrors: [],
});

const none: readonly never[] = Object.freeze([]);

const silence = Object.freeze({ annotations: [], errors: [] });

/** A ValidatingAdmissionPolicy, compiled once. Source: apiserver, policy/validating/validator.go. */
export class ValidatingPolicy {
  readonly name: string;
  readonly match: MatchResources;
  readonly paramKind: ParamKind | undefined;
  /** True if a failure allows the write. */
  readonly failsOpen: boolean;
  readonly #environments: RuleEnvironments;
  readonly #conditions: MatchConditions;
  readonly #variables: PolicyVariables;
  readonly #validations: readonly Validation[];
  readonly #annotations: readonly Annotation[];

  constructor(policy: KubeObject, environments: RuleEnvironments) {
    const spec = ownObject(policy, 'spec') ?? {};
    this.name = nameOf(policy);
    this.match = matchResourcesOf(ownObject(spec, 'matchConstraints') ?? {});
    this.paramKind = paramKindOf(spec);
    this.failsOpen = ownString(spec, 'failurePolicy') === 'Ignore';
    this.#environments = environments;
    const params = this.paramKind !== undefined;
    const environment = environments.forStored;
    this.#conditions = new MatchConditions(spec, {
      environments,
      owner: { of: 'policy', name: this.name, phase: 'validate', failsOpen: this.failsOpen },
      params,
    });
    this.#variables = new PolicyVariables(spec, environment, { params, authorizer: true });
    const asked = this.#variables.declarations({ params, authorizer: true });
    const told = this.#variables.declarations({ params });
    this.#validations = itemsOf(spec, 'validations').map((item) =>
      validationOf(item, environment, { asked, told }),
    );
    this.#annotations = itemsOf(spec, 'auditAnnotations').map((item) => ({
      key: ownString(item, 'key') ?? '',
      ...compiledOf(ownString(item, 'valueExpression') ?? '', {
        environment,
        variables: asked,
        returnTypes: [stringType, nullType],
      }),
    }));
  }

  /**
   * Evaluates the policy for a write and one parameter; synchronously unless it has conditions or an authorizer that
   * answers later, because a write may have to pass many policies.
   */
  evaluate(input: ExpressionInput): PolicyVerdict | Promise<PolicyVerdict> {
    const matching = this.#conditions.match(input);
    return matching instanceof Promise
      ? matching.then((matched) => this.#decide(matched, input))
      : this.#decide(matching, input);
  }

  /** Starts over whenever an answer of the authorizer is pending: it is remembered for the whole write. */
  #decide(matched: MatchResult, input: ExpressionInput): PolicyVerdict | Promise<PolicyVerdict> {
    if ('error' in matched) return this.#failed([matched.error]);
    if (!matched.matches) return nothing;
    try {
      return this.#verdict(input);
    } catch (error) {
      if (!(error instanceof AnswerPending)) throw error;
      return error.answer.then(() => this.#decide(matched, input));
    }
  }

  /** @throws {AnswerPending} */
  #verdict(input: ExpressionInput): PolicyVerdict {
    const budget = this.#environments.newBudget(limits.policyCostMax);
    const bindings = this.#variables.bind(bindingsOf(input), budget);
    const outcome = this.#validate(bindings, budget);
    if (typeof outcome === 'string') return this.#failed([outcome]);
    const { annotations, errors } = this.#annotations.length === 0 ? silence : this.#annotate(input);
    const passed = this.#validations.length - outcome.length;
    return { passed, failures: outcome, annotations, annotationErrors: this.failsOpen ? none : errors };
  }

  /** Converts an error to a denial, unless the policy fails open. */
  #failed(messages: readonly string[]): PolicyVerdict {
    if (this.failsOpen) return nothing;
    const failures = messages.map((message, index) => ({ index, message, reason: '' }));
    return { ...nothing, failures };
  }

  /** The failures; or the reason why no validation applies: the policy's cost budget is spent. */
  #validate(bindings: Bindings, budget: CostBudget): readonly Failure[] | string {
    let failures: Failure[] | undefined;
    let index = -1;
    for (const validation of this.#validations) {
      index += 1;
      const { source, compiled, reason } = validation;
      if (typeof compiled === 'string') {
        const message = `compilation error: ${compiled}`;
        if (!this.failsOpen) (failures ??= []).push({ index, message, reason: '' });
        continue;
      }
      const { value, error } = evaluateNow(compiled, bindings, budget);
      if (error?.kind === 'budget') return error.message;
      if (error !== undefined) {
        const message = `expression '${source}' resulted in error: ${error.message}`;
        if (!this.failsOpen) (failures ??= []).push({ index, message, reason: '' });
      } else if (value !== true) {
        (failures ??= []).push({ index, message: messageOf(validation, bindings, budget), reason });
      }
    }
    return failures ?? none;
  }

  #annotate(input: ExpressionInput) {
    const annotations: { key: string; value: string }[] = [];
    const errors: string[] = [];
    const budget = this.#environments.newBudget(limits.policyCostMax);
    const bindings = this.#variables.bind(bindingsOf(input), budget);
    for (const { key, source, compiled } of this.#annotations) {
      if (typeof compiled === 'string') {
        errors.push(`compilation error: ${compiled}`);
        continue;
      }
      const { value, error } = evaluateNow(compiled, bindings, budget);
      if (error !== undefined) errors.push(`expression '${source}' resulted in error: ${error.message}`);
      else if (typeof value === 'string' && value.trim() !== '')
        annotations.push({ key, value: value.trim() });
    }
    return { annotations, errors };
  }
}

function validationOf(
  item: JsonObject,
  environment: Environment,
  variables: {
    readonly asked: Readonly<Record<string, DeclaredType>>;
    readonly told: Readonly<Record<string, DeclaredType>>;
  },
): Validation {
  const messageExpression = ownString(item, 'messageExpression') ?? '';
  return {
    ...compiledOf(ownString(item, 'expression') ?? '', {
      environment,
      variables: variables.asked,
      returnTypes: [boolType],
    }),
    message: (ownString(item, 'message') ?? '').trim(),
    messageExpression:
      messageExpression === ''
        ? undefined
        : compiledOf(messageExpression, {
            environment,
            variables: variables.told,
            returnTypes: [stringType],
          }),
    reason: ownString(item, 'reason') ?? 'Invalid',
  };
}

const messageBytesMax = 5 * 1024;

/** The computed message if it is one line of limited length, otherwise the given one, otherwise the expression. */
function messageOf(
  { message, messageExpression, source }: Validation,
  bindings: Bindings,
  budget: CostBudget,
): string {
  const fallback = message === '' ? `failed expression: ${source.trim()}` : message;
  const compiled = messageExpression?.compiled;
  if (compiled === undefined || typeof compiled === 'string') return fallback;
  const { value, error } = evaluateNow(compiled, bindings, budget);
  if (error?.kind === 'budget') return `failed messageExpression: ${error.message}`;
  if (typeof value !== 'string') return fallback;
  const computed = value.trim();
  const isUsable =
    computed !== '' && Buffer.byteLength(computed) <= messageBytesMax && !computed.includes('\n');
  return isUsable ? computed : fallback;
}
