import type { CallExpr } from '../ast/expression.ts';
import { isError } from '../values/cel-error.ts';
import { constantValue, UnusableProgram } from './constants.ts';
import type { PlanContext } from './plan-context.ts';

/** Functions with a pattern, and its index among target and arguments. */
const patternFunctions: ReadonlyMap<string, number> = new Map([
  ['matches', 1],
  ['find', 1],
  ['findAll', 1],
]);

/** Whether a call has a constant pattern, which is compiled ahead of time. Throws UnusableProgram if it is invalid. */
export function hasConstantPattern(
  expr: CallExpr,
  context: Pick<PlanContext, 'ast' | 'functions' | 'regexes'>,
): boolean {
  const place = patternFunctions.get(expr.name);
  if (place === undefined) return false;
  const operands = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
  const operand = operands[place];
  const pattern = operand && constantValue(operand, context);
  if (typeof pattern !== 'string') return false;
  const regex = context.regexes.get(pattern);
  if (isError(regex)) throw new UnusableProgram(regex);
  return true;
}
