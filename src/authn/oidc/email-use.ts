import { childrenOf, type Expr } from '../../cel/index.ts';

/** True if an expression reads `claims.<field>`, also as `claims.?field`. Source: apiserver, hasSelectExp. */
export function readsClaim(expr: Expr, field: string): boolean {
  return isRead(expr, field) || childrenOf(expr).some((child) => readsClaim(child, field));
}

function isRead(expr: Expr, field: string): boolean {
  if (expr.kind === 'select') return isClaims(expr.operand) && expr.field === field;
  if (expr.kind !== 'call' || expr.target !== undefined || expr.name !== '_?._') return false;
  const [operand, name] = expr.args;
  return operand !== undefined && isClaims(operand) && name?.kind === 'const' && name.value === field;
}

function isClaims(expr: Expr): boolean {
  return expr.kind === 'ident' && expr.name === 'claims';
}
