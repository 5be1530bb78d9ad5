import type { Value } from '../values/value.ts';

/**
 * The syntax tree, node for node as cel-go builds it: macros are expanded, operators are calls (`_+_`), `&&` and `||`
 * are balanced. Ids are assigned in cel-go's order.
 */
export type Expr =
  | ConstExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr;

export interface ConstExpr {
  readonly kind: 'const';
  readonly id: number;
  readonly value: Value;
}

export interface IdentExpr {
  readonly kind: 'ident';
  readonly id: number;
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)` if `test` is set. */
export interface SelectExpr {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  readonly test: boolean;
}

/** `target.name(args)`, or `name(args)` without a target. */
export interface CallExpr {
  readonly kind: 'call';
  readonly id: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expr[];
  /** Which elements are written `?e`. */
  readonly optionals: ReadonlySet<number>;
}

export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}

export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** A message literal, `Name{field: value}`. Only mutating admission policies have types for it. */
export interface StructExpr {
  readonly kind: 'struct';
  readonly id: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

/** A loop, the expansion of macros; see https://github.com/google/cel-spec/blob/master/doc/langdef.md#macros. */
export interface ComprehensionExpr {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly range: Expr;
  readonly iterVar: string;
  /** The second variable of a two-variable comprehension. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** A parsed expression and its source positions. */
export interface Ast {
  readonly expr: Expr;
  readonly source: string;
  /** The UTF-16 offset of each node, by id. */
  readonly offsets: readonly (number | undefined)[];
}

/** One method for each kind of node. */
export interface ExprVisitor<T> {
  const(expr: ConstExpr): T;
  ident(expr: IdentExpr): T;
  select(expr: SelectExpr): T;
  call(expr: CallExpr): T;
  list(expr: ListExpr): T;
  map(expr: MapExpr): T;
  struct(expr: StructExpr): T;
  comprehension(expr: ComprehensionExpr): T;
}

/** Calls the method for the node's kind. */
export function visitExpr<T>(expr: Expr, visitor: ExprVisitor<T>): T {
  switch (expr.kind) {
    case 'const':
      return visitor.const(expr);
    case 'ident':
      return visitor.ident(expr);
    case 'select':
      return visitor.select(expr);
    case 'call':
      return visitor.call(expr);
    case 'list':
      return visitor.list(expr);
    case 'map':
      return visitor.map(expr);
    case 'struct':
      return visitor.struct(expr);
    case 'comprehension':
      return visitor.comprehension(expr);
  }
}

/** The direct children of a node: in source order, or for macros in evaluation order. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'const':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expr.fields.map((field) => field.value);
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}
