import {
  type Compiled,
  compileExpression,
  ExpressionError,
  type ExpressionOptions,
} from '../../cel/index.ts';
import { isObject, type JsonObject, ownList } from '../../meta/index.ts';

/** A compiled expression of a policy, or the reason why it does not compile. */
export interface PolicyExpression {
  readonly source: string;
  readonly compiled: Compiled | string;
}

export function compiledOf(source: string, options: ExpressionOptions): PolicyExpression {
  try {
    return { source, compiled: compileExpression(source, options) };
  } catch (error) {
    if (error instanceof ExpressionError) return { source, compiled: error.message };
    throw error;
  }
}

/** The objects in a list of a policy's spec. */
export function itemsOf(spec: JsonObject, field: string): JsonObject[] {
  return (ownList(spec, field) ?? []).filter(isObject);
}
