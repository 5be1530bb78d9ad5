import type { Expr } from '../ast/expression.ts';
import { CelError } from '../values/cel-error.ts';
import { isAttribute, planAttribute } from './attributes.ts';
import { planCall } from './calls.ts';
import { planComprehension } from './comprehension.ts';
import { constantValue } from './constants.ts';
import type { Step } from './frame.ts';
import { planList, planMap, planStruct } from './literals.ts';
import type { PlanContext } from './plan-context.ts';

/**
 * Makes a node executable. The cost of the plan is exactly that of cel-go's tracker. Throws UnusableProgram if a
 * constant part fails.
 */
export function plan(expr: Expr, context: PlanContext): Step {
  const step = planNode(expr, context);
  return context.watch === undefined ? step : context.watch(expr, step, context);
}

function planNode(expr: Expr, context: PlanContext): Step {
  const constant = constantValue(expr, context);
  if (constant !== undefined) return () => constant;
  if (isAttribute(expr, context)) return planAttribute(expr, context);
  switch (expr.kind) {
    case 'call':
      return planCall(expr, context);
    case 'list':
      return planList(expr, context);
    case 'map':
      return planMap(expr, context);
    case 'struct':
      return planStruct(expr, context);
    case 'comprehension':
      return planComprehension(expr, context);
    default:
      return () => new CelError('unsupported expression');
  }
}
