import { textOfBucket, type ViewEntry } from '../../cache/index.ts';
import type { FieldText } from '../../meta/index.ts';
import {
  type Representations,
  representationObject,
  representationOf,
} from '../representation/representation.ts';
import type { ResourceIndexes } from '../indexes/resource-indexes.ts';
import { selectableValueReader } from '../indexes/selectable-value.ts';
import type { Target } from '../resource/target.ts';

/** Returns the texts of an entry's selectable fields. */
export type ReadFields = (entry: ViewEntry<Representations>) => (field: string) => FieldText;

/**
 * Reads selectable fields from the index data of an entry, or from the object itself, which is decoded once and only
 * if neither its key nor an index has the value.
 */
export function entryReader(target: Target, indexes: ResourceIndexes | undefined): ReadFields {
  const readers = new Map(
    target.version.selectableFields.map((field) => [field.fieldPath, selectableValueReader(field)]),
  );
  return (entry) => {
    let object: ReturnType<typeof representationObject> | undefined;
    return (field) => {
      const known = keyField(target, entry.key, field) ?? indexedText(target, indexes, { entry, field });
      if (known !== undefined) return known;
      object ??= representationObject(representationOf(entry, target), entry.modRevision);
      return readers.get(field)?.(object) ?? '';
    };
  };
}

function keyField({ resource, type }: Target, key: string, field: string): string | undefined {
  if (field !== 'metadata.name' && field !== 'metadata.namespace') return undefined;
  const steps = key.slice(resource.prefix.length).split('/');
  if (field === 'metadata.name') return steps.at(-1) ?? '';
  return type.namespaced ? (steps[0] ?? '') : '';
}

/** Undefined if the index could not read the entry, or has only a hash of a value. */
function indexedText(
  target: Target,
  indexes: ResourceIndexes | undefined,
  { entry, field }: { readonly entry: ViewEntry<Representations>; readonly field: string },
): FieldText | undefined {
  const buckets = indexes?.field(target, field)?.bucketsOf(entry);
  if (typeof buckets === 'string' || buckets === undefined) return buckets && textOfBucket(buckets);
  const texts = buckets.map(textOfBucket).filter((text) => text !== undefined);
  return texts.length === buckets.length ? texts : undefined;
}
