import type { CheckedAst } from './checker/checked-ast.ts';
import { type Generated, generateFunction } from './codegen/generate.ts';
import { Bail } from './codegen/runtime.ts';
import { Readers } from './data/readers.ts';
import type { Environment } from './environment.ts';
import { CostLimitExceeded, Frame, type Step } from './interpreter/frame.ts';
import { plan } from './interpreter/plan.ts';
import type { PlanContext } from './interpreter/plan-context.ts';
import { type TraceNode, TraceRecorder } from './trace/trace-recorder.ts';
import { isError } from './values/cel-error.ts';
import { Interrupted } from './interpreter/interrupt.ts';
import { ValueTooLarge } from './values/too-large.ts';
import type { Value } from './values/value.ts';

/** Kubernetes' cost limit for one evaluation of one expression. */
export const perCallCostLimit = 1_000_000;

/** A budget shared by many evaluations, such as all rules of one object. */
export class CostBudget {
  /** Polled by loops; if it returns true, the evaluation ends. */
  readonly interrupt: (() => boolean) | undefined;
  /** Called with the evaluations within the budget. */
  readonly observer: ExpressionObserver | undefined;
  #remaining: number;

  /** Costs do not cover everything: `interrupt` also limits the time. */
  constructor(cost: number, interrupt?: () => boolean, observer?: ExpressionObserver) {
    this.#remaining = cost;
    this.interrupt = interrupt;
    this.observer = observer;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Subtracts a cost; false, without subtracting, if less is left. */
  spend(cost: number): boolean {
    if (cost > this.#remaining) return false;
    this.#remaining -= cost;
    return true;
  }
}

/** Values for the declared variables, by name. */
export type Bindings = Readonly<Record<string, unknown>>;

export interface EvaluateOptions {
  /** The cost limit of this evaluation; Kubernetes' per-call limit by default. */
  readonly costLimit?: number;
  /** A shared budget to charge. */
  readonly budget?: CostBudget;
}

/** Why there is no value: an error in the expression, its own limit, or the shared budget. */
export interface EvaluationError {
  readonly kind: 'error' | 'cost-limit' | 'budget';
  readonly message: string;
}

/** A value or an error, and its cost. */
export type Evaluation =
  | { readonly value: Value; readonly error?: undefined; readonly cost: number }
  | { readonly value?: undefined; readonly error: EvaluationError; readonly cost: number };

/** An evaluation with the results of the expression's parts. */
export interface Trace {
  readonly evaluation: Evaluation;
  /** The whole expression; undefined if nothing was recorded. */
  readonly root: TraceNode | undefined;
  /** The number of recorded parts. */
  readonly nodes: number;
  /** The number of dropped parts. */
  readonly leftOut: number;
}

/** Observes evaluations, for example for the playground. */
export type ExpressionObserver = (observed: ObservedEvaluation) => void;

/** An evaluation and its subject. */
export interface ObservedEvaluation {
  readonly program: Program;
  readonly bindings: Bindings;
  readonly evaluation: Evaluation;
  /** For a schema rule: its location and value. */
  readonly rule?: RulePlace | undefined;
}

/** A schema rule, and the value it validates. */
export interface RulePlace {
  /** The schema: `selfType.spec.@idx`, where `@idx` is an item, `@elem` a value and `@key` a key of a map. */
  readonly schema: string;
  /** The index among the rules of the schema. */
  readonly index: number;
  readonly field: 'rule' | 'messageExpression';
  /** The value: `spec.items[0]`; empty for the object itself. */
  readonly path: string;
}

/** A compiled expression, which can be evaluated any number of times. */
export class Program {
  readonly #step: Step;
  readonly #context: PlanContext;
  /** Its generated code after the first use; a function that defers to the interpreter if it has none. */
  #run: Generated = (bindings, costLimit, interrupt) => this.#generate()(bindings, costLimit, interrupt);
  #isGenerated: boolean | undefined;

  /** Throws UnusableProgram if a constant part of the expression fails. */
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

  /** Evaluates the expression. Never throws, whatever the data. */
  evaluate(bindings: Bindings, options?: EvaluateOptions): Evaluation {
    const costLimit = options?.costLimit ?? perCallCostLimit;
    const budget = options?.budget;
    const interrupt = budget?.interrupt;
    const evaluation =
      this.#fast(bindings, costLimit, interrupt) ?? this.interpret(bindings, costLimit, interrupt);
    if (budget === undefined || budget.spend(evaluation.cost)) return evaluation;
    const message =
      'validation failed due to running out of cost budget, no further validation rules will be run';
    return { error: { kind: 'budget', message }, cost: evaluation.cost };
  }

  /** Evaluates by generated code; undefined if it defers to the interpreter. */
  #fast(
    bindings: Bindings,
    costLimit: number,
    interrupt: (() => boolean) | undefined,
  ): Evaluation | undefined {
    try {
      return this.#run(bindings, costLimit, interrupt);
    } catch (error) {
      if (error instanceof Interrupted) return { error: abortion(error), cost: costLimit };
      if (isLeftToInterpreter(error)) return undefined;
      throw error;
    }
  }

  #generate(): Generated {
    const generated = generateFunction(this.#context);
    this.#isGenerated = generated !== undefined;
    this.#run = generated ?? leftToInterpreter;
    return this.#run;
  }

  /** Whether evaluations use generated code; see codegen/. */
  get isGenerated(): boolean {
    if (this.#isGenerated === undefined) this.#generate();
    return this.#isGenerated === true;
  }

  /** Evaluates without generated code: slower, and authoritative for errors and costs. */
  interpret(bindings: Bindings, costLimit: number, interrupt?: () => boolean): Evaluation {
    return run(this.#step, new Frame(bindings, costLimit, interrupt));
  }

  /**
   * Evaluates as {@link interpret} does, and records the result of each part of the expression.
   *
   * @param nodesMax the maximum number of recorded parts; a part of a loop counts once per iteration
   */
  trace(
    bindings: Bindings,
    { costLimit = perCallCostLimit, budget, nodesMax }: EvaluateOptions & { readonly nodesMax: number },
  ): Trace {
    const recorder = new TraceRecorder(nodesMax);
    const step = plan(this.#context.ast.expr, { ...this.#context, watch: recorder.watch });
    const evaluation = run(step, new Frame(bindings, costLimit, budget?.interrupt));
    return { evaluation, root: recorder.root, nodes: recorder.nodes, leftOut: recorder.leftOut };
  }

  get ast(): CheckedAst {
    return this.#context.ast;
  }
}

function run(step: Step, frame: Frame): Evaluation {
  try {
    const result = step(frame);
    if (!isError(result)) return { value: result, cost: frame.cost };
    return { error: { kind: 'error', message: result.message }, cost: frame.cost };
  } catch (error) {
    return { error: abortion(error), cost: frame.cost };
  }
}

/**
 * Generated code throws Bail for unusual data. JavaScript's own errors mean the same: null instead of an object, or
 * data nested deeper than the stack. If it is a bug, the interpreter encounters it as well.
 */
function isLeftToInterpreter(error: unknown): boolean {
  return (
    error instanceof Bail ||
    error instanceof ValueTooLarge ||
    error instanceof TypeError ||
    error instanceof RangeError
  );
}

/** The code of an expression without generated code. */
function leftToInterpreter(): undefined {
  return undefined;
}

/** Why an evaluation ended: its cost, its time, the size of a value, or data nested deeper than the stack. */
function abortion(error: unknown): EvaluationError {
  if (error instanceof CostLimitExceeded || error instanceof ValueTooLarge || error instanceof Interrupted)
    return { kind: 'cost-limit', message: error.message };
  if (error instanceof RangeError)
    return { kind: 'error', message: 'operation cancelled: a value nests too deeply' };
  throw error;
}
