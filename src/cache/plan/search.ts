import { IntersectionCursor, UnionCursor } from '../index/joined-cursors.ts';
import { ArrayCursor, type KeyCursor } from '../index/key-cursor.ts';
import type { IndexDefinition } from '../index/index-source.ts';
import type { OrderedRange, ValueIndex } from '../index/value-index.ts';
import type { Steps } from '../../meta/index.ts';
import { type Query, testsIn, type Where } from './query.ts';
import { plainText, setText } from './query-text.ts';

/** A search for the entries of a query by indexes. */
export interface Search {
  /** The number of keys it iterates over; at least the number of selected entries. */
  readonly keys: number;
  /** The number of distinct values examined to plan it. */
  readonly tested: number;
  /** As text: `spec.color in (blue,green)`. */
  readonly text: string;
  open(): KeyCursor;
}

/** The inputs of a search. */
export interface SearchSpace<M> {
  readonly range: OrderedRange;
  /** The index of a definition; undefined if there is none that finds every entry. */
  index(definition: IndexDefinition<M>): ValueIndex<M> | undefined;
  /** The number of values that the tests of a query may be made on. */
  readonly testsMax?: number;
}

/** Values are tested one by one only if there are few: otherwise that is a scan of its own. */
const distinctMax = 4_096;
/** Another condition is worth iterating over only if it does not have many times as many keys. */
const joinFactor = 16;

/** The best search for a query; undefined if only a scan finds its entries. */
export function searchFor<M>(query: Query<M>, space: SearchSpace<M>): Search | undefined {
  switch (query.kind) {
    case 'in':
      return values(query.index, space, { wanted: query.buckets, text: setText(query.index, 'in', query) });
    case 'notIn':
      return others(query, space);
    case 'where':
      return tested(query, space);
    case 'and':
      return intersection(query.of.map((one) => searchFor(one, space)).filter(isKnown));
    case 'or':
      return union(query.of.map((one) => searchFor(one, space)));
    case 'nothing':
      return { keys: 0, tested: 0, text: 'nothing', open: () => new ArrayCursor([], '', '') };
    case 'anything':
      return undefined;
  }
}

function isKnown(search: Search | undefined): search is Search {
  return search !== undefined;
}

interface Values {
  readonly wanted: readonly string[];
  readonly text: string;
  readonly tested?: number;
}

/** The entries with one of the values. */
function values<M>(
  definition: IndexDefinition<M>,
  { range, index: find }: SearchSpace<M>,
  { wanted, text, tested: testedCount = 0 }: Values,
): Search | undefined {
  const index = find(definition);
  if (index === undefined) return undefined;
  const distinct = [...new Set(wanted)];
  return {
    keys: distinct.reduce((sum, bucket) => sum + index.count(bucket, range), 0),
    tested: testedCount,
    text,
    open: () => joined(distinct.map((bucket) => index.cursor(bucket, range))),
  };
}

function joined(found: readonly (KeyCursor | undefined)[]): KeyCursor {
  const cursors = found.filter((cursor) => cursor !== undefined);
  const [only] = cursors;
  return cursors.length === 1 && only !== undefined ? only : new UnionCursor(cursors);
}

/** An entry with none of the values has another one. */
function others<M>(query: Query<M> & { kind: 'notIn' }, space: SearchSpace<M>): Search | undefined {
  const unwanted = new Set(query.buckets);
  const text = setText(query.index, 'notin', query);
  return choose(query.index, space, { test: (bucket) => !unwanted.has(bucket), text });
}

function tested<M>(query: Query<M> & { kind: 'where' }, space: SearchSpace<M>): Search | undefined {
  if (!mayTest(query, space)) return undefined;
  return choose(query.index, space, {
    test: query.test,
    text: `${plainText(query.index.name)} ${query.what}`,
  });
}

/** Whether the values of an index are few enough to test each of them. */
function mayTest<M>({ index: definition }: Where<M>, { index: find, testsMax }: SearchSpace<M>): boolean {
  const distinct = find(definition)?.distinct ?? Number.POSITIVE_INFINITY;
  return distinct <= Math.min(distinctMax, testsMax ?? distinctMax);
}

/** Makes the tests of a query on each value that the indexes have, in steps. A test that keeps its results makes later searches quick. */
export function* testValuesInSteps<M>(query: Query<M>, space: SearchSpace<M>): Steps<void> {
  for (const where of testsIn(query)) {
    if (!mayTest(where, space)) continue;
    for (const bucket of space.index(where.index)?.buckets() ?? []) {
      yield;
      where.test(bucket);
    }
  }
}

function choose<M>(
  definition: IndexDefinition<M>,
  space: SearchSpace<M>,
  { test, text }: { readonly test: (bucket: string) => boolean; readonly text: string },
): Search | undefined {
  const index = space.index(definition);
  if (index === undefined || index.distinct > distinctMax) return undefined;
  const wanted = index.buckets().filter(test);
  return values(definition, space, { wanted, text, tested: index.distinct });
}

/** Intersects the conditions with the fewest keys; those with many more are left to the caller's check. */
function intersection(searches: readonly Search[]): Search | undefined {
  const sorted = [...searches].sort((a, b) => a.keys - b.keys);
  const [least] = sorted;
  if (least === undefined) return undefined;
  const used = sorted.filter(({ keys }) => keys <= least.keys * joinFactor);
  const searched = searches.reduce((sum, search) => sum + search.tested, 0);
  return {
    keys: least.keys,
    tested: searched,
    text: used.map(({ text }) => text).join(' and '),
    open: () =>
      used.length === 1 ? least.open() : new IntersectionCursor(used.map((search) => search.open())),
  };
}

/** Only if both sides can be searched: otherwise entries would be missing. */
function union(searches: readonly (Search | undefined)[]): Search | undefined {
  const known = searches.filter(isKnown);
  if (known.length < searches.length) return undefined;
  return {
    keys: known.reduce((sum, { keys }) => sum + keys, 0),
    tested: known.reduce((sum, search) => sum + search.tested, 0),
    text: known.length === 1 ? (known[0]?.text ?? '') : `(${known.map(({ text }) => text).join(' or ')})`,
    open: () => joined(known.map((search) => search.open())),
  };
}
