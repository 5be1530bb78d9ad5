import type { Expr } from '../ast/expression.ts';
import type { Type } from '../types/type.ts';
import type { Result } from '../values/value.ts';
import type { Range } from './size.ts';

/** An operand in a cost estimate. */
export interface CostNode {
  /** The path from a variable to the operand (`self`, `@items`, `name`), if there is one. */
  readonly path: readonly string[] | undefined;
  readonly type: Type;
  readonly expr: Expr | undefined;
  readonly size: Range | undefined;
}

/** A call in a cost estimate. */
export interface CallToEstimate {
  readonly overloadId: string;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
  /** The size of an operand, from the expression or its declared type. */
  sizeOf(node: CostNode): Range;
  /** The elements of a list as an operand. */
  elementsOf(node: CostNode): CostNode | undefined;
}

/** The estimated cost of a call without its operands, and the size of its result if known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly resultSize?: Range | undefined;
}

/** An executed call. Failed operands are errors. */
interface CallMade {
  readonly overloadId: string;
  readonly args: readonly Result[];
  /** The result; null if the cost does not depend on it. */
  readonly result: Result;
}

/** The cost of one function or overload; `undefined` continues with the next rule. */
export interface CallCost {
  estimate(call: CallToEstimate): CallEstimate | undefined;
  actual(call: CallMade): number | undefined;
  /** Set if the call must run before its cost is known; other calls are charged first and skipped above the limit. */
  readonly dependsOnResult?: boolean;
}

/** Costs by overload id, which have precedence, and by function name. */
export interface FunctionCosts {
  readonly overloads?: Readonly<Record<string, CallCost>>;
  readonly functions?: Readonly<Record<string, CallCost>>;
}

/** All costs of an environment. */
export class CostTable {
  readonly overloads = new Map<string, CallCost>();
  readonly functions = new Map<string, CallCost>();

  constructor(costs: Iterable<FunctionCosts>) {
    for (const { overloads = {}, functions = {} } of costs) {
      for (const [id, cost] of Object.entries(overloads)) this.overloads.set(id, cost);
      for (const [name, cost] of Object.entries(functions)) this.functions.set(name, cost);
    }
  }
}
