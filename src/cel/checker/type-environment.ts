import type { FunctionDeclaration } from '../functions/function.ts';
import type { MessageType } from '../types/message-type.ts';
import type { Type } from '../types/type.ts';

/** What the checker must know of an environment. */
export interface TypeEnvironment {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** Types that can be named. */
  readonly typeNames: ReadonlyMap<string, Type>;
  /** The type of messages of a name; undefined where there is none. */
  messageType(name: string): MessageType | undefined;
  /** Whether `1 < 1.5` is allowed. */
  readonly crossTypeComparisons: boolean;
  /** Whether a field that is called as a reserved word can be selected as it is, without escaping. */
  readonly keywordFields: boolean;
  /** The namespace in which names are looked up first; Kubernetes uses none. */
  readonly container: string;
}

/** The names that a name may mean, the innermost namespace first: `x` in `a.b` is `a.b.x`, `a.x` or `x`. */
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

/** Whether an overload compares numbers of different types, as `less_int64_double` does. */
export function isCrossTypeComparison(overloadId: string): boolean {
  return /^(less|greater)(_equals)?_(int64|uint64|double)_(int64|uint64|double)$/.test(overloadId);
}
