import type { Expr } from '../ast/expression.ts';

/** An expression nests deeper than the parser goes. */
export class TooDeep extends Error {}

/**
 * The two depths that cel-go limits: how many expressions stand within one another (brackets, arguments), and how
 * high the tree of operators, fields, calls and indexes grows, which long chains make high as well.
 */
export class Depths {
  readonly #limit: number;
  #open = 0;
  readonly #heights = new Map<Expr, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  enter(): void {
    if (++this.#open <= this.#limit) return;
    throw new TooDeep(`expression recursion limit exceeded: ${this.#limit}`);
  }

  leave(): void {
    this.#open--;
  }

  /** Notes a node above others; `step` is 1 where the node itself counts. Gives the node back. */
  above(expr: Expr, step: 0 | 1, children: readonly Expr[]): Expr {
    let height = 0;
    for (const child of children) height = Math.max(height, this.#heights.get(child) ?? 0);
    height += step;
    if (height > this.#limit) throw new TooDeep('max recursion depth exceeded');
    if (height > 0) this.#heights.set(expr, height);
    return expr;
  }
}
