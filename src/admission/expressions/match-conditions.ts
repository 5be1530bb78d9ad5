import {
  admissionVariables,
  boolType,
  type Compiled,
  compileExpression,
  ExpressionError,
} from '../../cel/index.ts';
import { isObject, type JsonObject, limits, ownList, ownString } from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import { bindingsOf, evaluate, type ExpressionInput } from './evaluator.ts';

interface Condition {
  readonly name: string;
  readonly expression: string;
  /** The text says why it cannot be evaluated. */
  readonly compiled: Compiled | string;
}

/** Whether the conditions of a webhook or a policy are met. */
export type MatchResult =
  | { readonly matches: boolean }
  /** Some condition failed, and no other was false. */
  | { readonly error: string };

const met: MatchResult = Object.freeze({ matches: true });

/** The `matchConditions` of a webhook or of a policy, compiled. Source: apiserver, webhook/matchconditions. */
export class MatchConditions {
  readonly #conditions: readonly Condition[];
  readonly #environments: RuleEnvironments;

  constructor(
    owner: JsonObject,
    { environments, params = false }: { readonly environments: RuleEnvironments; readonly params?: boolean },
  ) {
    this.#environments = environments;
    const variables = admissionVariables({ params, authorizer: true });
    const environment = environments.forStored;
    this.#conditions = (ownList(owner, 'matchConditions') ?? []).filter(isObject).map((condition) => {
      const expression = (ownString(condition, 'expression') ?? '').trim();
      const compiled = compiledOrText(() =>
        compileExpression(expression, { environment, variables, returnTypes: [boolType] }),
      );
      return { name: ownString(condition, 'name') ?? '', expression, compiled };
    });
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /** One that is false decides, even where others fail. */
  match(input: ExpressionInput): MatchResult | Promise<MatchResult> {
    return this.isEmpty ? met : this.#evaluate(input);
  }

  async #evaluate(input: ExpressionInput): Promise<MatchResult> {
    const bindings = bindingsOf(input);
    const budget = this.#environments.newBudget(limits.matchConditionsCostMax);
    const errors: string[] = [];
    let isFalse = false;
    for (const { expression, compiled } of this.#conditions) {
      if (typeof compiled === 'string') {
        errors.push(`compilation error: ${compiled}`);
        continue;
      }
      const evaluated = evaluate(compiled, bindings, budget);
      const { value, error } = evaluated instanceof Promise ? await evaluated : evaluated;
      if (error?.kind === 'budget') return { error: error.message };
      if (error !== undefined) errors.push(`expression '${expression}' resulted in error: ${error.message}`);
      if (value === false) isFalse = true;
    }
    if (isFalse) return { matches: false };
    if (errors.length === 0) return { matches: true };
    return { error: aggregate(errors) };
  }
}

function compiledOrText(compile: () => Compiled): Compiled | string {
  try {
    return compile();
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

/** As Go joins errors: each once. */
function aggregate(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}
