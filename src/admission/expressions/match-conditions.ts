import {
  admissionVariables,
  boolType,
  type Compiled,
  compileExpression,
  ExpressionError,
} from '../../cel/index.ts';
import { isObject, type JsonObject, limits, ownList, ownString } from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import type { AdmissionPhase, ConditionsRecord } from '../admission-record.ts';
import { startTimer } from '../timed.ts';
import { bindingsOf, evaluate, type ExpressionInput } from './evaluator.ts';

interface Condition {
  readonly name: string;
  readonly expression: string;
  /** A text is the reason why it cannot be evaluated. */
  readonly compiled: Compiled | string;
}

/** Whether the conditions of a webhook or a policy match. */
export type MatchResult =
  | { readonly matches: boolean }
  /** A condition failed, and none was false. */
  | { readonly error: string };

const met: MatchResult = Object.freeze({ matches: true });

/** The owner of the conditions. */
interface ConditionsOwner {
  readonly of: ConditionsRecord['of'];
  readonly name: string;
  readonly phase: AdmissionPhase;
  /** True if failed conditions skip it. */
  readonly failsOpen: boolean;
}

interface ConditionsParts {
  readonly environments: RuleEnvironments;
  readonly owner: ConditionsOwner;
  /** Whether the conditions may use `params`. */
  readonly params?: boolean;
}

/** The result of an evaluation, and the number of failed conditions before the first false one. */
type Evaluated = MatchResult & { readonly errors: number };

/** The `matchConditions` of a webhook or of a policy, compiled. Source: apiserver, webhook/matchconditions. */
export class MatchConditions {
  readonly #conditions: readonly Condition[];
  readonly #environments: RuleEnvironments;
  readonly #owner: ConditionsOwner;

  /** @param spec of the webhook or the policy */
  constructor(spec: JsonObject, { environments, owner, params = false }: ConditionsParts) {
    this.#environments = environments;
    this.#owner = owner;
    const variables = admissionVariables({ params, authorizer: true });
    const environment = environments.forStored;
    this.#conditions = (ownList(spec, 'matchConditions') ?? []).filter(isObject).map((condition) => {
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

  /** One false condition decides, even if others fail. */
  match(input: ExpressionInput): MatchResult | Promise<MatchResult> {
    return this.isEmpty ? met : this.#noted(input);
  }

  async #noted(input: ExpressionInput): Promise<MatchResult> {
    const { operation } = input.request.write;
    const { of, name, phase, failsOpen } = this.#owner;
    const seconds = startTimer();
    const { errors, ...result } = await this.#evaluate(input);
    const failed = 'error' in result;
    const isExcluded = of === 'webhook' && (failed ? failsOpen : !result.matches);
    input.request.write.record({
      what: 'match conditions',
      ...{ of, name, phase, operation, errors, isExcluded },
      outcome: failed ? 'failed' : result.matches ? 'met' : 'not met',
      message: failed ? result.error : '',
      seconds: seconds(),
    });
    return result;
  }

  async #evaluate(input: ExpressionInput): Promise<Evaluated> {
    const bindings = bindingsOf(input);
    const budget = this.#environments.newBudget(limits.matchConditionsCostMax);
    const errors: string[] = [];
    let errorsBeforeFalse: number | undefined;
    for (const { expression, compiled } of this.#conditions) {
      if (typeof compiled === 'string') {
        errors.push(`compilation error: ${compiled}`);
        continue;
      }
      const evaluated = evaluate(compiled, bindings, budget);
      const { value, error } = evaluated instanceof Promise ? await evaluated : evaluated;
      if (error?.kind === 'budget') return { error: error.message, errors: 0 };
      if (error !== undefined) errors.push(`expression '${expression}' resulted in error: ${error.message}`);
      if (value === false) errorsBeforeFalse ??= errors.length;
    }
    if (errorsBeforeFalse !== undefined) return { matches: false, errors: errorsBeforeFalse };
    if (errors.length === 0) return { matches: true, errors: 0 };
    return { error: aggregate(errors), errors: errors.length };
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

/** Joined as Go joins errors: without duplicates. */
function aggregate(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}
