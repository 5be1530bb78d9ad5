import type { Expr } from '../ast/expression.ts';
import type { Issue } from '../ast/issue.ts';
import { formatType, sameType, type Type, unwrapOptional } from '../types/type.ts';
import type { CheckedAst } from './checked-ast.ts';
import { nodesOf, type Validator } from './validator.ts';

/** The functions whose arguments may be heterogeneous lists. */
const exemptFunctions: ReadonlySet<string> = new Set(['format']);

/** Finds list and map literals whose elements have several types, counting dyn as a type. */
export const homogeneousLiterals: Validator = (ast) => {
  const issues: Issue[] = [];
  const exempt = new Set<Expr>();
  for (const node of nodesOf(ast.expr)) {
    if (node.kind === 'call' && exemptFunctions.has(node.name))
      for (const inner of nodesOf(node)) exempt.add(inner);
    if (exempt.has(node)) continue;
    if (node.kind === 'list') issues.push(...listIssues(ast, node).slice(0, 1));
    if (node.kind === 'map') issues.push(...mapIssues(ast, node));
  }
  return issues;
};

function listIssues(ast: CheckedAst, { elements, optionals }: Expr & { kind: 'list' }): Issue[] {
  return mismatches(ast, elements, (index) => optionals.has(index));
}

function mapIssues(ast: CheckedAst, { entries }: Expr & { kind: 'map' }): Issue[] {
  const keys = entries.map(({ key }) => key);
  const values = entries.map(({ value }) => value);
  return [
    ...mismatches(ast, keys, () => false),
    ...mismatches(ast, values, (index) => entries[index]?.optional === true),
  ];
}

function mismatches(
  ast: CheckedAst,
  exprs: readonly Expr[],
  isOptional: (index: number) => boolean,
): Issue[] {
  let first: Type | undefined;
  const issues: Issue[] = [];
  exprs.forEach((expr, index) => {
    const type = isOptional(index) ? unwrapOptional(ast.typeOf(expr)) : ast.typeOf(expr);
    first ??= type;
    if (sameType(first, type)) return;
    const message = `expected type '${formatType(first)}' but found '${formatType(type)}'`;
    issues.push({ message, offset: ast.offsets[expr.id] ?? -1 });
  });
  return issues;
}
