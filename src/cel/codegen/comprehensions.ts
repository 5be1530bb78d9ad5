import type { ComprehensionExpr, Expr } from '../ast/expression.ts';
import { listCreateCost } from '../cost/constants.ts';
import { constantValue } from '../interpreter/constants.ts';
import type { DeclaredType } from '../types/declared-type.ts';
import { elementType, intType, type Type } from '../types/type.ts';
import { CelList } from '../values/list.ts';
import { inForm } from './attributes.ts';
import type { Generator, LocalOperand } from './generator.ts';
import { type Operand, type RawOperand, Unsupported, value } from './operand.ts';

/** Generates a loop; a loop over nothing only binds a name (`cel.bind`). */
export function generateComprehension(expr: ComprehensionExpr, generator: Generator): Operand {
  const range = constantValue(expr.range, generator.context);
  if (range instanceof CelList && range.size === 0) return generateBinding(expr, generator);
  const init = constantValue(expr.init, generator.context);
  if (init === undefined) throw new Unsupported('a loop that starts from something computed');
  const items = generator.generate(expr.range);
  const outer = generator.locals;
  const accu = declareAccumulator(expr, generator);
  generator.locals = new Map(outer).set(expr.accuVar, accu);
  writeLoop(expr, items, accu, generator);
  generator.locals = new Map(outer).set(expr.accuVar, accu);
  const result = generator.generate(expr.result);
  generator.locals = outer;
  return result;
}

/** The value is computed lazily, on first use. */
function generateBinding(expr: ComprehensionExpr, generator: Generator): Operand {
  const { emitter } = generator;
  const known = emitter.name();
  const lazy = emitter.name();
  emitter.line(`let ${known};`);
  emitter.block(`const ${lazy} = () =>`, () => {
    emitter.block(`if (${known} === undefined)`, () => {
      emitter.line(`${known} = ${generator.boxed(generator.generate(expr.init))};`);
    });
    emitter.line(`return ${known};`);
  });
  const outer = generator.locals;
  const local: LocalOperand = {
    form: 'lazy',
    js: lazy,
    inner: 'value',
    type: generator.ast.typeOf(expr.init),
  };
  generator.locals = new Map(outer).set(expr.accuVar, local);
  const result = generator.generate(expr.result);
  generator.locals = outer;
  return result;
}

/** Lists that the loop only appends to are JavaScript arrays while it runs. */
function declareAccumulator(expr: ComprehensionExpr, generator: Generator): Operand {
  const { emitter } = generator;
  const name = emitter.name();
  if (appended(expr, expr.step) !== undefined) {
    emitter.line(`const ${name} = [];`);
    return { form: 'array', js: name };
  }
  if (expr.init.kind === 'map' || expr.init.kind === 'list') throw new Unsupported('a loop that grows a map');
  const init = generator.generate(expr.init);
  if (init.form !== 'value') throw new Unsupported('a loop that folds into doubles');
  emitter.line(`let ${name} = ${init.js};`);
  return value(name);
}

/** The element that `@result + [x]` adds, with or without a filter; undefined for any other step. */
function appended(
  expr: ComprehensionExpr,
  step: Expr,
): { filter: Expr | undefined; element: Expr } | undefined {
  if (expr.init.kind !== 'list' || expr.init.elements.length > 0 || step.kind !== 'call') return undefined;
  const [first, second, third] = step.args;
  const isAccu = (node: Expr | undefined): boolean => node?.kind === 'ident' && node.name === expr.accuVar;
  if (step.name === '_+_' && isAccu(first) && second?.kind === 'list' && second.optionals.size === 0) {
    const [element, ...more] = second.elements;
    return element === undefined || more.length > 0 ? undefined : { filter: undefined, element };
  }
  if (step.name !== '_?_:_' || first === undefined || second === undefined || !isAccu(third))
    return undefined;
  const inner = appended(expr, second);
  return inner && inner.filter === undefined ? { filter: first, element: inner.element } : undefined;
}

function writeLoop(expr: ComprehensionExpr, items: Operand, accu: Operand, generator: Generator): void {
  const { emitter } = generator;
  generator.noteLoop();
  const step = (): void => {
    // One comparison for both limits: the next cost at which to check them.
    emitter.line('if (c > next) next = nextCheck(c, limit, interrupt);');
    const condition = generator.bool(expr.condition);
    emitter.settle();
    emitter.line(`if (!${condition}) break;`);
    const known = knownAccumulator(expr);
    if (known !== undefined) generator.locals.set(expr.accuVar, value(String(known)));
    writeStep(expr, accu, generator);
    generator.locals.set(expr.accuVar, accu);
  };
  const loop: Loop = { expr, step, generator };
  const isData = items.form === 'data';
  if (isData && items.type.kind === 'list') writeDataList(loop, items.js, items.type.items);
  else if (isData && items.type.kind === 'map') writeDataMap(loop, items.js, items.type.values);
  else if (items.form === 'raw') writeRaw(loop, items);
  else if (generator.ast.typeOf(expr.range).kind === 'list') {
    writeList(loop, emitter.keep(generator.boxed(items)));
  } else throw new Unsupported('a loop over something else');
}

interface Loop {
  readonly expr: ComprehensionExpr;
  /** Emits the loop body, after its variables are bound. */
  readonly step: () => void;
  readonly generator: Generator;
}

/**
 * The value of the accumulator while the loop continues, which is all that the condition of `all` or `exists` tests.
 */
function knownAccumulator({ accuVar, condition }: ComprehensionExpr): boolean | undefined {
  if (condition.kind !== 'call' || condition.name !== '@not_strictly_false') return undefined;
  const [asked] = condition.args;
  if (asked?.kind === 'ident' && asked.name === accuVar) return true;
  const [negated] = asked?.kind === 'call' && asked.name === '!_' ? asked.args : [];
  return negated?.kind === 'ident' && negated.name === accuVar ? false : undefined;
}

function bind({ expr, generator }: Loop, first: LocalOperand, second: LocalOperand): void {
  if (expr.iterVar2 === undefined) generator.locals.set(expr.iterVar, second);
  else generator.locals.set(expr.iterVar, first).set(expr.iterVar2, second);
}

function writeDataList(loop: Loop, items: string, type: DeclaredType): void {
  const { emitter } = loop.generator;
  const index = emitter.name();
  emitter.block(`for (let ${index} = 0; ${index} < ${items}.length; ${index}++)`, () => {
    const raw = emitter.keep(`${items}[${index}]`);
    bind(loop, value(index), loop.generator.readPresent(raw, type));
    loop.step();
  });
}

function writeDataMap(loop: Loop, items: string, type: DeclaredType): void {
  const { expr, generator, step } = loop;
  const { emitter } = generator;
  const key = emitter.name();
  emitter.block(`for (const ${key} of keysOf(${items}))`, () => {
    if (expr.iterVar2 === undefined) generator.locals.set(expr.iterVar, value(key));
    else bind(loop, value(key), generator.readPresent(emitter.keep(`${items}[${key}]`), type));
    step();
  });
}

/** A list or a map of undeclared JSON. */
function writeRaw(loop: Loop, { js, type }: RawOperand): void {
  const { expr, generator, step } = loop;
  const { emitter } = generator;
  const isList = emitter.keep(`isArray(${js})`);
  const items = emitter.keep(`${isList} ? ${js} : plainKeys(${js})`);
  const index = emitter.name();
  emitter.block(`for (let ${index} = 0; ${index} < ${items}.length; ${index}++)`, () => {
    const item: Operand = { form: 'raw', js: emitter.keep(`${items}[${index}]`), type };
    if (expr.iterVar2 === undefined) generator.locals.set(expr.iterVar, item);
    else {
      const first: Operand = { form: 'raw', js: emitter.keep(`${isList} ? ${index} : ${item.js}`), type };
      const second: Operand = {
        form: 'raw',
        js: emitter.keep(`${isList} ? ${item.js} : ${js}[${item.js}]`),
        type,
      };
      bind(loop, first, second);
    }
    step();
  });
}

function writeList(loop: Loop, list: string): void {
  const { expr, generator, step } = loop;
  const { emitter } = generator;
  const index = emitter.name();
  const type: Type = elementType(generator.ast.typeOf(expr.range));
  emitter.bailIf(`!isList(${list})`);
  emitter.block(`for (let ${index} = 0; ${index} < ${list}.size; ${index}++)`, () => {
    const element = generator.typed(emitter.keep(`ok(${list}.at(${index}))`), type);
    bind(loop, generator.typed(index, intType), element);
    step();
  });
}

/** Appending costs as much as `@result + [x]`: the name, the list unless it is constant, and the sum. */
function writeStep(expr: ComprehensionExpr, accu: Operand, generator: Generator): void {
  const { emitter } = generator;
  const append = appended(expr, expr.step);
  if (append === undefined || accu.form !== 'array') {
    emitter.line(`${accu.js} = ${inForm(generator.generate(expr.step), 'value', generator)};`);
    return;
  }
  const push = (): void => {
    const isConstant = constantValue(append.element, generator.context) !== undefined;
    emitter.charge(2 + (isConstant ? 0 : listCreateCost));
    emitter.line(`${accu.js}.push(${generator.boxed(generator.generate(append.element))});`);
  };
  if (append.filter === undefined) push();
  else emitter.block(`if (${generator.bool(append.filter)})`, push);
}
