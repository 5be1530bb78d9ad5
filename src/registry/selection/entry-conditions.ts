import {
  absentBucket,
  bucketOf,
  type Buckets,
  type Query,
  textOfBucket,
  type ViewEntry,
} from '../../cache/index.ts';
import {
  fieldCondition,
  type FieldRequirement,
  type FieldSelector,
  type LabelRequirement,
  type LabelSelector,
  meetsFieldCondition,
  meetsLabelRequirement,
} from '../../meta/index.ts';
import { entryReader, type ReadFields } from './entry-fields.ts';
import type { Filter } from '../filter/filter.ts';
import type { FilterTime } from '../filter/filter-time.ts';
import { filterQuery } from '../filter/filter-query.ts';
import {
  type Representations,
  representationLabels,
  representationOf,
} from '../representation/representation.ts';
import type { ResourceIndexes } from '../indexes/resource-indexes.ts';
import { fieldQuery, labelQuery } from './selection-query.ts';
import type { Target } from '../resource/target.ts';

/** One condition of a selector. */
export interface Condition {
  meets(entry: ViewEntry<Representations>): boolean;
  /** The same condition as an index query; undefined if no index answers it. */
  readonly query: Query<Representations> | undefined;
}

/** Labels, read from the object. */
export function checkLabels(target: Target, selector: LabelSelector): Condition[] {
  if (selector.isEmpty) return [];
  const meets = (entry: ViewEntry<Representations>) =>
    selector.matches(representationLabels(representationOf(entry, target)));
  return [{ meets, query: undefined }];
}

/** Fields, read from the object. */
export function checkFields(read: ReadFields, selector: FieldSelector): Condition[] {
  if (selector.isEmpty) return [];
  return [{ meets: (entry) => selector.matches(read(entry)), query: undefined }];
}

/** A filter; uses indexes if there are any. */
export function checkFilter(
  { filter, time }: { readonly filter: Filter; readonly time: FilterTime },
  read: ReadFields,
  indexed: readonly [Target, ResourceIndexes] | undefined,
): Condition {
  const meets = (entry: ViewEntry<Representations>) => filter.holds(read(entry), time);
  if (indexed === undefined) return { meets, query: undefined };
  const [target, indexes] = indexed;
  return { meets, query: filterQuery(filter, (field) => indexes.field(target, field), time) };
}

/** Fields in index queries. */
export function indexedFields(
  target: Target,
  indexes: ResourceIndexes,
  selector: FieldSelector,
): Condition[] {
  const read = checkFields(entryReader(target, undefined), selector);
  return selector.requirements.flatMap((requirement): Condition[] => {
    const condition = fieldCondition(requirement);
    const index = indexes.field(target, condition.field);
    if (index === undefined) return read;
    const inBuckets = { ...condition, values: condition.values.map(bucketOf) };
    const meets = (entry: ViewEntry<Representations>) => {
      const buckets = index.bucketsOf(entry);
      // Reading the object reports the error.
      return buckets === undefined ? meetsAll(read, entry) : meetsFieldCondition(inBuckets, buckets);
    };
    return [{ meets, query: isWorthAsking(target, requirement) ? fieldQuery(index, condition) : undefined }];
  });
}

/** The key range covers the namespace if only one is selected; names are as many as objects. */
function isWorthAsking({ namespace }: Target, { field, operator }: FieldRequirement): boolean {
  if (field === 'metadata.name') return operator === '=' || operator === 'in';
  return field !== 'metadata.namespace' || (namespace === '' && operator !== '=');
}

/** Labels in index queries. */
export function indexedLabels(
  target: Target,
  indexes: ResourceIndexes,
  selector: LabelSelector,
): Condition[] {
  const read = checkLabels(target, selector);
  return selector.requirements.map((requirement): Condition => {
    const index = indexes.label(target, requirement.key);
    const meets = (entry: ViewEntry<Representations>) => {
      const bucket = index.bucketsOf(entry);
      return bucket === undefined ? meetsAll(read, entry) : meetsLabel(requirement, bucket);
    };
    return { meets, query: labelQuery(index, requirement) };
  });
}

function meetsAll(conditions: readonly Condition[], entry: ViewEntry<Representations>): boolean {
  return conditions.every((condition) => condition.meets(entry));
}

/** No valid label value is long enough to be hashed; a selector with a longer one matches nothing. */
const hiddenText = '\0hidden';

function meetsLabel(requirement: LabelRequirement, bucket: Buckets): boolean {
  const text = typeof bucket === 'string' ? (textOfBucket(bucket) ?? hiddenText) : hiddenText;
  return meetsLabelRequirement(requirement, {
    get: () => (bucket === absentBucket ? undefined : text),
  });
}
