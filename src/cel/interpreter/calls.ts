import type { CallExpr, Expr } from '../ast/expression.ts';
import { type ActualCost, actualCostOf } from '../cost/actual-cost.ts';
import { dispatch, type Implementation } from '../functions/function.ts';
import { isError, noSuchOverload } from '../values/cel-error.ts';
import { valuesEqual } from '../values/equality.ts';
import { CelList } from '../values/list.ts';
import { keyIdentity } from '../values/map.ts';
import { CelOptional } from '../values/optional.ts';
import type { Result, Value } from '../values/value.ts';
import { constantValue } from './constants.ts';
import type { Frame, Step } from './frame.ts';
import type { PlanContext } from './plan-context.ts';
import { hasConstantPattern } from './constant-patterns.ts';

/** Plans a call that is not an attribute. */
export function planCall(expr: CallExpr, context: PlanContext): Step {
  const operandExprs = operandsOf(expr);
  const operands = operandExprs.map((operand) => context.plan(operand, context));
  switch (expr.name) {
    case '_&&_':
      return planLogic(operands, false);
    case '_||_':
      return planLogic(operands, true);
    case '@not_strictly_false':
      return planNotStrictlyFalse(operands);
    case '_==_':
      return planStrict(expr, operands, context, valuesEqual);
    case '_!=_':
      return planStrict(expr, operands, context, (left, right) => valuesEqual(left, right) !== true);
    case 'or':
    case 'orValue':
      if (operands.length === 2) return planOptionalOr(operands, expr.name === 'orValue');
      break;
    case '@in': {
      const membership = planMembership(expr, operands, context);
      if (membership !== undefined) return membership;
      break;
    }
    default:
  }
  const call = implementationOf(expr, context);
  const isVariadic = context.functions.get(expr.name)?.isVariadic === true;
  if (!hasConstantPattern(expr, context) && !isVariadic) return planStrict(expr, operands, context, call);
  // cel-go compiles a constant pattern ahead of time; the replaced call stops at a failing operand.
  return planVariadic(operands, actualCostOf(expr.name, overloadIdOf(expr, context), context.costs), call);
}

/** The target, if any, and the arguments. */
export function operandsOf(expr: CallExpr): readonly Expr[] {
  return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
}

/** Dispatches a call: to the one overload that the checker found, or at run time. */
export function implementationOf(
  expr: CallExpr,
  context: Pick<PlanContext, 'ast' | 'functions'>,
): Implementation {
  const overloads = context.ast.overloads(expr);
  const [only] = overloads;
  const declaration = context.functions.get(expr.name);
  if (declaration === undefined) return () => noSuchOverload;
  const member = expr.target !== undefined;
  if (only === undefined || overloads.length > 1) return (...args) => dispatch(declaration, member, args);
  return (...args) =>
    only.accepts(args) ? only.call(...args) : dispatch({ ...declaration, overloads: [] }, member, args);
}

/** The id of the overload that the checker found; empty if there are several. */
export function overloadIdOf(expr: CallExpr, context: Pick<PlanContext, 'ast'>): string {
  const overloads = context.ast.overloads(expr);
  return overloads.length === 1 ? (overloads[0]?.id ?? '') : '';
}

/**
 * A call whose operands must all be values. With one or two operands, cel-go evaluates and charges all of them even if
 * one fails; with more, it stops at the first failing one, and charges for the call only if that was the last.
 */
function planStrict(
  expr: CallExpr,
  operands: readonly Step[],
  context: PlanContext,
  call: Implementation,
): Step {
  const cost = actualCostOf(expr.name, overloadIdOf(expr, context), context.costs);
  const [first, second] = operands;
  if (first === undefined) return (frame) => paid(frame, cost, [], () => call());
  if (second === undefined) {
    return (frame) => {
      const value = first(frame);
      return paid(frame, cost, [value], () => (isError(value) ? value : call(value)));
    };
  }
  if (operands.length > 2) return planVariadic(operands, cost, call);
  return (frame) => {
    const left = first(frame);
    const right = second(frame);
    const both = (): Result => (isError(left) ? left : isError(right) ? right : call(left, right));
    return paid(frame, cost, [left, right], both);
  };
}

function planVariadic(operands: readonly Step[], cost: ActualCost, call: Implementation): Step {
  return (frame) => {
    const values: Value[] = [];
    for (const operand of operands) {
      const value = operand(frame);
      if (isError(value))
        return values.length === operands.length - 1
          ? paid(frame, cost, [...values, value], () => value)
          : value;
      values.push(value);
    }
    return paid(frame, cost, values, () => call(...values));
  };
}

/** Charges for a call and runs it, in this order where possible: a call above the limit does not run. */
function paid(frame: Frame, cost: ActualCost, args: readonly Result[], call: () => Result): Result {
  if (cost.dependsOnResult) {
    const result = call();
    frame.charge(cost.of(args, result));
    return result;
  }
  frame.charge(cost.fixed ?? cost.of(args, null));
  return call();
}

/** `&&` and `||`: the decisive value wins over errors on either side. */
function planLogic(operands: readonly Step[], deciding: boolean): Step {
  return (frame) => {
    let failure: Result | undefined;
    for (const operand of operands) {
      const value = operand(frame);
      if (value === deciding) return deciding;
      if (typeof value !== 'boolean') failure ??= isError(value) ? value : noSuchOverload;
    }
    return failure ?? !deciding;
  };
}

function planNotStrictlyFalse([operand]: readonly Step[]): Step {
  return (frame) => {
    const value = operand?.(frame);
    frame.charge(1);
    return typeof value === 'boolean' ? value : true;
  };
}

/** `a.or(b)` and `a.orValue(b)`: the right side is evaluated lazily, and the call is free. */
function planOptionalOr([left, right]: readonly Step[], wantsValue: boolean): Step {
  return (frame) => {
    const value = left?.(frame) ?? null;
    if (isError(value)) return value;
    if (!(value instanceof CelOptional)) return noSuchOverload;
    if (value.value === undefined) return right?.(frame) ?? null;
    return wantsValue ? value.value : value;
  };
}

/** `x in [constants]` is a set lookup, which is free; an empty list needs no lookup. */
function planMembership(expr: CallExpr, operands: readonly Step[], context: PlanContext): Step | undefined {
  const [needle] = operands;
  const set = constantSet(expr, context);
  if (set === undefined || needle === undefined) return undefined;
  if (set.size === 0) return () => false;
  return (frame) => {
    const value = needle(frame);
    return isError(value) ? value : set.has(keyIdentity(value));
  };
}

/** The constant set of `x in [constants]`; undefined for other calls. */
export function constantSet(
  expr: CallExpr,
  context: Pick<PlanContext, 'ast' | 'functions'>,
): ReadonlySet<unknown> | undefined {
  const list = expr.args[1];
  if (list === undefined || overloadIdOf(expr, context) !== 'in_list') return undefined;
  const constant = constantValue(list, context);
  const elements = constant instanceof CelList ? constant.elements() : undefined;
  if (elements === undefined || isError(elements)) return undefined;
  const identities = elements.map(keyIdentity);
  const isScalar = (identity: unknown): boolean => typeof identity !== 'object' && identity !== null;
  return identities.every(isScalar) ? new Set(identities) : undefined;
}
