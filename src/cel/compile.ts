import type { CheckedAst } from './checker/checked-ast.ts';
import { Declarations } from './checker/declarations.ts';
import { estimateCost } from './cost/estimator.ts';
import type { Range } from './cost/size.ts';
import type { Environment } from './environment.ts';
import { Program } from './program.ts';
import type { DeclaredType } from './types/declared-type.ts';
import { formatType, type Type } from './types/type.ts';

/** The caller's declarations for an expression. */
export interface CompileOptions {
  /** The available variables; their order only affects size estimates; see {@link Declarations}. */
  readonly variables?: Readonly<Record<string, DeclaredType>> | Declarations;
  /** The required type. Types are compared by kind; `dyn` only matches dyn. */
  readonly expectedType?: Type;
}

/** A compiled expression. */
export interface Compiled {
  readonly ast: CheckedAst;
  readonly type: Type;
  readonly program: Program;
  /** The estimated cost of one evaluation, between `min` and `max`; computed on first use. */
  readonly cost: Range;
}

/** The expression has another type than required. */
export class WrongResultType extends Error {
  readonly expected: Type;
  readonly actual: Type;

  constructor(expected: Type, actual: Type) {
    super(`must evaluate to ${article(expected)} ${formatType(expected)}`);
    this.name = 'WrongResultType';
    this.expected = expected;
    this.actual = actual;
  }
}

function article(type: Type): string {
  return /^[aeio]/.test(formatType(type)) ? 'an' : 'a';
}

/**
 * Parses, checks and compiles an expression. Throws CelIssues if it does not parse or check, WrongResultType if it has
 * another type than required, and UnusableProgram if a constant part fails.
 */
export function compile(source: string, environment: Environment, options: CompileOptions = {}): Compiled {
  const { variables = {}, expectedType } = options;
  const declarations =
    variables instanceof Declarations ? variables : new Declarations(Object.entries(variables));
  const ast = environment.check(environment.parse(source), declarations);
  const { type } = ast;
  if (expectedType !== undefined && type.kind !== expectedType.kind) {
    throw new WrongResultType(expectedType, type);
  }
  const program = new Program(ast, environment);
  let cost: Range | undefined;
  return {
    ast,
    type,
    program,
    get cost() {
      return (cost ??= estimateCost(ast, environment.costs));
    },
  };
}
