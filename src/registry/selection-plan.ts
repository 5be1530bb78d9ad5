import { indexesOf, type Plan, planQuery, scanPlan, Snapshot, type ViewEntry } from '../cache/index.ts';
import type { KeyRange } from '../storage/index.ts';
import type { RequestContext } from './context.ts';
import type { Forms } from './forms.ts';
import { viewCall, waitOptions } from './freshness.ts';
import type { Selection } from './selection.ts';
import type { Target } from './target.ts';

/** The objects of a resource at one moment. */
export interface Moment {
  readonly revision: number;
  range(range: KeyRange): Iterable<ViewEntry<Forms>>;
  count(range: KeyRange): number;
}

/** Sees to it that the indexes that a selection asks are there. Must be called before the moment is taken. */
export async function prepareSelection(
  { query }: Selection,
  { resource }: Target,
  context: RequestContext,
): Promise<void> {
  if (query === undefined) return;
  const { view } = resource;
  await viewCall(() => view.ready(waitOptions(context)));
  await view.prepareIndexes(indexesOf(query));
}

/** How what is selected is found at a moment; only states of the live view have indexes. */
export function planSelection({ query }: Selection, moment: Moment, range: KeyRange): Plan<Forms> {
  if (query !== undefined && moment instanceof Snapshot) return planQuery(moment, query, range);
  return scanPlan(moment, range, query === undefined ? 'nothing to look up' : 'from the storage');
}
