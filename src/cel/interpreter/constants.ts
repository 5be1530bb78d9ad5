import type { CallExpr, Expr } from '../ast/expression.ts';
import type { CheckedAst } from '../checker/checked-ast.ts';
import { type FunctionDeclaration, dispatch } from '../functions/function.ts';
import { conversionNames } from '../stdlib/conversions.ts';
import { type CelError, isError } from '../values/cel-error.ts';
import { ArrayList, emptyList } from '../values/list.ts';
import { EntryMap } from '../values/map.ts';
import type { Value } from '../values/value.ts';

/** The expression is well-typed but no program can be created: `int('x')`, an invalid pattern. */
export class UnusableProgram extends Error {
  constructor(cause: CelError) {
    super(cause.message);
    this.name = 'UnusableProgram';
  }
}

/** The inputs of constant folding. */
export interface ConstantContext {
  readonly ast: CheckedAst;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
}

/**
 * The value of a node that cel-go computes at compile time, at no run-time cost: literals, type names, lists and maps
 * of them, and conversions of them. Undefined for any other node. Throws UnusableProgram if a conversion fails.
 */
export function constantValue(expr: Expr, context: ConstantContext): Value | undefined {
  switch (expr.kind) {
    case 'const':
      return expr.value;
    case 'ident': {
      const reference = context.ast.reference(expr);
      return reference?.kind === 'ident' ? reference.value : undefined;
    }
    case 'list': {
      if (expr.optionals.size > 0) return undefined;
      const values = constantValues(expr.elements, context);
      return values && (values.length === 0 ? emptyList : new ArrayList(values));
    }
    case 'map': {
      if (expr.entries.some((entry) => entry.optional)) return undefined;
      const keys = constantValues(
        expr.entries.map((entry) => entry.key),
        context,
      );
      const values =
        keys &&
        constantValues(
          expr.entries.map((entry) => entry.value),
          context,
        );
      return values && EntryMap.of(keys.map((key, index) => [key, values[index] ?? null] as const));
    }
    case 'call':
      return expr.target === undefined && conversionNames.has(expr.name)
        ? converted(expr, context)
        : undefined;
    default:
      return undefined;
  }
}

function constantValues(exprs: readonly Expr[], context: ConstantContext): Value[] | undefined {
  const values: Value[] = [];
  for (const expr of exprs) {
    const value = constantValue(expr, context);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function converted(expr: CallExpr, context: ConstantContext): Value | undefined {
  const [arg] = expr.args;
  const value = arg && constantValue(arg, context);
  const declaration = context.functions.get(expr.name);
  if (value === undefined || declaration === undefined) return undefined;
  const result = dispatch(declaration, false, [value]);
  if (isError(result)) throw new UnusableProgram(result);
  return result;
}
