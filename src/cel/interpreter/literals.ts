import type { ListExpr, MapExpr, StructExpr } from '../ast/expression.ts';
import { listCreateCost, mapCreateCost, structCreateCost } from '../cost/constants.ts';
import { CelError, isError } from '../values/cel-error.ts';
import { ArrayList } from '../values/list.ts';
import { EntryMap, keyIdentity } from '../values/map.ts';
import { CelMessage } from '../values/message.ts';
import { CelOptional } from '../values/optional.ts';
import type { Result, Value } from '../values/value.ts';
import { formatKey } from './format-key.ts';
import type { Frame, Step } from './frame.ts';
import type { PlanContext } from './plan-context.ts';

/** Plans a list literal that is not constant. */
export function planList(expr: ListExpr, context: PlanContext): Step {
  const elements = expr.elements.map((element) => context.plan(element, context));
  const { optionals } = expr;
  return (frame) => charged(frame, listCreateCost, makeList(frame, elements, optionals));
}

function charged(frame: Frame, cost: number, result: Result): Result {
  frame.charge(cost);
  return result;
}

function makeList(frame: Frame, elements: readonly Step[], optionals: ReadonlySet<number>): Result {
  const values: Value[] = [];
  for (const [index, element] of elements.entries()) {
    const value = element(frame);
    if (isError(value)) return value;
    if (!optionals.has(index)) values.push(value);
    else if (!(value instanceof CelOptional)) {
      return new CelError(
        `cannot initialize optional list element from non-optional value ${formatKey(value)}`,
      );
    } else if (value.value !== undefined) values.push(value.value);
  }
  return new ArrayList(values);
}

interface EntrySteps {
  readonly key: Step;
  readonly value: Step;
  readonly optional: boolean;
}

/** Plans a map literal that is not constant. */
export function planMap(expr: MapExpr, context: PlanContext): Step {
  const entries = expr.entries.map(
    (entry): EntrySteps => ({
      key: context.plan(entry.key, context),
      value: context.plan(entry.value, context),
      optional: entry.optional,
    }),
  );
  return (frame) => charged(frame, mapCreateCost, makeMap(frame, entries));
}

function makeMap(frame: Frame, entries: readonly EntrySteps[]): Result {
  const made = new Map<unknown, readonly [Value, Value]>();
  for (const entry of entries) {
    const key = entry.key(frame);
    if (isError(key)) return key;
    const value = entry.value(frame);
    if (isError(value)) return value;
    if (!entry.optional) made.set(keyIdentity(key), [key, value]);
    else if (!(value instanceof CelOptional)) {
      const shown = `'${formatKey(key)}' from non-optional value ${formatKey(value)}`;
      return new CelError(`cannot initialize optional entry ${shown}`);
    } else if (value.value === undefined) made.delete(keyIdentity(key));
    else made.set(keyIdentity(key), [key, value.value]);
  }
  return new EntryMap(made);
}

interface FieldStep {
  readonly name: string;
  readonly value: Step;
  readonly optional: boolean;
}

/** Plans a message literal. */
export function planStruct(expr: StructExpr, context: PlanContext): Step {
  const { typeName } = expr;
  const fields = expr.fields.map(
    ({ name, value, optional }): FieldStep => ({ name, value: context.plan(value, context), optional }),
  );
  return (frame) => charged(frame, structCreateCost, makeMessage(frame, typeName, fields));
}

function makeMessage(frame: Frame, typeName: string, fields: readonly FieldStep[]): Result {
  const made = new Map<string, Value>();
  for (const { name, value: step, optional } of fields) {
    const value = step(frame);
    if (isError(value)) return value;
    if (!optional) made.set(name, value);
    else if (!(value instanceof CelOptional)) {
      return new CelError(
        `cannot initialize optional entry '${name}' from non-optional value ${formatKey(value)}`,
      );
    } else if (value.value === undefined) made.delete(name);
    else made.set(name, value.value);
  }
  return new CelMessage(typeName, made);
}
