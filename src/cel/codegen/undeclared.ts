import type { CallExpr } from '../ast/expression.ts';
import { actualCostOf } from '../cost/actual-cost.ts';
import type { Implementation } from '../functions/function.ts';
import { overloadIdOf } from '../interpreter/calls.ts';
import type { Generator } from './generator.ts';
import { type Operand, type RawOperand, value } from './operand.ts';
import { literal, property } from './source-text.ts';

/**
 * Code for undeclared JSON (`dyn`), such as `object` and `params` of admission expressions. It is read in place as long
 * as it is what it mostly is: a plain object with a field, an array, a string or a number. Everything else becomes a
 * value first, as in the interpreter.
 */

/** A field; the value is undefined if it is absent. */
function rawField({ js, type }: RawOperand, field: string, { emitter, context }: Generator): string {
  const other = `peek(${js}, ${literal(field)}, ${emitter.constant(context.readers.of(type))})`;
  return emitter.recall(`${js}.constructor === Object ? ${property(js, field)} : ${other}`);
}

export function generateRawField(operand: RawOperand, field: string, generator: Generator): Operand {
  const { emitter } = generator;
  emitter.charge(1);
  const js = rawField(operand, field, generator);
  emitter.bailOnceIf(`${js} === undefined`);
  return { form: 'raw', js, type: operand.type };
}

/** A present but unreadable value is an error, also in `has`: an integer that is out of range. */
export function generateRawPresence(operand: RawOperand, field: string, generator: Generator): Operand {
  const { emitter } = generator;
  emitter.charge(1);
  const js = rawField(operand, field, generator);
  emitter.bailOnceIf(`typeof ${js} === 'bigint'`);
  return value(emitter.keep(`${js} !== undefined`));
}

/** An element at an index of a static type; undefined for other types. */
export function generateRawElement(
  { js, type }: RawOperand,
  { index, kind }: { readonly index: Operand; readonly kind: string },
  { emitter, context }: Generator,
): Operand | undefined {
  if (index.form !== 'value' || (kind !== 'string' && kind !== 'int')) return undefined;
  emitter.charge(1);
  const reader = emitter.constant(context.readers.of(type));
  const element = emitter.keep(`${kind === 'int' ? 'element' : 'entry'}(${js}, ${index.js}, ${reader})`);
  emitter.bailIf(`${element} === undefined`);
  return { form: 'raw', js: element, type };
}

/** Whether a call may be generated for numbers or strings whose type is only known at run time. */
function isUndeclared(operands: readonly Operand[]): boolean {
  return (
    operands.some(({ form }) => form === 'raw') &&
    operands.every(({ form }) => form === 'raw' || form === 'value')
  );
}

/** One case of operands that is known at run time. */
interface Quick {
  readonly condition: string;
  /** Emits its cost; returns the result. */
  readonly write: () => string;
}

/** Quick cases, and the generic call for everything else. */
function generateCases(quick: readonly Quick[], generic: () => string, { emitter }: Generator): Operand {
  const result = emitter.name();
  emitter.line(`let ${result};`);
  for (const [index, { condition, write }] of quick.entries()) {
    emitter.block(`${index === 0 ? '' : 'else '}if (${condition})`, () =>
      emitter.line(`${result} = ${write()};`),
    );
  }
  emitter.block('else', () => emitter.line(`${result} = ${generic()};`));
  return value(result);
}

const both = (kind: string, left: string, right: string): string =>
  `typeof ${left} === '${kind}' && typeof ${right} === '${kind}'`;

/** `==` and `!=`; undefined if neither operand is undeclared JSON. */
export function generateRawEquality(
  operands: readonly Operand[],
  isEqual: boolean,
  generic: () => string,
  generator: Generator,
): Operand | undefined {
  const [left, right] = operands;
  if (left === undefined || right === undefined || !isUndeclared(operands)) return undefined;
  const { emitter } = generator;
  const compared = `${left.js} ${isEqual ? '===' : '!=='} ${right.js}`;
  const texts: Quick = {
    condition: both('string', left.js, right.js),
    write: () => {
      emitter.chargeBy(`comparisonCost(${left.js}, ${right.js})`);
      return compared;
    },
  };
  const single = (kind: string): Quick => ({
    condition: both(kind, left.js, right.js),
    write: () => {
      emitter.charge(1);
      return compared;
    },
  });
  return generateCases([texts, single('number'), single('boolean')], generic, generator);
}

const orders: ReadonlyMap<string, string> = new Map([
  ['_<_', '<'],
  ['_<=_', '<='],
  ['_>_', '>'],
  ['_>=_', '>='],
]);

/**
 * A call whose overload is only known at run time: an order of numbers, the size of a string or a list, a call with one
 * string. Undefined for all others.
 */
export function generateRawCall(
  expr: CallExpr,
  operands: readonly Operand[],
  generic: (args: readonly string[]) => string,
  generator: Generator,
): Operand | undefined {
  const { emitter, context } = generator;
  const [first, second] = operands;
  const cost = actualCostOf(expr.name, overloadIdOf(expr, context), context.costs);
  if (first === undefined || cost.fixed === undefined || !isUndeclared(operands)) return undefined;
  const { fixed } = cost;
  const charged = (js: string) => () => {
    emitter.charge(fixed);
    return js;
  };
  const slow = (): string => generic(operands.map((operand) => emitter.keep(generator.boxed(operand))));
  const order = orders.get(expr.name);
  if (order !== undefined && second !== undefined) {
    const write = charged(`${first.js} ${order} ${second.js}`);
    return generateCases([{ condition: both('number', first.js, second.js), write }], slow, generator);
  }
  if (expr.name === 'size' && second === undefined) {
    const text = { condition: `typeof ${first.js} === 'string'`, write: charged(`len(${first.js})`) };
    const list = { condition: `isArray(${first.js})`, write: charged(`${first.js}.length`) };
    return generateCases([list, text], slow, generator);
  }
  const ofText = second === undefined ? overloadForText(expr, generator) : undefined;
  if (ofText === undefined) return undefined;
  const write = charged(`ok(${emitter.constant(ofText)}(${first.js}))`);
  const result = generateCases([{ condition: `typeof ${first.js} === 'string'`, write }], slow, generator);
  return generator.typed(result.js, generator.ast.typeOf(expr));
}

/** What a function of one argument calls for a string; undefined if it may give a double, which has another form. */
function overloadForText(expr: CallExpr, { context, ast }: Generator): Implementation | undefined {
  if (ast.typeOf(expr).kind === 'double') return undefined;
  const overloads = context.functions.get(expr.name)?.overloads ?? [];
  const isMember = expr.target !== undefined;
  return overloads.find(({ member, accepts }) => member === isMember && accepts(['']))?.call;
}
