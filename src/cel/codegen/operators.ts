import type { CallExpr, Expr } from '../ast/expression.ts';
import { regexFactor, stringFactor } from '../cost/constants.ts';
import { constantSet, operandsOf, overloadIdOf } from '../interpreter/calls.ts';
import { constantValue } from '../interpreter/constants.ts';
import { isError } from '../values/cel-error.ts';
import { codePointLength } from '../values/text.ts';
import type { Emitter } from './emitter.ts';
import type { Generator } from './generator.ts';
import { double, type Operand, value } from './operand.ts';
import { scanCost } from './texts.ts';
import { generateRawEquality } from './undeclared.ts';

/** The code of a call that is not a plain function call; undefined for all others. */
export function generateOperator(expr: CallExpr, generator: Generator): Operand | undefined {
  switch (expr.name) {
    case '_&&_':
      return generateLogic(expr, generator, true);
    case '_||_':
      return generateLogic(expr, generator, false);
    case '!_':
      return generateNot(expr, generator);
    case '@not_strictly_false': {
      const [operand] = expr.args;
      if (operand === undefined) return undefined;
      generator.emitter.charge(1);
      return value(generator.bool(operand));
    }
    case '_==_':
    case '_!=_':
      return generateEquality(expr, generator, expr.name === '_==_');
    case '@in':
      return generateMembership(expr, generator);
    case 'or':
    case 'orValue':
      return generateOptionalOr(expr, generator, expr.name === 'orValue');
    default:
      return generateByOverload(expr, generator);
  }
}

function generateLogic(expr: CallExpr, generator: Generator, isAnd: boolean): Operand {
  const { emitter } = generator;
  const [leftExpr, right] = expr.args;
  if (leftExpr === undefined || right === undefined) return value(String(isAnd));
  const left = generator.bool(leftExpr);
  // In a loop it is known that the left side is not decisive; the right one then needs no separate block.
  if (left === String(isAnd)) return value(generator.bool(right));
  const result = emitter.name();
  emitter.line(`let ${result} = ${left};`);
  emitter.block(`if (${isAnd ? '' : '!'}${result})`, () =>
    emitter.line(`${result} = ${generator.bool(right)};`),
  );
  return value(result);
}

function generateNot(expr: CallExpr, generator: Generator): Operand | undefined {
  const [operand] = expr.args;
  if (operand === undefined) return undefined;
  generator.emitter.charge(1);
  return value(`!${generator.bool(operand)}`);
}

/** The right side is evaluated only for an empty optional; the call itself is free. */
function generateOptionalOr(expr: CallExpr, generator: Generator, wantsValue: boolean): Operand | undefined {
  const { emitter } = generator;
  const [right] = expr.args;
  if (expr.target === undefined || right === undefined) return undefined;
  const left = emitter.keep(generator.boxed(generator.generate(expr.target)));
  emitter.bailIf(`!isOptional(${left})`);
  const result = emitter.name();
  emitter.line(`let ${result} = ${left}${wantsValue ? '.value' : ''};`);
  emitter.block(`if (${left}.value === undefined)`, () => {
    emitter.line(`${result} = ${generator.boxed(generator.generate(right))};`);
  });
  return generator.typed(result, generator.ast.typeOf(expr));
}

const scalarKinds: ReadonlySet<string> = new Set(['bool', 'int', 'string', 'double']);

function generateEquality(expr: CallExpr, generator: Generator, isEqual: boolean): Operand | undefined {
  const [leftExpr, rightExpr] = expr.args;
  if (leftExpr === undefined || rightExpr === undefined) return undefined;
  const { emitter, ast } = generator;
  const left = generator.generate(leftExpr);
  const right = generator.generate(rightExpr);
  const kind = ast.typeOf(leftExpr).kind;
  const isScalar = scalarKinds.has(kind) && kind === ast.typeOf(rightExpr).kind && left.form === right.form;
  if (isScalar) {
    if (kind === 'string') chargeComparison([leftExpr, left.js], [rightExpr, right.js], emitter);
    else emitter.charge(1);
    return value(emitter.keep(`${left.js} ${isEqual ? '===' : '!=='} ${right.js}`));
  }
  const generic = (): string => {
    const args = [emitter.keep(generator.boxed(left)), emitter.keep(generator.boxed(right))];
    // `==` is always charged as its only overload, whatever the checker found.
    return generator.paidCall(expr, args, `${isEqual ? 'equal' : 'different'}(${args.join(', ')})`);
  };
  return generateRawEquality([left, right], isEqual, generic, generator) ?? value(generic());
}

/** A tenth of the shorter string's length, rounded up; a constant if one of them is a short literal. */
function chargeComparison(
  [leftExpr, left]: readonly [Expr, string],
  [rightExpr, right]: readonly [Expr, string],
  emitter: Emitter,
): void {
  for (const [constant, other] of [
    [leftExpr, right],
    [rightExpr, left],
  ] as const) {
    if (constant.kind !== 'const' || typeof constant.value !== 'string') continue;
    const cost = scanCost(constant.value);
    if (cost === 0) return;
    if (cost === 1) return emitter.chargeBy(`${other}.length === 0 ? 0 : 1`);
  }
  emitter.chargeBy(`comparisonCost(${left}, ${right})`);
}

function generateMembership(expr: CallExpr, generator: Generator): Operand | undefined {
  const { emitter } = generator;
  const [needleExpr, containerExpr] = expr.args;
  if (needleExpr === undefined || containerExpr === undefined) return undefined;
  const kind = generator.ast.typeOf(needleExpr).kind;
  const set = constantSet(expr, generator.context);
  if (set !== undefined) {
    if (set.size === 0) return value('false');
    const needle = generator.generate(needleExpr);
    const isPlain = ['string', 'int', 'bool'].includes(kind) && needle.form === 'value';
    const identity = isPlain ? needle.js : `keyIdentity(${generator.boxed(needle)})`;
    return value(emitter.keep(`${emitter.constant(set)}.has(${identity})`));
  }
  if (kind !== 'string' || overloadIdOf(expr, generator.context) !== 'in_list') return undefined;
  const needle = generator.generate(needleExpr);
  const container = generator.generate(containerExpr);
  if (container.form !== 'data' || container.type.kind !== 'list' || container.type.items.kind !== 'string') {
    return undefinedAfter(expr, [needle, container], generator);
  }
  emitter.chargeBy(`${container.js}.length`);
  const found = emitter.name();
  const item = emitter.name();
  emitter.line(`let ${found} = false;`);
  emitter.block(`for (const ${item} of ${container.js})`, () => {
    emitter.bailIf(`typeof ${item} !== 'string'`);
    emitter.line(`if (${item} === ${needle.js}) { ${found} = true; break; }`);
  });
  return value(found);
}

/** Both operands are already generated, so the call can be emitted. */
function undefinedAfter(expr: CallExpr, operands: readonly Operand[], generator: Generator): Operand {
  const { emitter } = generator;
  const args = operands.map((operand) => emitter.keep(generator.boxed(operand)));
  const [only] = generator.ast.overloads(expr);
  const call = `ok(${emitter.constant(only?.call)}(${args.join(', ')}))`;
  return generator.typed(generator.paidCall(expr, args, call), generator.ast.typeOf(expr));
}

type Write = (args: readonly Operand[], exprs: readonly Expr[], generator: Generator) => Operand | undefined;

/** Ints that leave the safe range bail out to the interpreter. */
function intArithmetic(operator: '+' | '-' | '*'): Write {
  return ([left, right], _, { emitter }) => {
    if (left === undefined || right === undefined) return undefined;
    emitter.charge(1);
    const result = emitter.keep(`${left.js} ${operator} ${right.js}${operator === '*' ? ' + 0' : ''}`);
    emitter.bailIf(`!isInt(${result})`);
    return value(result);
  };
}

const intDivision =
  (code: (left: string, right: string) => string): Write =>
  ([left, right], _, { emitter }) => {
    if (left === undefined || right === undefined) return undefined;
    emitter.charge(1);
    emitter.bailIf(`${right.js} === 0`);
    return value(emitter.keep(code(left.js, right.js)));
  };

function doubleArithmetic(operator: string): Write {
  return ([left, right], _, { emitter }) => {
    if (left?.form !== 'double' || right?.form !== 'double') return undefined;
    emitter.charge(1);
    return double(emitter.keep(`${left.js} ${operator} ${right.js}`));
  };
}

/** Comparing NaN is an error. */
function numberOrder(operator: string): Write {
  return ([left, right], _, { emitter }) => {
    if (left === undefined || right === undefined) return undefined;
    emitter.charge(1);
    for (const side of [left, right]) if (side.form === 'double') emitter.bailIf(`${side.js} !== ${side.js}`);
    return value(emitter.keep(`${left.js} ${operator} ${right.js}`));
  };
}

function textOrder(operator: string): Write {
  return ([left, right], [leftExpr, rightExpr], { emitter }) => {
    if (left === undefined || right === undefined || leftExpr === undefined || rightExpr === undefined)
      return undefined;
    chargeComparison([leftExpr, left.js], [rightExpr, right.js], emitter);
    return value(emitter.keep(`compareStrings(${left.js}, ${right.js}) ${operator} 0`));
  };
}

/** Whether a string starts or ends with another, whose length is charged. V8 is fastest with a slice. */
const partTest =
  (cut: (text: string, part: string) => string): Write =>
  ([text, part], [, partExpr], { emitter }) => {
    if (text === undefined || part === undefined) return undefined;
    const constant =
      partExpr?.kind === 'const' && typeof partExpr.value === 'string' ? partExpr.value : undefined;
    if (constant === undefined) emitter.chargeBy(`scanCost(${part.js})`);
    else emitter.charge(scanCost(constant));
    return value(emitter.keep(`${cut(text.js, part.js)} === ${part.js}`));
  };

const contains: Write = ([text, part], _, { emitter }) => {
  if (text === undefined || part === undefined) return undefined;
  emitter.chargeBy(`scanCost(${text.js}) * scanCost(${part.js})`);
  return value(emitter.keep(`${text.js}.includes(${part.js})`));
};

const concat: Write = ([left, right], _, { emitter }) => {
  if (left === undefined || right === undefined) return undefined;
  emitter.chargeBy(`ceil((len(${left.js}) + len(${right.js})) * ${stringFactor})`);
  return value(emitter.keep(`${left.js} + ${right.js}`));
};

/** A constant pattern is compiled once. */
const matches: Write = ([text], [, patternExpr], { emitter, context }) => {
  const pattern = patternExpr && constantValue(patternExpr, context);
  if (text === undefined || typeof pattern !== 'string') return undefined;
  const regex = context.regexes.get(pattern);
  if (isError(regex)) return undefined;
  const patternCost = Math.ceil(codePointLength(pattern) * regexFactor);
  emitter.chargeBy(`scanCost(${text.js}, 1) * ${patternCost}`);
  return value(emitter.keep(`${emitter.constant(regex)}.test(${text.js})`));
};

const textSize: Write = ([text], _, { emitter }) => {
  if (text === undefined) return undefined;
  emitter.charge(1);
  return value(emitter.keep(`len(${text.js})`));
};

const containerSize: Write = ([container], _, { emitter }) => {
  if (container?.form !== 'data') return undefined;
  emitter.charge(1);
  return value(
    emitter.keep(
      container.type.kind === 'list' ? `${container.js}.length` : `keysOf(${container.js}).length`,
    ),
  );
};

/** Number and string overloads with a corresponding JavaScript operator or method. */
const overloads: ReadonlyMap<string, Write> = new Map<string, Write>([
  ['add_int64', intArithmetic('+')],
  ['subtract_int64', intArithmetic('-')],
  ['multiply_int64', intArithmetic('*')],
  ['divide_int64', intDivision((left, right) => `trunc(${left} / ${right}) + 0`)],
  ['modulo_int64', intDivision((left, right) => `(${left} % ${right}) + 0`)],
  ['add_double', doubleArithmetic('+')],
  ['subtract_double', doubleArithmetic('-')],
  ['multiply_double', doubleArithmetic('*')],
  ['divide_double', doubleArithmetic('/')],
  ...(
    [
      ['less', '<'],
      ['less_equals', '<='],
      ['greater', '>'],
      ['greater_equals', '>='],
    ] as const
  ).flatMap(([name, operator]): [string, Write][] => [
    [`${name}_int64`, numberOrder(operator)],
    [`${name}_double`, numberOrder(operator)],
    [`${name}_int64_double`, numberOrder(operator)],
    [`${name}_double_int64`, numberOrder(operator)],
    [`${name}_string`, textOrder(operator)],
  ]),
  ['add_string', concat],
  ['starts_with_string', partTest((text, part) => `${text}.slice(0, ${part}.length)`)],
  ['ends_with_string', partTest((text, part) => `${text}.slice(${text}.length - ${part}.length)`)],
  ['contains_string', contains],
  ['matches', matches],
  ['matches_string', matches],
  ['size_string', textSize],
  ['string_size', textSize],
  ['size_list', containerSize],
  ['list_size', containerSize],
  ['size_map', containerSize],
  ['map_size', containerSize],
]);

function generateByOverload(expr: CallExpr, generator: Generator): Operand | undefined {
  const overloadId = overloadIdOf(expr, generator.context);
  const write = overloads.get(overloadId);
  if (write === undefined || generator.hasOwnCost(expr.name, overloadId)) return undefined;
  const exprs = operandsOf(expr);
  // A dyn argument may have any type at run time.
  if (exprs.some((operand) => generator.ast.typeOf(operand).kind === 'dyn')) return undefined;
  const operands = exprs.map((operand) => generator.generate(operand));
  return write(operands, exprs, generator) ?? undefinedAfter(expr, operands, generator);
}
