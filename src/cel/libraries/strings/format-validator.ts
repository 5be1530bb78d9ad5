import type { Expr } from '../../ast/expression.ts';
import type { Issue } from '../../ast/issue.ts';
import type { CheckedAst } from '../../checker/checked-ast.ts';
import { nodesOf, type Validator } from '../../checker/validator.ts';
import type { Type, TypeKind } from '../../types/type.ts';
import { type CelError, isError } from '../../values/cel-error.ts';
import { piecesOf } from './format.ts';
import { type Clause, clauseErrors } from './formatters.ts';

/** Checks `format` calls with literal arguments: the number of arguments, and the type of each for its clause. */
export const formatLiterals: Validator = (ast) => {
  const issues: Issue[] = [];
  for (const node of nodesOf(ast.expr)) {
    if (node.kind !== 'call' || node.name !== 'format' || node.target?.kind !== 'const') continue;
    const [args] = node.args;
    if (typeof node.target.value !== 'string' || args?.kind !== 'list') continue;
    const issue = formatIssue(ast, node, node.target.value, args.elements);
    if (issue !== undefined) issues.push({ message: issue.message, offset: ast.offsets[issue.id] ?? -1 });
  }
  return issues;
};

function formatIssue(
  ast: CheckedAst,
  call: Expr,
  format: string,
  args: readonly Expr[],
): { message: string; id: number } | undefined {
  let used = 0;
  const absent = (index: number): CelError | undefined => {
    used = index + 1;
    return undefined;
  };
  for (const piece of piecesOf(format, absent)) {
    if (isError(piece)) return { message: piece.message, id: call.id };
    if ('text' in piece) continue;
    const arg = args[used - 1];
    if (arg === undefined) return { message: `index ${used - 1} out of range`, id: call.id };
    const bad = refusedPart(ast, piece.clause, arg);
    if (bad === undefined) continue;
    const message = `error during formatting: ${clauseErrors[piece.clause]}, was given ${ast.typeOf(bad).name}`;
    return { message, id: bad.id };
  }
  if (args.length <= used) return undefined;
  return {
    message: `too many arguments supplied to string.format (expected ${used}, got ${args.length})`,
    id: call.id,
  };
}

const integers: readonly TypeKind[] = ['int', 'uint'];
const accepted: Readonly<Record<Clause, readonly TypeKind[]>> = {
  s: [
    'list',
    'map',
    'int',
    'uint',
    'double',
    'bool',
    'string',
    'timestamp',
    'bytes',
    'duration',
    'type',
    'null',
  ],
  d: integers,
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: [...integers, 'bool'],
  x: [...integers, 'string', 'bytes'],
  X: [...integers, 'string', 'bytes'],
  o: integers,
};

/** The argument, or with `%s` the part of it, that the clause does not support. */
function refusedPart(ast: CheckedAst, clause: Clause, arg: Expr): Expr | undefined {
  const { kind }: Type = ast.typeOf(arg);
  if (kind !== 'dyn' && !accepted[clause].includes(kind)) return arg;
  if (clause !== 's') return undefined;
  const parts =
    arg.kind === 'list'
      ? arg.elements
      : arg.kind === 'map'
        ? arg.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const bad = refusedPart(ast, clause, part);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
