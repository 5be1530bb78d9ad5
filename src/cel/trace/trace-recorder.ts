import type { Expr } from '../ast/expression.ts';
import type { Frame, Step } from '../interpreter/frame.ts';
import { unset } from '../interpreter/frame.ts';
import type { PlanContext } from '../interpreter/plan-context.ts';
import type { Result } from '../values/value.ts';

/** One evaluation of a part of an expression; in a loop, one per iteration. */
export interface TraceNode {
  readonly expr: Expr;
  /** Undefined if the evaluation ended before. */
  readonly result: Result | undefined;
  /** Its cost, including its parts. */
  readonly cost: number;
  /** Its evaluated parts, in order. Skipped parts are missing. */
  readonly children: readonly TraceNode[];
  /** For the step of a loop: the values of its variables. */
  readonly turn: readonly Result[] | undefined;
}

interface OpenNode {
  readonly expr: Expr;
  result: Result | undefined;
  cost: number;
  readonly children: OpenNode[];
  turn: readonly Result[] | undefined;
}

/** Records the results of all parts of one evaluation. */
export class TraceRecorder {
  readonly #nodesMax: number;
  /** The number of recorded parts. */
  nodes = 0;
  #current: OpenNode | undefined;
  root: TraceNode | undefined;
  leftOut = 0;

  constructor(nodesMax: number) {
    this.#nodesMax = nodesMax;
  }

  /** For `PlanContext.watch`. */
  readonly watch = (expr: Expr, step: Step, context: PlanContext): Step => {
    return (frame) => this.#evaluate(expr, step, { frame, context });
  };

  #evaluate(
    expr: Expr,
    step: Step,
    { frame, context }: { readonly frame: Frame; readonly context: PlanContext },
  ): Result {
    if (this.nodes >= this.#nodesMax) {
      this.leftOut += 1;
      return step(frame);
    }
    this.nodes += 1;
    const around = this.#current;
    const turn = around === undefined ? undefined : turnOf(around.expr, expr, { frame, context });
    const node: OpenNode = { expr, result: undefined, cost: 0, children: [], turn };
    if (around === undefined) this.root ??= node;
    else around.children.push(node);
    const before = frame.cost;
    this.#current = node;
    try {
      const result = step(frame);
      node.result = result;
      return result;
    } finally {
      node.cost = frame.cost - before;
      this.#current = around;
    }
  }
}

/** The variables of the loop whose step starts. */
function turnOf(
  around: Expr,
  expr: Expr,
  { frame, context }: { readonly frame: Frame; readonly context: PlanContext },
): readonly Result[] | undefined {
  if (around.kind !== 'comprehension' || around.step !== expr) return undefined;
  const names = around.iterVar2 === undefined ? [around.iterVar] : [around.iterVar, around.iterVar2];
  return names.flatMap((name) => {
    const local = context.locals.get(name);
    const value = local === undefined ? undefined : frame.locals[local.slot];
    return value === undefined || value === unset ? [] : [value];
  });
}
