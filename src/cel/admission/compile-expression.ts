import { CelIssues } from '../ast/issue.ts';
import { Declarations } from '../checker/declarations.ts';
import { type Compiled, compile } from '../compile.ts';
import type { Environment } from '../environment.ts';
import { UnusableProgram } from '../interpreter/constants.ts';
import {
  type DeclaredType,
  declare,
  type FieldDeclaration,
  type ObjectDeclaration,
} from '../types/declared-type.ts';
import { sameType, type Type } from '../types/type.ts';

/** Options for compiling an admission expression. */
export interface ExpressionOptions {
  readonly environment: Environment;
  /** See `admissionVariables`. */
  readonly variables: Readonly<Record<string, DeclaredType>>;
  /** The allowed result types; any if omitted. */
  readonly returnTypes?: readonly Type[];
}

/** An invalid expression; the message is upstream's. */
export class ExpressionError extends Error {}

/**
 * Compiles an expression of a policy or of a match condition.
 * Source: apiserver, admission/plugin/cel/compile.go.
 *
 * @throws {ExpressionError} if it does not compile or has another type
 */
export function compileExpression(
  source: string,
  { environment, variables, returnTypes }: ExpressionOptions,
): Compiled {
  const compiled = compiledOrRefused(source, environment, variables);
  if (returnTypes === undefined || returnTypes.some((type) => sameType(compiled.type, type))) return compiled;
  const got = typeText(compiled.type);
  const [only] = returnTypes;
  const wanted =
    returnTypes.length === 1 && only !== undefined
      ? typeText(only)
      : `one of [${returnTypes.map(typeText).join(' ')}]`;
  throw new ExpressionError(`must evaluate to ${wanted} but got ${got}`);
}

function compiledOrRefused(
  source: string,
  environment: Environment,
  variables: ExpressionOptions['variables'],
): Compiled {
  try {
    return compile(source, environment, { variables: new Declarations(Object.entries(variables)) });
  } catch (error) {
    if (error instanceof CelIssues) throw new ExpressionError(`compilation failed: ${error.message}`);
    if (error instanceof UnusableProgram)
      throw new ExpressionError(`program instantiation failed: ${error.message}`);
    throw error;
  }
}

/** Like cel-go's `Type.String`: the run-time type names. */
function typeText({ kind, name, params }: Type): string {
  if (kind === 'typeParam') return `<${name}>`;
  return params.length === 0 ? name : `${name}(${params.map(typeText).join(', ')})`;
}

/** Declares `variables`: the variables of a policy declared so far. */
export function declareVariables(types: ReadonlyMap<string, Type>): ObjectDeclaration {
  const fields = [...types].map(([name, type]): [string, FieldDeclaration] => [
    name,
    { property: name, type: declaredAs(type), keepsNull: true },
  ]);
  return declare.object('kubernetes.variables', fields);
}

/** The declaration for reading the value of an expression again. */
function declaredAs(type: Type): DeclaredType {
  switch (type.kind) {
    case 'bool':
      return declare.bool();
    case 'int':
      return declare.int();
    case 'double':
      return declare.double();
    case 'string':
      return declare.string();
    case 'null':
      return declare.null();
    case 'dyn':
      return declare.dyn();
    default:
      return declare.value(type);
  }
}
