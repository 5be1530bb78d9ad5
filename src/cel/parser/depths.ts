import type { Expr } from '../ast/expression.ts';

/** The expression exceeds the nesting limit. */
export class TooDeep extends Error {}

/**
 * The two depths that cel-go limits: the nesting of expressions (brackets, arguments), and the height of the tree of
 * operators, fields, calls and indexes, which long chains increase.
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

  /** Records a node above others; `step` is 1 if the node itself counts. Returns the node. */
  above(expr: Expr, step: 0 | 1, children: readonly Expr[]): Expr {
    let height = 0;
    for (const child of children) height = Math.max(height, this.#heights.get(child) ?? 0);
    height += step;
    if (height > this.#limit) throw new TooDeep('max recursion depth exceeded');
    if (height > 0) this.#heights.set(expr, height);
    return expr;
  }
}
