import type { CheckedAst } from '../checker/checked-ast.ts';
import type { CostTable } from '../cost/function-costs.ts';
import type { Readers } from '../data/readers.ts';
import type { FunctionDeclaration } from '../functions/function.ts';
import type { RegexCache } from '../functions/regex-cache.ts';
import type { Expr } from '../ast/expression.ts';
import type { Step } from './frame.ts';

/** A variable of a comprehension. */
export interface Local {
  readonly slot: number;
  /** Gives an accumulator its first value, when it is first looked at. */
  readonly init: Step | undefined;
}

/** What planning a node needs to know. */
export interface PlanContext {
  readonly ast: CheckedAst;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly costs: CostTable;
  readonly readers: Readers;
  readonly regexes: RegexCache;
  /** The variables in scope. */
  readonly locals: ReadonlyMap<string, Local>;
  /** How many places for variables are taken. */
  readonly slots: number;
  /** Puts something around the step of each node that is evaluated by itself, as a trace does. */
  readonly watch?: (expr: Expr, step: Step, context: PlanContext) => Step;
  /** Plans a node below. */
  plan(expr: Expr, context: PlanContext): Step;
}
