import { ViewEntry } from '../../cache/index.ts';
import type { KeyRange, Store, StoredRecord } from '../../storage/index.ts';
import type { Representations } from '../representation/representation.ts';
import type { Resource } from '../resource/resource.ts';
import type { ObjectSnapshot } from './selection-plan.ts';
import { storeCall } from '../request/store-call.ts';

interface StoredSnapshotOptions {
  readonly range: KeyRange;
  /** A past revision; the latest where it is left out. */
  readonly revision?: number | undefined;
  /** So many entries are all that is looked at; 0 for all. */
  readonly limit: number;
}

/**
 * The objects of a range as the storage itself has them: for a past that the live view has forgotten, and for the
 * latest where the view cannot know that it has it.
 *
 * @throws {StatusError} 410 where the storage has forgotten it too
 */
export async function storedSnapshot(
  store: Store,
  resource: Resource,
  { range, revision: asked, limit }: StoredSnapshotOptions,
): Promise<ObjectSnapshot> {
  // One more than are shown, for the page to know whether others follow.
  const options = { ...(asked !== undefined && { revision: asked }), ...(limit > 0 && { limit: limit + 1 }) };
  const { records, revision, count } = await storeCall(() => store.list(range, options), asked);
  const entries = records.map((record) => entryOf(resource, record));
  return {
    revision,
    range: ({ start, end }) => entries.filter(({ key }) => key >= start && key < end),
    // Those that were left out come after those that are here.
    count: ({ start }) => count - entries.filter(({ key }) => key < start).length,
  };
}

/** The latest state of one object as the storage itself has it; undefined where there is none. */
export async function storedEntry(
  store: Store,
  resource: Resource,
  key: string,
): Promise<ViewEntry<Representations> | undefined> {
  const { record } = await storeCall(() => store.get(key));
  return record && entryOf(resource, record);
}

/** The view's own entry, if it is of the same write: what was made of it once serves again. */
function entryOf({ view }: Resource, { key, modRevision, value }: StoredRecord): ViewEntry<Representations> {
  const known = view.get(key);
  return known?.modRevision === modRevision ? known : new ViewEntry<Representations>(key, modRevision, value);
}
