import type { Expr } from '../ast/expression.ts';

/** The parts of `a.b.c`; undefined if the expression is not only names. */
export function qualifiedName(expr: Expr): string[] | undefined {
  if (expr.kind === 'ident') return [expr.name];
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix && [...prefix, expr.field];
}
