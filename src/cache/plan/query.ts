import type { IndexDefinition } from '../index/index-source.ts';

/**
 * A query, as far as indexes can answer it. The result may contain entries that are not selected, and lacks none that
 * are: the caller checks each entry.
 */
export type Query<M> =
  /** One of the values is in the set. */
  | { readonly kind: 'in'; readonly index: IndexDefinition<M>; readonly buckets: readonly string[] }
  /** None of the values is in the set. */
  | { readonly kind: 'notIn'; readonly index: IndexDefinition<M>; readonly buckets: readonly string[] }
  | Where<M>
  | { readonly kind: 'and' | 'or'; readonly of: readonly Query<M>[] }
  /** Nothing is selected. */
  | { readonly kind: 'nothing' }
  /** Indexes cannot answer this. */
  | { readonly kind: 'anything'; readonly why: string };

/** One of the values passes a test, which runs once for each distinct value, not for each entry. */
export interface Where<M> {
  readonly kind: 'where';
  readonly index: IndexDefinition<M>;
  /** The test as text: `> 5`. */
  readonly what: string;
  /** Must return true for buckets that it cannot decide. */
  readonly test: (bucket: string) => boolean;
}

/** Every test of values in a query. */
export function testsIn<M>(query: Query<M>): readonly Where<M>[] {
  if (query.kind === 'and' || query.kind === 'or') return query.of.flatMap((one) => testsIn(one));
  return query.kind === 'where' ? [query] : [];
}

/** All indexes that a query can use, without duplicates. */
export function indexesOf<M>(query: Query<M>): IndexDefinition<M>[] {
  if (query.kind === 'and' || query.kind === 'or') return [...new Set(query.of.flatMap(indexesOf))];
  return 'index' in query ? [query.index] : [];
}
