import type { CheckedAst } from './checker/checked-ast.ts';
import { type Generated, generateFunction, type Meter } from './codegen/generate.ts';
import { Bail } from './codegen/runtime.ts';
import { Readers } from './data/readers.ts';
import type { Environment } from './environment.ts';
import { CostLimitExceeded, Frame, type Step } from './interpreter/frame.ts';
import { plan } from './interpreter/plan.ts';
import type { PlanContext } from './interpreter/plan-context.ts';
import { isError } from './values/cel-error.ts';
import { ValueTooLarge } from './values/too-large.ts';
import type { Value } from './values/value.ts';

/** What Kubernetes lets one evaluation of one expression cost. */
export const perCallCostLimit = 1_000_000;

/** A budget that many evaluations share, such as all rules of one object. */
export class CostBudget {
  #remaining: number;

  constructor(cost: number) {
    this.#remaining = cost;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Takes a cost off; false, and nothing taken off, where less than it is left. */
  spend(cost: number): boolean {
    if (cost > this.#remaining) return false;
    this.#remaining -= cost;
    return true;
  }
}

/** Values for the declared variables, by name. */
export type Bindings = Readonly<Record<string, unknown>>;

export interface EvaluateOptions {
  /** What this evaluation may cost; by default what Kubernetes allows one call. */
  readonly costLimit?: number;
  /** A shared budget that the cost is taken off. */
  readonly budget?: CostBudget;
}

/** Why there is no value: an error in the expression, its own limit, or the shared budget. */
export interface EvaluationError {
  readonly kind: 'error' | 'cost-limit' | 'budget';
  readonly message: string;
}

/** A value or an error, and what it cost. */
export type Evaluation =
  | { readonly value: Value; readonly error?: undefined; readonly cost: number }
  | { readonly value?: undefined; readonly error: EvaluationError; readonly cost: number };

/** An expression ready to be evaluated, any number of times. */
export class Program {
  readonly #step: Step;
  readonly #context: PlanContext;
  readonly #meter: Meter = { cost: 0 };
  /** Made when the program is first used; undefined inside where there is no code for the expression. */
  #generated: { readonly run: Generated | undefined } | undefined;

  /** Throws UnusableProgram where a constant part of the expression fails. */
  constructor(ast: CheckedAst, environment: Environment) {
    const { functions, costs, regexes } = environment;
    this.#context = {
      ast,
      functions,
      costs,
      readers: new Readers(),
      regexes,
      locals: new Map(),
      slots: 0,
      plan,
    };
    this.#step = plan(ast.expr, this.#context);
  }

  /** Evaluates the expression. Never throws for what the data may be. */
  evaluate(bindings: Bindings, options?: EvaluateOptions): Evaluation {
    const costLimit = options?.costLimit ?? perCallCostLimit;
    const evaluation = this.#fast(bindings, costLimit) ?? this.interpret(bindings, costLimit);
    if (options?.budget === undefined || options.budget.spend(evaluation.cost)) return evaluation;
    const message =
      'validation failed due to running out of cost budget, no further validation rules will be run';
    return { error: { kind: 'budget', message }, cost: evaluation.cost };
  }

  /** Evaluates by generated code; undefined where that leaves it to the interpreter. */
  #fast(bindings: Bindings, costLimit: number): Evaluation | undefined {
    this.#generated ??= { run: generateFunction(this.#context) };
    const { run } = this.#generated;
    if (run === undefined) return undefined;
    try {
      const value = run(bindings, costLimit, this.#meter);
      return { value, cost: this.#meter.cost };
    } catch (error) {
      if (error instanceof Bail || error instanceof ValueTooLarge || error instanceof RangeError)
        return undefined;
      throw error;
    }
  }

  /** Whether evaluating runs code that was generated for this expression; see codegen/. */
  get isGenerated(): boolean {
    this.#generated ??= { run: generateFunction(this.#context) };
    return this.#generated.run !== undefined;
  }

  /** Evaluates without generated code: slower, and what decides errors and costs. */
  interpret(bindings: Bindings, costLimit: number): Evaluation {
    const frame = new Frame(bindings, costLimit);
    try {
      const result = this.#step(frame);
      if (!isError(result)) return { value: result, cost: frame.cost };
      return { error: { kind: 'error', message: result.message }, cost: frame.cost };
    } catch (error) {
      return { error: abortion(error), cost: frame.cost };
    }
  }
}

/** Why an evaluation was given up: its cost, the size of a value, or data nested deeper than the stack is. */
function abortion(error: unknown): EvaluationError {
  if (error instanceof CostLimitExceeded) return { kind: 'cost-limit', message: error.message };
  if (error instanceof ValueTooLarge) return { kind: 'cost-limit', message: error.message };
  if (error instanceof RangeError)
    return { kind: 'error', message: 'operation cancelled: a value nests too deeply' };
  throw error;
}
