import { type Query, IndexedValues, type ViewEntry } from '../../cache/index.ts';
import { badRequestError, type FieldSelector, type LabelSelector } from '../../meta/index.ts';
import { type KeyRange, prefixRange } from '../../storage/index.ts';
import {
  checkFields,
  checkFilter,
  checkLabels,
  type Condition,
  indexedFields,
  indexedLabels,
} from './entry-conditions.ts';
import { entryReader } from './entry-fields.ts';
import type { Filter } from '../filter/filter.ts';
import type { Representations } from '../representation/representation.ts';
import { needsWebhook } from '../representation/prepare-representations.ts';
import type { ResourceIndexes } from '../indexes/resource-indexes.ts';
import type { Target } from '../resource/target.ts';

/** The objects of a resource that a list or a watch selects. */
export interface Selection {
  /** The key prefix of the objects, or exactly one key. */
  readonly scope:
    | { readonly kind: 'prefix'; readonly prefix: string }
    | { readonly kind: 'key'; readonly key: string };
  /** Undefined if everything in the scope is selected. */
  readonly matches: ((entry: ViewEntry<Representations>) => boolean) | undefined;
  /** The index query; undefined if indexes are not used. */
  readonly query: Query<Representations> | undefined;
  /** The cost limit of one evaluation of the filter; 0 without one. */
  readonly filterCost: number;
  /** The value by which a change finds the watch. */
  readonly indexedValues: IndexedValues<Representations> | undefined;
}

/** The selectors of a request. */
interface Selectors {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  /** A CEL expression; empty selects everything. */
  readonly filter: string;
}

/**
 * The selection of a request's selectors.
 *
 * @throws {StatusError} 400 for a field that is not selectable, and for an invalid filter
 */
export function selectObjects(target: Target, selectors: Selectors, verb: 'list' | 'watch'): Selection {
  checkFieldsAreKnown(target, selectors.fieldSelector);
  const scope = scopeOf(target, selectors.fieldSelector);
  const filter = filterOf(target, selectors.filter);
  const timed = filter && { filter, time: target.resource.filters.timeOf(verb) };
  const conditions = conditionsOf(target, selectors, timed);
  const filterCost = filter?.cost ?? 0;
  const all = { scope, matches: undefined, query: undefined, indexedValues: undefined, filterCost };
  if (conditions.length === 0) return all;
  const matches = (entry: ViewEntry<Representations>) =>
    conditions.every((condition) => condition.meets(entry));
  const queries = conditions.map(({ query }) => query).filter((query) => query !== undefined);
  if (scope.kind === 'key' || queries.length === 0) return { ...all, matches };
  return { ...all, matches, query: { kind: 'and', of: queries }, indexedValues: indexedValuesOf(queries) };
}

function filterOf({ resource, ...target }: Target, source: string): Filter | undefined {
  return source === '' ? undefined : resource.filters.get(source, { resource, ...target });
}

/** The keys that selected objects can have. */
export function rangeOf({ scope }: Selection): KeyRange {
  return scope.kind === 'key' ? { start: scope.key, end: `${scope.key}\0` } : prefixRange(scope.prefix);
}

function conditionsOf(
  target: Target,
  { labelSelector, fieldSelector }: Selectors,
  filter: Parameters<typeof checkFilter>[0] | undefined,
): readonly Condition[] {
  const indexes = indexesOf(target);
  const read = entryReader(target, indexes);
  const filters = filter === undefined ? [] : [checkFilter(filter, read, indexes && [target, indexes])];
  if (indexes === undefined) {
    return [...checkLabels(target, labelSelector), ...checkFields(read, fieldSelector), ...filters];
  }
  return [
    ...indexedLabels(target, indexes, labelSelector),
    ...indexedFields(target, indexes, fieldSelector),
    ...filters,
  ];
}

/**
 * A request that started before the rules changed uses the old rules, which have no indexes any more. Objects that a
 * webhook converts cannot be indexed, because their content is known only after a call.
 */
function indexesOf(target: Target): ResourceIndexes | undefined {
  const { resource, epoch } = target;
  return epoch === resource.epoch && !needsWebhook(target) ? resource.indexes : undefined;
}

function checkFieldsAreKnown(target: Target, selector: FieldSelector): void {
  const known = new Set<string>([
    'metadata.name',
    ...(target.type.namespaced ? ['metadata.namespace'] : []),
    ...target.version.selectableFields.map(({ fieldPath }) => fieldPath),
  ]);
  for (const { field } of selector.requirements) {
    if (!known.has(field)) throw badRequestError(`field label not supported: ${field}`);
  }
}

/** An exact name or namespace narrows the range to a key or a prefix. */
function scopeOf(target: Target, fields: FieldSelector): Selection['scope'] {
  const { resource, type } = target;
  const namespace =
    target.namespace || (type.namespaced ? (fields.exactValue('metadata.namespace') ?? '') : '');
  const name = fields.exactValue('metadata.name') ?? '';
  const located = !type.namespaced || namespace !== '';
  if (name !== '' && located) return { kind: 'key', key: resource.key(namespace, name) };
  if (type.namespaced && namespace !== '')
    return { kind: 'prefix', prefix: `${resource.prefix}${namespace}/` };
  return { kind: 'prefix', prefix: resource.prefix };
}

/** The condition with the fewest values. */
function indexedValuesOf(
  queries: readonly Query<Representations>[],
): IndexedValues<Representations> | undefined {
  let fewest: (Query<Representations> & { kind: 'in' }) | undefined;
  for (const query of queries.flatMap(allOf)) {
    if (query.kind === 'in' && query.buckets.length < (fewest?.buckets.length ?? Number.POSITIVE_INFINITY))
      fewest = query;
  }
  return fewest && new IndexedValues(fewest.index, fewest.buckets);
}

/** The conditions, combined with and. */
function allOf(query: Query<Representations>): readonly Query<Representations>[] {
  return query.kind === 'and' ? query.of.flatMap(allOf) : [query];
}
