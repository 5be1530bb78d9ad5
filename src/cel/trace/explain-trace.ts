import type { ComprehensionExpr, Expr } from '../ast/expression.ts';
import { childrenOf } from '../ast/expression.ts';
import type { CheckedAst } from '../checker/checked-ast.ts';
import { isError } from '../values/cel-error.ts';
import { expressionText, isBinding } from './expression-text.ts';
import type { TraceNode } from './trace-recorder.ts';
import { valueText } from './value-text.ts';

/** A part of an expression and its result, for display. */
export interface ExplainedNode {
  /** `self.items.all(x, …)`; for an iteration, its variables: `x = 3`. */
  readonly text: string;
  /** The value as a CEL literal; empty for an iteration, and if the evaluation ended early. */
  readonly value: string;
  /** Why there is no value. */
  readonly error?: string;
  /** Its cost, including its parts. */
  readonly cost: number;
  /** Its position in the source: the operator of a call, in UTF-16 units. */
  readonly offset?: number;
  readonly children: readonly ExplainedNode[];
}

const valueCharsMax = 200;

/** Converts a trace, without the internals of macros: a loop shows its range and its iterations. */
export function explainTrace(root: TraceNode, ast: CheckedAst): ExplainedNode {
  const explain = (node: TraceNode): ExplainedNode => {
    const { expr, result, cost } = node;
    const offset = ast.offsets[expr.id];
    return {
      text: expressionText(expr, ast),
      value: result === undefined || isError(result) ? '' : valueText(result, valueCharsMax),
      ...(isError(result) ? { error: result.message } : {}),
      cost,
      ...(offset === undefined ? {} : { offset }),
      children: expr.kind === 'comprehension' ? parts(expr, node) : node.children.flatMap(shown),
    };
  };
  /** Constants are omitted. */
  const shown = (node: TraceNode): ExplainedNode[] => (node.expr.kind === 'const' ? [] : [explain(node)]);

  const parts = (loop: ComprehensionExpr, { children }: TraceNode): ExplainedNode[] => {
    if (isBinding(loop)) return children.filter(({ expr }) => expr === loop.result).flatMap(shown);
    return children.flatMap((child) => {
      if (child.expr === loop.range) return shown(child);
      return child.expr === loop.step ? [turn(loop, child)] : [];
    });
  };
  const turn = (loop: ComprehensionExpr, step: TraceNode): ExplainedNode => {
    const names = [loop.iterVar, ...(loop.iterVar2 === undefined ? [] : [loop.iterVar2])];
    const values = (step.turn ?? []).map((value) => valueText(value, valueCharsMax));
    return {
      text: names.map((name, index) => `${name} = ${values[index] ?? '?'}`).join(', '),
      value: '',
      cost: step.cost,
      children: written(step, loop.accuVar),
    };
  };
  /** The part of a step that the author wrote, without the accumulator and its update. */
  const written = (node: TraceNode, accu: string): ExplainedNode[] => {
    if (node.expr.kind === 'const') return [];
    if (!mentions(node.expr, accu)) return [explain(node)];
    return node.children.flatMap((child) => {
      // `accu + [x]`: the list is created by the macro.
      const isAdded = child.expr.kind === 'list' && node.expr.kind === 'call' && node.expr.name === '_+_';
      return isAdded ? child.children.flatMap(shown) : written(child, accu);
    });
  };
  return explain(root);
}

/** Whether an expression reads an accumulator, unless an inner loop has one of the same name. */
function mentions(expr: Expr, accu: string): boolean {
  if (expr.kind === 'ident') return expr.name === accu;
  if (expr.kind === 'comprehension' && expr.accuVar === accu) return mentions(expr.range, accu);
  return childrenOf(expr).some((child) => mentions(child, accu));
}
