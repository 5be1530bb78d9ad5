import type { Expr } from '../ast/expression.ts';
import { childrenOf } from '../ast/expression.ts';
import type { Issue } from '../ast/issue.ts';
import type { FunctionDeclaration } from '../functions/function.ts';
import type { RegexCache } from '../functions/regex-cache.ts';
import type { CheckedAst } from './checked-ast.ts';

/** What a validator may use from the environment. */
export interface ValidatorContext {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly regexes: RegexCache;
}

/** Finds errors in a well-typed expression that are certain to occur at run time. */
export type Validator = (ast: CheckedAst, context: ValidatorContext) => Issue[];

/** All nodes in order, parents first. */
export function nodesOf(expr: Expr): Expr[] {
  const nodes: Expr[] = [];
  const rest = [expr];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    nodes.push(node);
    const children = childrenOf(node);
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) rest.push(child);
    }
  }
  return nodes;
}
