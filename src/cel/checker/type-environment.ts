import type { FunctionDeclaration } from '../functions/function.ts';
import type { MessageType } from '../types/message-type.ts';
import type { Type } from '../types/type.ts';

/** What the checker needs from an environment. */
export interface TypeEnvironment {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** The type names in scope. */
  readonly typeNames: ReadonlyMap<string, Type>;
  /** The message type of a name, if any. */
  messageType(name: string): MessageType | undefined;
  /** Whether `1 < 1.5` is allowed. */
  readonly crossTypeComparisons: boolean;
  /** Whether a field named like a reserved word can be selected without escaping. */
  readonly keywordFields: boolean;
  /** The namespace (container) of name resolution; Kubernetes uses none. */
  readonly container: string;
}

/** The candidates of a name, innermost namespace first: `x` in `a.b` is `a.b.x`, `a.x` or `x`. */
export function candidateNames(container: string, name: string): string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  if (container === '') return [name];
  const names: string[] = [];
  for (
    let prefix = container;
    prefix !== '';
    prefix = prefix.slice(0, Math.max(prefix.lastIndexOf('.'), 0))
  ) {
    names.push(`${prefix}.${name}`);
  }
  return [...names, name];
}

/** Whether an overload compares different number types, as `less_int64_double` does. */
export function isCrossTypeComparison(overloadId: string): boolean {
  return /^(less|greater)(_equals)?_(int64|uint64|double)_(int64|uint64|double)$/.test(overloadId);
}
