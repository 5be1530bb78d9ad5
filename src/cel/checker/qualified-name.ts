import type { Expr } from '../ast/expression.ts';

/** The parts of `a.b.c`, or undefined where the expression is more than names. */
export function qualifiedName(expr: Expr): string[] | undefined {
  if (expr.kind === 'ident') return [expr.name];
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix && [...prefix, expr.field];
}
