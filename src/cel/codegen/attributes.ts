import type { CallExpr, Expr, SelectExpr } from '../ast/expression.ts';
import { isConditionalBelow, isPartOfAttribute } from '../interpreter/attributes.ts';
import { constantValue } from '../interpreter/constants.ts';
import { fieldOf } from '../types/declared-type.ts';
import { isOptionalType, type Type } from '../types/type.ts';
import type { Generator, LocalOperand } from './generator.ts';
import { type Operand, Unsupported, value } from './operand.ts';
import { literal, property } from './source-text.ts';
import { generateRawElement, generateRawField, generateRawPresence } from './undeclared.ts';

/**
 * Generates an attribute (see interpreter/attributes.ts), charged as a whole unless a field follows it or it is behind
 * a condition.
 */
export function generateAttribute(expr: Expr, generator: Generator, asWhole: boolean): Operand {
  if (asWhole && !isConditionalBelow(expr, generator.context)) {
    if (expr.kind !== 'select' || !expr.test) generator.emitter.charge(1);
  } else if (asWhole && expr.kind === 'select' && expr.test) generator.emitter.charge(-1);
  if (expr.kind === 'ident') return generateIdent(expr.name, expr, generator);
  if (expr.kind === 'select')
    return expr.test ? generatePresence(expr, generator) : generateSelect(expr, generator);
  if (expr.kind !== 'call') throw new Unsupported(expr.kind);
  return expr.name === '_?_:_' ? generateConditional(expr, generator) : generateIndex(expr, generator);
}

/** The operand of a field selection, of an index, or of a conditional. */
function generatePart(expr: Expr, generator: Generator): Operand {
  return isPartOfAttribute(expr, generator.context)
    ? generateAttribute(expr, generator, false)
    : generator.generate(expr);
}

function generateIdent(name: string, expr: Expr & { kind: 'ident' }, generator: Generator): Operand {
  const local = generator.locals.get(name);
  return local === undefined ? generator.variable(expr) : useLocal(local, generator);
}

function useLocal(local: LocalOperand, generator: Generator): Operand {
  if (local.form !== 'lazy') return local;
  return generator.typed(generator.emitter.keep(`${local.js}()`), local.type);
}

function generateSelect(expr: SelectExpr, generator: Generator): Operand {
  const operand = generatePart(expr.operand, generator);
  return generateField(expr, operand, expr.field, generator);
}

/** Selects one field of the operand. */
function generateField(expr: SelectExpr, operand: Operand, field: string, generator: Generator): Operand {
  const { emitter } = generator;
  if (operand.form === 'data' && operand.type.kind === 'object') {
    const declared = fieldOf(operand.type, field);
    if (declared === undefined) throw new Unsupported('a field that is not declared');
    emitter.charge(1);
    const raw = emitter.recall(property(operand.js, declared.property));
    return generator.readPresent(raw, declared.type);
  }
  if (operand.form === 'data' && operand.type.kind === 'map')
    return generateMapValue(operand, literal(field), generator);
  if (operand.form === 'raw') return generateRawField(operand, field, generator);
  const operandType = generator.ast.typeOf(expr.operand);
  return generateFound({ expr, operandType }, operand, literal(field), generator);
}

function generateMapValue(operand: Operand & { form: 'data' }, key: string, generator: Generator): Operand {
  const { emitter } = generator;
  if (operand.type.kind !== 'map') throw new Unsupported('a key of what is no map');
  emitter.charge(1);
  emitter.bailIf(`!hasOwn(${operand.js}, ${key})`);
  return generator.read(emitter.keep(`${operand.js}[${key}]`), operand.type.values);
}

/** A field or index of a value that may be an optional. */
function generateFound(
  { expr, operandType }: { readonly expr: Expr; readonly operandType: Type },
  operand: Operand,
  key: string,
  generator: Generator,
): Operand {
  const { emitter } = generator;
  const object = emitter.keep(generator.boxed(operand));
  // Behind an optional, an absent value is `none`, and only present values are charged.
  if (isOptionalType(operandType)) return generateOptional(object, key, generator);
  if (operandType.kind === 'dyn') emitter.bailIf(`isOptional(${object})`);
  emitter.charge(1);
  return generator.typed(emitter.keep(`find(${object}, ${key})`), generator.ast.typeOf(expr));
}

function generateOptional(object: string, key: string, generator: Generator): Operand {
  const found = generator.emitter.keep(`findOptional(${object}, ${key})`);
  generator.emitter.line(`if (${found}.value !== undefined) c += 1;`);
  return value(found);
}

function generateIndex(expr: CallExpr, generator: Generator): Operand {
  const [operandExpr, indexExpr] = expr.args;
  if (operandExpr === undefined || indexExpr === undefined) throw new Unsupported('an index of nothing');
  const { emitter, ast } = generator;
  const operand = generatePart(operandExpr, generator);
  const isOptional = expr.name !== '_[_]' || isOptionalType(ast.typeOf(operandExpr));
  if (isOptional) return generateOptionalIndex(operand, indexExpr, generator);
  const index = generatePart(indexExpr, generator);
  const kind = ast.typeOf(indexExpr).kind;
  if (operand.form === 'data' && operand.type.kind === 'list' && kind === 'int' && index.form === 'value') {
    emitter.charge(1);
    emitter.bailIf(`!(${index.js} >= 0 && ${index.js} < ${operand.js}.length)`);
    const raw = emitter.keep(`${operand.js}[${index.js}]`);
    return generator.readPresent(raw, operand.type.items);
  }
  if (operand.form === 'data' && operand.type.kind === 'map' && kind === 'string') {
    return generateMapValue(operand, index.js, generator);
  }
  const element =
    operand.form === 'raw' ? generateRawElement(operand, { index, kind }, generator) : undefined;
  if (element !== undefined) return element;
  const operandType = ast.typeOf(operandExpr);
  return generateFound({ expr, operandType }, operand, emitter.keep(generator.boxed(index)), generator);
}

/** The index is neither evaluated nor charged if there is nothing to index. */
function generateOptionalIndex(operand: Operand, indexExpr: Expr, generator: Generator): Operand {
  const { emitter } = generator;
  const object = emitter.keep(generator.boxed(operand));
  const constant = constantValue(indexExpr, generator.context);
  if (constant !== undefined)
    return generateOptional(object, generator.boxed(generator.constant(constant)), generator);
  emitter.bailIf(`isOptional(${object}) && ${object}.value === undefined`);
  return generateOptional(
    object,
    emitter.keep(generator.boxed(generatePart(indexExpr, generator))),
    generator,
  );
}

function generatePresence(expr: SelectExpr, generator: Generator): Operand {
  const { emitter } = generator;
  const operand = generatePart(expr.operand, generator);
  if (operand.form === 'data' && operand.type.kind === 'object') {
    const declared = fieldOf(operand.type, expr.field);
    if (declared === undefined) throw new Unsupported('a field that is not declared');
    emitter.charge(1);
    const raw = emitter.recall(property(operand.js, declared.property));
    const there = emitter.keep(`${raw} !== undefined && ${raw} !== null`);
    // A present but invalid value is an error, also in `has`.
    emitter.block(`if (${there})`, () => {
      const read = generator.read(raw, declared.type);
      if (read.form === 'raw') emitter.line(`${generator.boxed(read)};`);
    });
    return value(there);
  }
  if (operand.form === 'raw') return generateRawPresence(operand, expr.field, generator);
  const object = emitter.keep(generator.boxed(operand));
  emitter.bailIf(`isOptional(${object})`);
  emitter.charge(1);
  return value(emitter.keep(`has(${object}, ${literal(expr.field)})`));
}

function generateConditional(expr: CallExpr, generator: Generator): Operand {
  const [conditionExpr, yes, no] = expr.args;
  if (conditionExpr === undefined || yes === undefined || no === undefined)
    throw new Unsupported('half a conditional');
  const { emitter } = generator;
  const condition = generator.bool(conditionExpr);
  const result = emitter.name();
  const type = generator.ast.typeOf(expr);
  const form = type.kind === 'double' ? 'double' : 'value';
  emitter.line(`let ${result};`);
  for (const [head, branch] of [
    [`if (${condition})`, yes],
    ['else', no],
  ] as const) {
    emitter.block(head, () =>
      emitter.line(`${result} = ${inForm(generatePart(branch, generator), form, generator)};`),
    );
  }
  return form === 'double' ? { form, js: result } : generator.typed(result, type);
}

/** An operand in one of the two forms of a conditional. */
export function inForm(operand: Operand, form: 'double' | 'value', generator: Generator): string {
  if (form === 'value') return generator.boxed(operand);
  return operand.form === 'double' ? operand.js : `number(${generator.boxed(operand)})`;
}
