import type { CallExpr, Expr, IdentExpr } from '../ast/expression.ts';
import type { CheckedAst } from '../checker/checked-ast.ts';
import { actualCostOf } from '../cost/actual-cost.ts';
import { listCreateCost, mapCreateCost, structCreateCost } from '../cost/constants.ts';
import { isAttribute } from '../interpreter/attributes.ts';
import { implementationOf, operandsOf, overloadIdOf } from '../interpreter/calls.ts';
import { constantValue } from '../interpreter/constants.ts';
import type { PlanContext } from '../interpreter/plan-context.ts';
import type { DeclaredType } from '../types/declared-type.ts';
import type { Type } from '../types/type.ts';
import { CelDouble } from '../values/double.ts';
import type { Value } from '../values/value.ts';
import { generateAttribute } from './attributes.ts';
import { generateComprehension } from './comprehensions.ts';
import { Emitter } from './emitter.ts';
import { generateOperator } from './operators.ts';
import { double, type Operand, Unsupported, value } from './operand.ts';
import { literal, property } from './source-text.ts';
import { generateRawCall } from './undeclared.ts';

/** Declarations whose JSON generated code reads directly, and which are never null. */
const readInPlace: ReadonlySet<string> = new Set([
  'string',
  'bool',
  'int',
  'double',
  'list',
  'map',
  'object',
]);

/** What code generation needs from the environment. */
export type GeneratorContext = Pick<PlanContext, 'ast' | 'functions' | 'costs' | 'readers' | 'regexes'>;

/** A comprehension variable: an operand, or a function that computes it on first use. */
export type LocalOperand =
  | Operand
  | { readonly form: 'lazy'; readonly js: string; readonly inner: Operand['form']; readonly type: Type };

/** Generates the code of one expression. Every node's code has the value and cost of its plan, or bails. */
export class Generator {
  readonly emitter = new Emitter();
  readonly context: GeneratorContext;
  readonly ast: CheckedAst;
  locals = new Map<string, LocalOperand>();
  readonly #variables = new Map<string, Operand>();
  #hasLoops = false;

  constructor(context: GeneratorContext) {
    this.context = context;
    this.ast = context.ast;
  }

  generate(expr: Expr): Operand {
    const constant = constantValue(expr, this.context);
    if (constant !== undefined) return this.constant(constant);
    if (isAttribute(expr, this.context)) return generateAttribute(expr, this, true);
    switch (expr.kind) {
      case 'call':
        return generateOperator(expr, this) ?? this.call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return generateComprehension(expr, this);
      default:
        throw new Unsupported(expr.kind);
    }
  }

  /** Only strings, booleans, safe numbers and null are embedded; everything else is passed in. */
  constant(constant: Value): Operand {
    if (constant instanceof CelDouble && Number.isFinite(constant.value) && !Object.is(constant.value, -0)) {
      return double(`(${constant.value})`);
    }
    if (constant instanceof CelDouble) return double(this.emitter.constant(constant.value));
    if (constant === null || typeof constant === 'boolean' || typeof constant === 'string')
      return value(literal(constant));
    if (typeof constant === 'number') return value(`(${constant})`);
    if (typeof constant === 'bigint') throw new Unsupported('an int that is no safe number');
    return value(this.emitter.constant(constant));
  }

  /** The operand as a boxed, self-describing value. */
  boxed(operand: Operand): string {
    switch (operand.form) {
      case 'value':
        return operand.js;
      case 'double':
        return `double(${operand.js})`;
      case 'array':
        return `list(${operand.js})`;
      case 'data':
        return `${this.emitter.constant(this.context.readers.of(operand.type))}(${operand.js})`;
      case 'raw':
        return `ok(${this.emitter.constant(this.context.readers.of(operand.type))}(${operand.js}))`;
    }
  }

  /** A value of a static type in the representation that code for this type expects. */
  typed(js: string, type: Type): Operand {
    switch (type.kind) {
      case 'double':
        return double(this.emitter.keep(`number(${js})`));
      case 'int':
        return this.#checked(js, (name) => `typeof ${name} !== 'number'`);
      case 'string':
        return this.#checked(js, (name) => `typeof ${name} !== 'string'`);
      case 'bool':
        return this.#checked(js, (name) => `typeof ${name} !== 'boolean'`);
      default:
        return value(js);
    }
  }

  #checked(js: string, isWrong: (name: string) => string): Operand {
    const name = this.emitter.keep(js);
    this.emitter.bailIf(isWrong(name));
    return value(name);
  }

  /** Reads the caller's JSON; values that do not match their declaration bail out to the interpreter. */
  read(raw: string, type: DeclaredType): Operand {
    const { emitter } = this;
    switch (type.kind) {
      case 'string':
        emitter.bailOnceIf(`typeof ${raw} !== 'string'`);
        return value(raw);
      case 'bool':
        emitter.bailOnceIf(`typeof ${raw} !== 'boolean'`);
        return value(raw);
      case 'int':
        emitter.bailOnceIf(`!isInt(${raw})`);
        return value(raw);
      case 'double':
        emitter.bailOnceIf(`typeof ${raw} !== 'number'`);
        return double(raw);
      case 'list':
        emitter.bailOnceIf(`!isArray(${raw})`);
        return { form: 'data', js: raw, type };
      case 'map':
      case 'object':
        // Nearly every object is plain, and an inline check is faster than a megamorphic function.
        // Reading the constructor of null throws, which bails out to the interpreter as well.
        emitter.bailOnceIf(`${raw}.constructor !== Object && !isData(${raw})`);
        return { form: 'data', js: raw, type };
      case 'dyn':
        return { form: 'raw', js: raw, type };
      default:
        return value(emitter.keep(`ok(${emitter.constant(this.context.readers.of(type))}(${raw}))`));
    }
  }

  /** The same for values that may be absent; null counts as absent. */
  readPresent(raw: string, type: DeclaredType): Operand {
    // Custom readers treat null as a value; the checks of all others reject it.
    if (!readInPlace.has(type.kind)) this.emitter.bailOnceIf(`${raw} === undefined || ${raw} === null`);
    return this.read(raw, type);
  }

  /** The operand as a boolean. */
  bool(expr: Expr): string {
    const operand = this.generate(expr);
    if (operand.form !== 'value' && operand.form !== 'raw')
      throw new Unsupported('a condition that is no bool');
    if (this.ast.typeOf(expr).kind === 'bool') return operand.js;
    const name = this.emitter.keep(operand.js);
    this.emitter.bailIf(`typeof ${name} !== 'boolean'`);
    return name;
  }

  /** A regular function call. */
  call(expr: CallExpr): Operand {
    const operands = operandsOf(expr).map((arg) => this.generate(arg));
    const quick = generateRawCall(expr, operands, (args) => this.#callOf(expr, args).js, this);
    return (
      quick ??
      this.#callOf(
        expr,
        operands.map((operand) => this.emitter.keep(this.boxed(operand))),
      )
    );
  }

  #callOf(expr: CallExpr, args: readonly string[]): Operand {
    const overloads = this.ast.overloads(expr);
    const [only] = overloads;
    const call =
      only !== undefined && overloads.length === 1 ? only.call : implementationOf(expr, this.context);
    const result = this.paidCall(expr, args, `ok(${this.emitter.constant(call)}(${args.join(', ')}))`);
    return this.typed(result, this.ast.typeOf(expr));
  }

  /** Emits a call and its cost; returns the name of the result. Operands are boxed values. */
  paidCall(expr: CallExpr, args: readonly string[], call: string): string {
    const { emitter, context } = this;
    const cost = actualCostOf(expr.name, overloadIdOf(expr, context), context.costs);
    if (cost.fixed !== undefined) {
      emitter.charge(cost.fixed);
      return emitter.keep(call);
    }
    const pay = (result: string): void => {
      emitter.chargeBy(`${emitter.constant(cost.of)}([${args.join(', ')}], ${result})`);
      emitter.bailIf('c > limit');
    };
    if (!cost.dependsOnResult) {
      pay('null');
      return emitter.keep(call);
    }
    const result = emitter.keep(call);
    pay(result);
    return result;
  }

  /** Whether calls of a function have a special cost, which generated code then computes. */
  hasOwnCost(name: string, overloadId: string): boolean {
    return this.context.costs.overloads.has(overloadId) || this.context.costs.functions.has(name);
  }

  #list({ elements, optionals }: Expr & { kind: 'list' }): Operand {
    if (optionals.size > 0) throw new Unsupported('optional elements');
    const values = elements.map((element) => this.boxed(this.generate(element)));
    this.emitter.charge(listCreateCost);
    return value(this.emitter.keep(`list([${values.join(', ')}])`));
  }

  #map({ entries }: Expr & { kind: 'map' }): Operand {
    if (entries.some(({ optional }) => optional)) throw new Unsupported('optional entries');
    const pairs = entries.map(
      ({ key, value: entry }) => `[${this.boxed(this.generate(key))}, ${this.boxed(this.generate(entry))}]`,
    );
    this.emitter.charge(mapCreateCost);
    return value(this.emitter.keep(`map([${pairs.join(', ')}])`));
  }

  #struct({ typeName, fields }: Expr & { kind: 'struct' }): Operand {
    if (fields.some(({ optional }) => optional)) throw new Unsupported('optional fields');
    const pairs = fields.map(
      ({ name, value: field }) => `[${literal(name)}, ${this.boxed(this.generate(field))}]`,
    );
    this.emitter.charge(structCreateCost);
    return value(this.emitter.keep(`message(${literal(typeName)}, [${pairs.join(', ')}])`));
  }

  /** Marks that there is a loop, whose iterations check limits. */
  noteLoop(): void {
    if (this.#hasLoops) return;
    this.#hasLoops = true;
    this.emitter.atHead(() => this.emitter.line('let next = nextCheck(0, limit, interrupt);'));
  }

  /** A declared variable, read at the start. */
  variable(expr: IdentExpr): Operand {
    const name = expr.name.replace(/^\./, '');
    const known = this.#variables.get(name);
    if (known !== undefined) return known;
    const type = this.ast.declarations.variables.get(name);
    if (type === undefined) throw new Unsupported('a variable that is not declared');
    const operand = this.emitter.atHead(() => this.read(this.emitter.keep(property('b', name)), type));
    this.#variables.set(name, operand);
    return operand;
  }
}
