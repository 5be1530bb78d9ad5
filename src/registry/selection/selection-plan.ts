import {
  indexesOf,
  type Plan,
  planQuery,
  prepareTests,
  scanPlan,
  Snapshot,
  type ViewEntry,
} from '../../cache/index.ts';
import { badRequestError, limits, type Slices } from '../../meta/index.ts';
import type { KeyRange } from '../../storage/index.ts';
import type { RequestContext } from '../request/context.ts';
import type { Representations } from '../representation/representation.ts';
import { viewCall, waitOptions } from '../resource/view-wait.ts';
import { rangeOf, type Selection } from './selection.ts';
import type { Target } from '../resource/target.ts';

/** The objects of a resource at one revision. */
export interface ObjectSnapshot {
  readonly revision: number;
  range(range: KeyRange): Iterable<ViewEntry<Representations>>;
  count(range: KeyRange): number;
}

/**
 * Builds the indexes that a selection uses, and evaluates its filter on the values that they have, in slices of time. Must
 * be called before the snapshot is taken.
 */
export async function prepareSelection(
  selection: Selection,
  { resource }: Target,
  { context, slices }: { readonly context: RequestContext; readonly slices: Slices | undefined },
): Promise<void> {
  const { query } = selection;
  if (query === undefined) return;
  const { view } = resource;
  await viewCall(() => view.ready(waitOptions(context)));
  await view.prepareIndexes(indexesOf(query));
  if (slices === undefined) return;
  const space = { snapshot: view.snapshot(), range: rangeOf(selection), ...testsOf(selection) };
  await slices.run(prepareTests(query, space), context.signal);
}

/** How many evaluations of the filter a list may pay for. */
function testsOf({ filterCost }: Selection): { readonly testsMax?: number } {
  return filterCost === 0 ? {} : { testsMax: Math.floor(limits.filterCostMax / filterCost) };
}

/**
 * Plans how to find the selected objects in a snapshot; only snapshots of the live view have indexes.
 *
 * @throws {StatusError} 400 for a filter that would cost more than a list may
 */
export function planSelection(
  selection: Selection,
  snapshot: ObjectSnapshot,
  range: KeyRange,
): Plan<Representations> {
  const { query, filterCost } = selection;
  const plan =
    query !== undefined && snapshot instanceof Snapshot
      ? planQuery(query, { snapshot, range, ...testsOf(selection) })
      : scanPlan(snapshot, range, query === undefined ? 'nothing to look up' : 'from the storage');
  if (filterCost > 0) refuseExpensive(plan, filterCost);
  return plan;
}

/** The cost of finding and reading an object, in CEL cost units, each a fraction of a microsecond. */
const entryCost = 100;

function refuseExpensive(plan: Plan<Representations>, filterCost: number): void {
  const cost = plan.entries * (entryCost + filterCost) + plan.tested * filterCost;
  if (cost <= limits.filterCostMax) return;
  throw badRequestError(
    `filter is too expensive: ${cost} of at most ${limits.filterCostMax}; the plan is ${plan.text}; ` +
      'compare selectable fields with constants, or narrow the search by a namespace or another selector',
  );
}
