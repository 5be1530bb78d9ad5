import type { CheckedAst } from '../checker/checked-ast.ts';
import type { CostTable } from '../cost/function-costs.ts';
import type { Readers } from '../data/readers.ts';
import type { FunctionDeclaration } from '../functions/function.ts';
import type { RegexCache } from '../functions/regex-cache.ts';
import type { Expr } from '../ast/expression.ts';
import type { Step } from './frame.ts';

/** A comprehension variable. */
export interface Local {
  readonly slot: number;
  /** Initializes an accumulator on its first read. */
  readonly init: Step | undefined;
}

/** The context of planning a node. */
export interface PlanContext {
  readonly ast: CheckedAst;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly costs: CostTable;
  readonly readers: Readers;
  readonly regexes: RegexCache;
  /** The variables in scope. */
  readonly locals: ReadonlyMap<string, Local>;
  /** The number of slots in use. */
  readonly slots: number;
  /** Wraps the step of each separately evaluated node, for tracing. */
  readonly watch?: (expr: Expr, step: Step, context: PlanContext) => Step;
  /** Plans a child node. */
  plan(expr: Expr, context: PlanContext): Step;
}
