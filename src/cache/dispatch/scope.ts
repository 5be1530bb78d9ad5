import { invariant } from '../../meta/index.ts';
import { type KeyRange, prefixRange } from '../../storage/index.ts';

/** The keys of a subscription. */
export type Scope =
  | { readonly kind: 'all' }
  /** A folder of keys, such as one namespace; the prefix ends in `/`. */
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'key'; readonly key: string };

/** @throws {InvariantError} for a prefix that is not a folder: the index could not find it. */
export function checkScope(scope: Scope): void {
  invariant(scope.kind !== 'prefix' || scope.prefix.endsWith('/'), 'the prefix of a scope ends in a slash');
}

export function inScope(scope: Scope, key: string): boolean {
  if (scope.kind === 'all') return true;
  return scope.kind === 'prefix' ? key.startsWith(scope.prefix) : key === scope.key;
}

/** The keys of a scope within the keys of the whole view. */
export function scopeRange(scope: Scope, whole: KeyRange): KeyRange {
  if (scope.kind === 'all') return whole;
  return scope.kind === 'prefix' ? prefixRange(scope.prefix) : { start: scope.key, end: `${scope.key}\0` };
}
