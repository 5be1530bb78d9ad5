import type { CallExpr, Expr, IdentExpr, SelectExpr } from '../ast/expression.ts';
import { CelError, isError, noSuchOverload } from '../values/cel-error.ts';
import { CelDouble } from '../values/double.ts';
import { isInt } from '../values/int.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { CelMessage } from '../values/message.ts';
import { CelOptional, optionalNone } from '../values/optional.ts';
import { typeNameOf } from '../values/type-name.ts';
import { CelUint } from '../values/uint.ts';
import type { Result, Value } from '../values/value.ts';
import { formatKey } from './format-key.ts';
import { type Frame, type Step, unset } from './frame.ts';
import { own } from '../data/own.ts';
import { type ConstantContext, constantValue, UnusableProgram } from './constants.ts';
import type { PlanContext } from './plan-context.ts';

/**
 * Attributes are cel-go's term for a variable with the fields and indexes behind it, and for conditionals. An attribute
 * costs 1 as a whole, plus 1 for each field or index; a conditional itself is free, and the attribute it selects is not
 * charged as a whole.
 */
export function isAttribute(expr: Expr, context: ConstantContext): boolean {
  switch (expr.kind) {
    case 'ident':
      return constantValue(expr, context) === undefined;
    case 'select':
      return true;
    case 'call':
      return expr.target === undefined && attributeCalls.has(expr.name);
    default:
      return false;
  }
}

const attributeCalls: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._', '_?_:_']);

/** Plans an attribute including its cost as a whole. */
export function planAttribute(expr: Expr, context: PlanContext): Step {
  const resolve = planResolution(expr, context);
  if (isConditionalBelow(expr, context)) {
    if (expr.kind !== 'select' || !expr.test) return resolve;
    // cel-go refunds for `has` what it never charged.
    return (frame) => {
      const result = resolve(frame);
      frame.charge(-1);
      return result;
    };
  }
  if (expr.kind === 'select' && expr.test) return resolve;
  return (frame) => {
    const result = resolve(frame);
    frame.charge(1);
    return result;
  };
}

/** Whether the chain of fields and indexes starts with a conditional. */
export function isConditionalBelow(expr: Expr, context: ConstantContext): boolean {
  if (expr.kind === 'call' && expr.name === '_?_:_') return true;
  const operand = expr.kind === 'select' ? expr.operand : expr.kind === 'call' ? expr.args[0] : undefined;
  return operand !== undefined && isAttribute(operand, context) && isConditionalBelow(operand, context);
}

/** Plans an attribute without its cost as a whole. */
function planResolution(expr: Expr, context: PlanContext): Step {
  if (expr.kind === 'ident') return planVariable(expr, context);
  if (expr.kind === 'select') return expr.test ? planPresence(expr, context) : planSelect(expr, context);
  if (expr.kind === 'call')
    return expr.name === '_?_:_' ? planConditional(expr, context) : planIndex(expr, context);
  return context.plan(expr, context);
}

/** Whether this node extends an attribute: before a field or an index, or behind a condition. */
export function isPartOfAttribute(expr: Expr, context: ConstantContext): boolean {
  return isAttribute(expr, context) && !(expr.kind === 'select' && expr.test);
}

/** Plans the operand of a field selection, of an index, or of a conditional. */
function planPart(expr: Expr, context: PlanContext): Step {
  if (!isPartOfAttribute(expr, context)) return context.plan(expr, context);
  const step = planResolution(expr, context);
  return context.watch === undefined ? step : context.watch(expr, step, context);
}

function planVariable(expr: IdentExpr, context: PlanContext): Step {
  const local = context.locals.get(expr.name);
  if (local !== undefined) return planLocal(local.slot, local.init);
  const name = expr.name.replace(/^\./, '');
  const declared = context.ast.declarations.variables.get(name);
  if (declared === undefined) throw new UnusableProgram(new CelError(`reference to undefined type: ${name}`));
  const read = context.readers.of(declared);
  const isOptional = declared.kind === 'optional';
  return (frame) => {
    const known = frame.read.get(name);
    if (known !== undefined) return known;
    const raw = own(frame.bindings, name);
    const result =
      raw === undefined && !isOptional ? new CelError(`no such attribute(s): ${name}`) : read(raw);
    frame.read.set(name, result);
    return result;
  };
}

function planLocal(slot: number, init: Step | undefined): Step {
  return (frame) => {
    const value = frame.locals[slot];
    if (value !== undefined && value !== unset) return value;
    if (init === undefined) return new CelError('no such attribute');
    const first = init(frame);
    frame.locals[slot] = first;
    return first;
  };
}

function planConditional(expr: CallExpr, context: PlanContext): Step {
  const [conditionExpr, yesExpr, noExpr] = expr.args;
  if (conditionExpr === undefined || yesExpr === undefined || noExpr === undefined)
    return () => noSuchOverload;
  const condition = context.plan(conditionExpr, context);
  const yes = planPart(yesExpr, context);
  const no = planPart(noExpr, context);
  return (frame) => {
    const chosen = condition(frame);
    if (chosen === true) return yes(frame);
    if (chosen === false) return no(frame);
    return isError(chosen) ? chosen : noSuchOverload;
  };
}

function planSelect(expr: SelectExpr, context: PlanContext): Step {
  const operand = planPart(expr.operand, context);
  const { field } = expr;
  return (frame) => {
    const object = operand(frame);
    return isError(object) ? object : qualify(frame, object, field, false);
  };
}

/** `a[i]`, `a[?i]` and `a.?f`; the last one has its field name as a constant index. */
function planIndex(expr: CallExpr, context: PlanContext): Step {
  const [operandExpr, indexExpr] = expr.args;
  if (operandExpr === undefined || indexExpr === undefined) return () => noSuchOverload;
  const operand = planPart(operandExpr, context);
  const optional = expr.name !== '_[_]';
  const constant = constantValue(indexExpr, context);
  if (constant !== undefined) {
    return (frame) => {
      const object = operand(frame);
      return isError(object) ? object : qualify(frame, object, constant, optional);
    };
  }
  const index = planPart(indexExpr, context);
  return (frame) => {
    const object = operand(frame);
    if (isError(object) || object === optionalNone) return object;
    if (object instanceof CelOptional && object.value === undefined) return object;
    const key = index(frame);
    if (!isError(key)) return qualify(frame, object, key, optional);
    if (!optional && !(object instanceof CelOptional)) frame.charge(1);
    return key;
  };
}

/** One field or index: behind an optional, or if optional itself, an absent value is `optional.none()`. */
function qualify(frame: Frame, object: Value, key: Value, optional: boolean): Result {
  if (object instanceof CelOptional) {
    if (object.value === undefined) return object;
    return qualifyOptional(frame, object.value, key);
  }
  if (optional) return qualifyOptional(frame, object, key);
  const found = lookUp(object, key);
  frame.charge(1);
  return found === undefined ? missing(object, key) : found;
}

function qualifyOptional(frame: Frame, object: Value, key: Value): Result {
  const found = lookUp(object, key);
  if (found === undefined) return optionalNone;
  if (isError(found)) return found;
  frame.charge(1);
  return new CelOptional(found);
}

/** The value at a key or an index; undefined if there is none. */
export function lookUp(object: Value, key: Value): Result | undefined {
  if (object instanceof CelMap) return object.find(key);
  if (object instanceof CelMessage) return typeof key === 'string' ? object.fields.get(key) : undefined;
  if (!(object instanceof CelList)) return undefined;
  const index = listIndex(key);
  if (isError(index)) return index;
  return index >= 0 && index < object.size ? object.at(index) : undefined;
}

/** The error for an absent value. */
function missing(object: Value, key: Value): CelError {
  return new CelError(
    `${object instanceof CelList ? 'index out of bounds' : 'no such key'}: ${formatKey(key)}`,
  );
}

function listIndex(key: Value): number | CelError {
  if (isInt(key)) return Number(key);
  if (key instanceof CelUint && key.value < 2n ** 63n) return Number(key.value);
  if (key instanceof CelDouble && Number.isInteger(key.value)) return key.value;
  if (key instanceof CelUint || key instanceof CelDouble) {
    return new CelError(`unsupported index value ${formatKey(key)} in list`);
  }
  return new CelError(`unsupported index type '${typeNameOf(key)}' in list`);
}

/** `has(a.b)`: the test costs 1, as any field does; the attribute as a whole is free. */
function planPresence(expr: SelectExpr, context: PlanContext): Step {
  const operand = planPart(expr.operand, context);
  const { field } = expr;
  return (frame) => {
    const object = operand(frame);
    if (isError(object)) return object;
    if (object instanceof CelOptional) return hasBehindOptional(frame, object, field);
    const found = lookUp(object, field);
    frame.charge(1);
    return isError(found) ? found : found !== undefined;
  };
}

function hasBehindOptional(frame: Frame, object: CelOptional, field: string): Result {
  const found = object.value === undefined ? undefined : lookUp(object.value, field);
  if (found === undefined) return false;
  if (isError(found)) return found;
  frame.charge(1);
  return true;
}
