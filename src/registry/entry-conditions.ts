import {
  absentBucket,
  bucketOf,
  type Buckets,
  type Query,
  textOfBucket,
  type ViewEntry,
} from '../cache/index.ts';
import {
  fieldCondition,
  type FieldRequirement,
  type FieldSelector,
  type FieldText,
  type LabelRequirement,
  type LabelSelector,
  meetsFieldCondition,
  meetsLabelRequirement,
} from '../meta/index.ts';
import { type Forms, formLabels, formObject, formOf } from './forms.ts';
import type { ResourceIndexes } from './resource-indexes.ts';
import { selectableValueReader } from './selectable-value.ts';
import { fieldQuery, labelQuery } from './selection-query.ts';
import type { Target } from './target.ts';

/** One thing that a selector asks of an object. */
export interface Condition {
  meets(entry: ViewEntry<Forms>): boolean;
  /** The same as a question to an index; undefined where there is none to ask. */
  readonly query: Query<Forms> | undefined;
}

/** Labels, read from the object. */
export function checkLabels(target: Target, selector: LabelSelector): Condition[] {
  if (selector.isEmpty) return [];
  const meets = (entry: ViewEntry<Forms>) => selector.matches(formLabels(formOf(entry, target)));
  return [{ meets, query: undefined }];
}

/** Fields, read from the object, which is decoded once, and only where its key does not tell. */
export function checkFields(target: Target, selector: FieldSelector): Condition[] {
  if (selector.isEmpty) return [];
  const readers = new Map(
    target.version.selectableFields.map((field) => [field.fieldPath, selectableValueReader(field)]),
  );
  const meets = (entry: ViewEntry<Forms>) => {
    let object: ReturnType<typeof formObject> | undefined;
    return selector.matches((field): FieldText => {
      const fromKey = keyField(target, entry.key, field);
      if (fromKey !== undefined) return fromKey;
      object ??= formObject(formOf(entry, target), entry.modRevision);
      return readers.get(field)?.(object) ?? '';
    });
  };
  return [{ meets, query: undefined }];
}

function keyField({ resource, type }: Target, key: string, field: string): string | undefined {
  if (field !== 'metadata.name' && field !== 'metadata.namespace') return undefined;
  const steps = key.slice(resource.prefix.length).split('/');
  if (field === 'metadata.name') return steps.at(-1) ?? '';
  return type.namespaced ? (steps[0] ?? '') : '';
}

/** Fields, as indexes know them. */
export function indexedFields(
  target: Target,
  indexes: ResourceIndexes,
  selector: FieldSelector,
): Condition[] {
  const read = checkFields(target, selector);
  return selector.requirements.flatMap((requirement): Condition[] => {
    const condition = fieldCondition(requirement);
    const index = indexes.field(target, condition.field);
    if (index === undefined) return read;
    const inBuckets = { ...condition, values: condition.values.map(bucketOf) };
    const meets = (entry: ViewEntry<Forms>) => {
      const buckets = index.bucketsOf(entry);
      // Reading the object itself says what is wrong with it.
      return buckets === undefined ? meetsAll(read, entry) : meetsFieldCondition(inBuckets, buckets);
    };
    return [{ meets, query: isWorthAsking(target, requirement) ? fieldQuery(index, condition) : undefined }];
  });
}

/** The scope of the search minds a namespace where only one is meant; and there are as many names as objects. */
function isWorthAsking({ namespace }: Target, { field, operator }: FieldRequirement): boolean {
  if (field === 'metadata.name') return operator === '=' || operator === 'in';
  return field !== 'metadata.namespace' || (namespace === '' && operator !== '=');
}

/** Labels, as indexes know them. */
export function indexedLabels(
  target: Target,
  indexes: ResourceIndexes,
  selector: LabelSelector,
): Condition[] {
  const read = checkLabels(target, selector);
  return selector.requirements.map((requirement): Condition => {
    const index = indexes.label(target, requirement.key);
    const meets = (entry: ViewEntry<Forms>) => {
      const bucket = index.bucketsOf(entry);
      return bucket === undefined ? meetsAll(read, entry) : meetsLabel(requirement, bucket);
    };
    return { meets, query: labelQuery(index, requirement) };
  });
}

function meetsAll(conditions: readonly Condition[], entry: ViewEntry<Forms>): boolean {
  return conditions.every((condition) => condition.meets(entry));
}

/** No label value that passes validation is so long that its bucket hides it; if one did, no selector would mean it. */
const hiddenText = '\0hidden';

function meetsLabel(requirement: LabelRequirement, bucket: Buckets): boolean {
  const text = typeof bucket === 'string' ? (textOfBucket(bucket) ?? hiddenText) : hiddenText;
  return meetsLabelRequirement(requirement, {
    get: () => (bucket === absentBucket ? undefined : text),
  });
}
