import type { ComprehensionExpr } from '../ast/expression.ts';
import { CelError, isError } from '../values/cel-error.ts';
import { CelList, GrowingList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { GrowingMap } from '../values/growing-map.ts';
import type { Result } from '../values/value.ts';
import { type Frame, type Step, unset } from './frame.ts';
import type { Local, PlanContext } from './plan-context.ts';

interface Loop {
  readonly condition: Step;
  readonly step: Step;
  readonly accu: number;
  readonly first: number;
  readonly second: number | undefined;
}

/** Plans a loop. The accumulator is initialized, and charged, on its first read. */
export function planComprehension(expr: ComprehensionExpr, context: PlanContext): Step {
  const range = context.plan(expr.range, context);
  // The initial value is computed while the loop's variables are in use, so it needs slots behind theirs.
  const start = context.plan(expr.init, { ...context, slots: context.slots + 3 });
  const init: Step = (frame) => growing(start(frame));
  const accu = context.slots;
  const first = accu + 1;
  const second = expr.iterVar2 === undefined ? undefined : accu + 2;
  const withAccu = scope(context, [[expr.accuVar, { slot: accu, init }]]);
  const inLoop = scope(withAccu, [
    [expr.iterVar, { slot: first, init: undefined }],
    [expr.iterVar2, { slot: second ?? first, init: undefined }],
  ]);
  const condition = context.plan(expr.condition, inLoop);
  const step = context.plan(expr.step, inLoop);
  const result = context.plan(expr.result, withAccu);
  const loop: Loop = { condition, step, accu, first, second };
  return (frame) => {
    const values = range(frame);
    if (isError(values)) return values;
    frame.locals[accu] = unset;
    if (values instanceof CelList) runList(frame, loop, values);
    else if (values instanceof CelMap) runMap(frame, loop, values);
    else return new CelError('unsupported comprehension range type');
    return result(frame);
  };
}

function scope(context: PlanContext, variables: readonly [string | undefined, Local][]): PlanContext {
  const locals = new Map(context.locals);
  for (const [name, local] of variables) if (name !== undefined) locals.set(name, local);
  return { ...context, locals, slots: context.slots + 3 };
}

/** Empty initial lists and maps can grow without copying. */
function growing(value: Result): Result {
  if (value instanceof CelList && value.size === 0) return new GrowingList();
  return value instanceof CelMap && value.size === 0 ? new GrowingMap() : value;
}

function runList(frame: Frame, loop: Loop, list: CelList): void {
  for (let index = 0; index < list.size; index++) {
    const value = list.at(index);
    frame.locals[loop.first] = loop.second === undefined ? value : index;
    if (loop.second !== undefined) frame.locals[loop.second] = value;
    if (!turn(frame, loop)) return;
  }
}

function runMap(frame: Frame, loop: Loop, map: CelMap): void {
  for (const key of map.keys()) {
    frame.locals[loop.first] = key;
    if (loop.second !== undefined) frame.locals[loop.second] = map.find(key) ?? null;
    if (!turn(frame, loop)) return;
  }
}

/** One iteration; false at the end of the loop. A failing condition does not end it. */
function turn(frame: Frame, loop: Loop): boolean {
  frame.turn();
  if (loop.condition(frame) === false) return false;
  frame.locals[loop.accu] = loop.step(frame);
  return true;
}
