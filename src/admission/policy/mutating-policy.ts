import type { CostBudget } from '../../cel/index.ts';
import { type JsonObject, type KubeObject, limits, nameOf, ownObject, ownString } from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import { bindingsOf, evaluate, type ExpressionInput } from '../expressions/evaluator.ts';
import { MatchConditions, type MatchResult } from '../expressions/match-conditions.ts';
import { type MatchResources, matchResourcesOf } from '../matching/match-resources.ts';
import { type ParamKind, paramKindOf } from './params.ts';
import { EvaluationFailure, MutationError, type PatchKind, type PatchTarget } from './patches/patch-kind.ts';
import { patchKinds } from './patches/patch-kinds.ts';
import { compiledOf, itemsOf, type PolicyExpression } from './policy-expression.ts';
import { PolicyVariables } from './policy-variables.ts';

/** One mutation of a policy. */
export interface Mutation extends PolicyExpression {
  readonly kind: PatchKind;
}

/** A MutatingAdmissionPolicy, compiled once. Source: apiserver, policy/mutating/compilation.go. */
export class MutatingPolicy {
  readonly name: string;
  readonly match: MatchResources;
  readonly paramKind: ParamKind | undefined;
  /** True if a failure allows the write. */
  readonly failsOpen: boolean;
  /** True if it is evaluated again after another policy or plugin changed the object. */
  readonly isReinvoked: boolean;
  readonly mutations: readonly Mutation[];
  readonly #environments: RuleEnvironments;
  readonly #conditions: MatchConditions;
  readonly #variables: PolicyVariables;

  constructor(policy: KubeObject, environments: RuleEnvironments) {
    const spec = ownObject(policy, 'spec') ?? {};
    this.name = nameOf(policy);
    this.match = matchResourcesOf(ownObject(spec, 'matchConstraints') ?? {});
    this.paramKind = paramKindOf(spec);
    this.failsOpen = ownString(spec, 'failurePolicy') === 'Ignore';
    this.isReinvoked = ownString(spec, 'reinvocationPolicy') === 'IfNeeded';
    this.#environments = environments;
    const params = this.paramKind !== undefined;
    this.#conditions = new MatchConditions(spec, {
      environments,
      owner: { of: 'policy', name: this.name, phase: 'admit', failsOpen: this.failsOpen },
      params,
    });
    this.#variables = new PolicyVariables(spec, environments.forStored, { params, authorizer: true });
    this.mutations = itemsOf(spec, 'mutations').flatMap((item) => this.#mutationsOf(item, params));
  }

  #mutationsOf(item: JsonObject, params: boolean): Mutation[] {
    const kind = patchKinds.find(({ patchType }) => patchType === ownString(item, 'patchType'));
    if (kind === undefined) return [];
    const source = ownString(ownObject(item, kind.field) ?? {}, 'expression') ?? '';
    const variables = this.#variables.declarations({ params, authorizer: true });
    const returnTypes = [kind.returnType];
    const environment = this.#environments.patchesStored;
    return [{ kind, ...compiledOf(source, { environment, variables, returnTypes }) }];
  }

  matches(input: ExpressionInput): MatchResult | Promise<MatchResult> {
    return this.#conditions.match(input);
  }

  /**
   * Applies a mutation to the object; each mutation has its own cost budget.
   *
   * @throws {MutationError} if it fails
   */
  async mutate(mutation: Mutation, input: ExpressionInput, target: PatchTarget): Promise<KubeObject> {
    const { source, compiled, kind } = mutation;
    if (typeof compiled === 'string') throw new MutationError(compiled);
    const budget = this.#newBudget();
    const bindings = this.#variables.bind(bindingsOf(input), budget);
    const { value, error } = await evaluate(compiled, bindings, budget);
    if (error?.kind === 'budget') throw new MutationError(error.message);
    const failed = (message: string) =>
      new MutationError(`expression '${source}' resulted in error: ${message}`);
    if (error !== undefined) throw failed(error.message);
    try {
      return kind.patch(value, target);
    } catch (failure) {
      throw failure instanceof EvaluationFailure ? failed(failure.message) : failure;
    }
  }

  #newBudget(): CostBudget {
    return this.#environments.newBudget(limits.policyCostMax);
  }
}
