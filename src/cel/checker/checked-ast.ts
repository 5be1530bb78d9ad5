import type { Expr } from '../ast/expression.ts';
import type { Overload } from '../functions/function.ts';
import { dynType, type Type } from '../types/type.ts';
import type { CelType } from '../values/type-value.ts';
import type { Declarations } from './declarations.ts';

/** The referent of an identifier: a variable, or a type name. */
export interface IdentReference {
  readonly kind: 'ident';
  readonly name: string;
  readonly value: CelType | undefined;
}

/** The possible overloads of a call; several if arguments are dyn. */
export interface CallReference {
  readonly kind: 'call';
  readonly overloads: readonly Overload[];
}

/** A typed expression: names are resolved, so `a.b` may have become an identifier and `f.g(x)` a global call. */
export class CheckedAst {
  readonly expr: Expr;
  readonly source: string;
  readonly offsets: readonly (number | undefined)[];
  readonly declarations: Declarations;
  readonly #types: readonly (Type | undefined)[];
  readonly #references: readonly (IdentReference | CallReference | undefined)[];

  constructor(parts: {
    readonly expr: Expr;
    readonly source: string;
    readonly offsets: readonly (number | undefined)[];
    readonly declarations: Declarations;
    readonly types: readonly (Type | undefined)[];
    readonly references: readonly (IdentReference | CallReference | undefined)[];
  }) {
    this.expr = parts.expr;
    this.source = parts.source;
    this.offsets = parts.offsets;
    this.declarations = parts.declarations;
    this.#types = parts.types;
    this.#references = parts.references;
  }

  /** A subexpression as an expression; it must not refer to variables of an enclosing comprehension. */
  part(expr: Expr): CheckedAst {
    const { source, offsets, declarations } = this;
    return new CheckedAst({
      expr,
      source,
      offsets,
      declarations,
      types: this.#types,
      references: this.#references,
    });
  }

  /** The type of the whole expression. */
  get type(): Type {
    return this.typeOf(this.expr);
  }

  typeOf(expr: Expr): Type {
    return this.#types[expr.id] ?? dynType;
  }

  reference(expr: Expr): IdentReference | CallReference | undefined {
    return this.#references[expr.id];
  }

  /** Whether the expression refers to a variable: a rule that refers to `oldSelf` is a transition rule. */
  uses(variable: string): boolean {
    return this.#references.some(
      (reference) => reference?.kind === 'ident' && reference.name.replace(/^\./, '') === variable,
    );
  }

  /** The possible overloads of a call. */
  overloads(expr: Expr): readonly Overload[] {
    const reference = this.#references[expr.id];
    return reference?.kind === 'call' ? reference.overloads : [];
  }
}
