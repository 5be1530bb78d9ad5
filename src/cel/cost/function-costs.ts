import type { Expr } from '../ast/expression.ts';
import type { Type } from '../types/type.ts';
import type { Result } from '../values/value.ts';
import type { Range } from './size.ts';

/** An operand of a call whose cost is estimated. */
export interface CostNode {
  /** The way from a variable to the operand (`self`, `@items`, `name`), where it is one. */
  readonly path: readonly string[] | undefined;
  readonly type: Type;
  readonly expr: Expr | undefined;
  readonly size: Range | undefined;
}

/** A call whose cost is estimated. */
export interface CallToEstimate {
  readonly overloadId: string;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
  /** The size of an operand, from the expression or from the declared type. */
  sizeOf(node: CostNode): Range;
  /** The elements of a list as an operand of their own. */
  elementsOf(node: CostNode): CostNode | undefined;
}

/** What a call may cost, its operands left out, and how large its result is where that is known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly resultSize?: Range | undefined;
}

/** A call that is made. Operands that failed are errors. */
interface CallMade {
  readonly overloadId: string;
  readonly args: readonly Result[];
  /** What came of it; null where the cost does not depend on that. */
  readonly result: Result;
}

/** The cost of one function or overload; `undefined` leaves it to the next rule. */
export interface CallCost {
  estimate(call: CallToEstimate): CallEstimate | undefined;
  actual(call: CallMade): number | undefined;
  /** Set where the call must be made before its cost is known; any other is paid for first, so that it need not be made. */
  readonly dependsOnResult?: boolean;
}

/** Costs by overload id, which come first, and by function name. */
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
