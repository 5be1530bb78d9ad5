import type { Steps } from '../../meta/index.ts';
import type { KeyRange } from '../../storage/index.ts';
import { orderedKey } from '../entries/key-order.ts';
import type { Snapshot } from '../state/snapshot.ts';
import type { ViewEntry } from '../entries/view-entry.ts';
import type { Query } from './query.ts';
import { type Search, searchFor, type SearchSpace, testValuesInSteps } from './search.ts';

/** How the entries of a query are found. */
export interface Plan<M> {
  readonly kind: 'index' | 'scan';
  /** The number of entries examined. */
  readonly entries: number;
  /** The number of distinct values examined. */
  readonly tested: number;
  /** As text: `index: spec.color=blue (10 of 100000)`. */
  readonly text: string;
  /** All selected entries, and perhaps others, in key order. */
  find(): Iterable<ViewEntry<M>>;
}

/** The cost of looking up an entry by its key, in scanned entries. */
const lookUpFactor = 4;
/** Below this number of entries, a scan is faster than any lookup. */
const scanMax = 32;

/** A part of a snapshot, and how much work a plan may be. */
interface PlanSpace<M> {
  readonly snapshot: Snapshot<M>;
  readonly range: KeyRange;
  /** The number of values that tests of the query may be made on; without it, only the planner's own limit counts. */
  readonly testsMax?: number;
}

/** Decides whether the entries of a range are found by indexes or by a scan. */
export function planQuery<M>(query: Query<M>, space: PlanSpace<M>): Plan<M> {
  const { snapshot, range } = space;
  const of = snapshot.count(range);
  const search = of <= scanMax ? undefined : searchFor(query, searchSpace(space));
  if (search === undefined || search.keys * lookUpFactor > of) {
    return scanPlan(snapshot, range, whyScan(of, search, query));
  }
  return {
    kind: 'index',
    entries: search.keys,
    tested: search.tested,
    text: `index: ${search.text} (${search.keys} of ${of})`,
    find: () => found(snapshot, search),
  };
}

/** Makes the tests that {@link planQuery} makes, in steps: a query whose tests keep their results is planned at once afterwards. */
export function* prepareTests<M>(query: Query<M>, space: PlanSpace<M>): Steps<void> {
  if (space.snapshot.count(space.range) > scanMax) yield* testValuesInSteps(query, searchSpace(space));
}

function searchSpace<M>({ snapshot, range, testsMax }: PlanSpace<M>): SearchSpace<M> {
  return {
    range: { start: orderedKey(range.start), end: orderedKey(range.end) },
    index(definition) {
      const index = snapshot.index(definition);
      return index?.isComplete === true ? index : undefined;
    },
    ...(testsMax === undefined ? {} : { testsMax }),
  };
}

/** Scans all entries of a range; they are counted only on demand. */
export function scanPlan<M>(
  moment: Pick<Snapshot<M>, 'range' | 'count'>,
  range: KeyRange,
  why: string,
): Plan<M> {
  return {
    kind: 'scan',
    tested: 0,
    get entries() {
      return moment.count(range);
    },
    get text() {
      return `scan: ${moment.count(range)} (${why})`;
    },
    find: () => moment.range(range),
  };
}

function whyScan<M>(of: number, search: Search | undefined, query: Query<M>): string {
  if (of <= scanMax) return 'few objects';
  if (search !== undefined) return `${search.text} finds ${search.keys}`;
  return reasonsIn(query).at(-1) ?? 'no index tells';
}

/** The reason why parts of a query cannot be searched. */
function reasonsIn<M>(query: Query<M>): readonly string[] {
  if (query.kind === 'and' || query.kind === 'or') return query.of.flatMap(reasonsIn);
  return query.kind === 'anything' ? [query.why] : [];
}

function* found<M>(snapshot: Snapshot<M>, search: Search): Generator<ViewEntry<M>, void, undefined> {
  for (const cursor = search.open(); cursor.key !== undefined; cursor.next()) {
    const entry = snapshot.getOrdered(cursor.key);
    if (entry !== undefined) yield entry;
  }
}
