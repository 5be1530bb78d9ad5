import type { IndexDefinition } from '../index/index-source.ts';

/**
 * What is asked of entries, as far as indexes can tell. What a query finds may be more than what is wanted, never less:
 * whoever asks checks each entry.
 */
export type Query<M> =
  /** One of the values is one of these. */
  | { readonly kind: 'in'; readonly index: IndexDefinition<M>; readonly buckets: readonly string[] }
  /** None of the values is one of these. */
  | { readonly kind: 'notIn'; readonly index: IndexDefinition<M>; readonly buckets: readonly string[] }
  | Where<M>
  | { readonly kind: 'and' | 'or'; readonly of: readonly Query<M>[] }
  /** Nothing is selected. */
  | { readonly kind: 'nothing' }
  /** No index can tell. */
  | { readonly kind: 'anything'; readonly why: string };

/** One of the values passes a test, which is made once for each value and not for each entry. */
interface Where<M> {
  readonly kind: 'where';
  readonly index: IndexDefinition<M>;
  /** The test in words: `> 5`. */
  readonly what: string;
  /** Must hold for buckets that it cannot tell about. */
  readonly test: (bucket: string) => boolean;
}

/** Every index that a query can make use of, each once. */
export function indexesOf<M>(query: Query<M>): IndexDefinition<M>[] {
  if (query.kind === 'and' || query.kind === 'or') return [...new Set(query.of.flatMap(indexesOf))];
  return 'index' in query ? [query.index] : [];
}
