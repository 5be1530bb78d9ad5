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

/** What an expression of admission is compiled with. */
export interface ExpressionOptions {
  readonly environment: Environment;
  /** See `admissionVariables`. */
  readonly variables: Readonly<Record<string, DeclaredType>>;
  /** The types that it may have; any where it is left out. */
  readonly returnTypes?: readonly Type[];
}

/** An expression that cannot be used; the message says why, in upstream's words. */
export class ExpressionError extends Error {}

/**
 * Compiles an expression of a policy or of a match condition.
 * Source: apiserver, admission/plugin/cel/compile.go.
 *
 * @throws {ExpressionError} where it does not compile, or is of another type
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

/** As cel-go's `Type.String` has it: by the names that types have at run time. */
function typeText({ kind, name, params }: Type): string {
  if (kind === 'typeParam') return `<${name}>`;
  return params.length === 0 ? name : `${name}(${params.map(typeText).join(', ')})`;
}

/** Declares `variables`: what the variables of a policy so far are. */
export function declareVariables(types: ReadonlyMap<string, Type>): ObjectDeclaration {
  const fields = [...types].map(([name, type]): [string, FieldDeclaration] => [
    name,
    { property: name, type: declaredAs(type), keepsNull: true },
  ]);
  return declare.object('kubernetes.variables', fields);
}

/** How the value of an expression is read again: as what it is. */
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
