import type { ComprehensionExpr, Expr, MapEntry } from '../ast/expression.ts';
import type { Value } from '../values/value.ts';
import type { NodeFactory } from './node-factory.ts';

/** A macro: looks like a call and is expanded by the parser. */
export interface Macro {
  readonly name: string;
  readonly argCount: number;
  /** Whether it is written `target.name(...)`. */
  readonly member: boolean;
  /** Expands the macro; a MacroError for invalid arguments, undefined if it is an ordinary call after all. */
  expand(
    builder: MacroBuilder,
    args: readonly Expr[],
    target: Expr | undefined,
  ): Expr | MacroError | undefined;
}

/** Invalid macro arguments. */
export class MacroError {
  readonly message: string;
  readonly exprId: number;

  constructor(exprId: number, message: string) {
    this.exprId = exprId;
    this.message = message;
  }
}

/** The accumulator variable of comprehensions; users cannot write this name. */
const accumulator = '@result';
/** The former accumulator name; still not allowed for iteration variables. */
const formerAccumulator = '__result__';

/** Creates the nodes of an expansion, all at the position of the macro. */
export class MacroBuilder {
  readonly #factory: NodeFactory;
  readonly #offset: number;

  constructor(factory: NodeFactory, offset: number) {
    this.#factory = factory;
    this.#offset = offset;
  }

  constant(value: Value): Expr {
    return this.#factory.constant(this.#id(), value);
  }

  ident(name: string): Expr {
    return this.#factory.ident(this.#id(), name);
  }

  accu(): Expr {
    return this.ident(accumulator);
  }

  call(name: string, ...args: Expr[]): Expr {
    return this.#factory.call(this.#id(), name, args);
  }

  memberCall(name: string, target: Expr, ...args: Expr[]): Expr {
    return this.#factory.call(this.#id(), name, args, target);
  }

  list(...elements: Expr[]): Expr {
    return this.#factory.list(this.#id(), elements);
  }

  map(entries: readonly MapEntry[] = []): Expr {
    return this.#factory.map(this.#id(), entries);
  }

  presenceTest(operand: Expr, field: string): Expr {
    return this.#factory.select(this.#id(), operand, field, true);
  }

  /** A comprehension that returns the accumulator unless specified otherwise. */
  comprehension(
    parts: Omit<ComprehensionExpr, 'kind' | 'id' | 'accuVar' | 'iterVar2'> & Partial<ComprehensionExpr>,
  ): Expr {
    return this.#factory.comprehension(this.#id(), { accuVar: accumulator, iterVar2: undefined, ...parts });
  }

  /** A copy with new ids at the original positions. */
  copy(expr: Expr): Expr {
    const id = this.#factory.id(this.#factory.offsetOf(expr.id));
    switch (expr.kind) {
      case 'const':
      case 'ident':
        return { ...expr, id };
      case 'select':
        return { ...expr, id, operand: this.copy(expr.operand) };
      case 'call': {
        const args = expr.args.map((arg) => this.copy(arg));
        return { ...expr, id, args, target: expr.target && this.copy(expr.target) };
      }
      case 'list':
        return { ...expr, id, elements: expr.elements.map((element) => this.copy(element)) };
      case 'map':
        return {
          ...expr,
          id,
          entries: expr.entries.map((entry) => ({
            ...entry,
            id: this.#id(),
            key: this.copy(entry.key),
            value: this.copy(entry.value),
          })),
        };
      case 'struct':
        return {
          ...expr,
          id,
          fields: expr.fields.map((field) => ({ ...field, id: this.#id(), value: this.copy(field.value) })),
        };
      case 'comprehension':
        return {
          ...expr,
          id,
          range: this.copy(expr.range),
          init: this.copy(expr.init),
          condition: this.copy(expr.condition),
          step: this.copy(expr.step),
          result: this.copy(expr.result),
        };
    }
  }

  #id(): number {
    return this.#factory.id(this.#offset);
  }
}

/** The name of an iteration variable, or an error. */
export function iterationVariable(arg: Expr, notAName: string): string | MacroError {
  if (arg.kind !== 'ident') return new MacroError(arg.id, notAName);
  if (arg.name === accumulator || arg.name === formerAccumulator) {
    return new MacroError(arg.id, 'iteration variable overwrites accumulator variable');
  }
  return arg.name;
}
