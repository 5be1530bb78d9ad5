import type { KeyRange } from '../../storage/index.ts';
import { orderedKey } from '../entries/key-order.ts';
import type { Snapshot } from '../state/snapshot.ts';
import type { ViewEntry } from '../entries/view-entry.ts';
import type { Query } from './query.ts';
import { type Search, searchFor } from './search.ts';

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

/** Decides whether the entries of a range are found by indexes or by a scan. */
export function planQuery<M>(snapshot: Snapshot<M>, query: Query<M>, range: KeyRange): Plan<M> {
  const of = snapshot.count(range);
  const ordered = { start: orderedKey(range.start), end: orderedKey(range.end) };
  const search =
    of <= scanMax
      ? undefined
      : searchFor(query, {
          range: ordered,
          index(definition) {
            const index = snapshot.index(definition);
            return index?.isComplete === true ? index : undefined;
          },
        });
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
