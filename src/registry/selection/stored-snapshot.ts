import { ViewEntry } from '../../cache/index.ts';
import type { KeyRange, Store, StoredRecord } from '../../storage/index.ts';
import type { Representations } from '../representation/representation.ts';
import type { Resource } from '../resource/resource.ts';
import type { ObjectSnapshot } from './selection-plan.ts';
import { storeCall } from '../request/store-call.ts';

interface StoredSnapshotOptions {
  readonly range: KeyRange;
  /** A past revision; the latest if absent. */
  readonly revision?: number | undefined;
  /** The maximum number of entries; 0 for all. */
  readonly limit: number;
}

/**
 * Reads a range from the storage itself: for a past revision that the live view no longer has, and for the latest
 * revision if the view cannot know that it has it.
 *
 * @throws {StatusError} 410 if the storage has compacted it too
 */
export async function storedSnapshot(
  store: Store,
  resource: Resource,
  { range, revision: asked, limit }: StoredSnapshotOptions,
): Promise<ObjectSnapshot> {
  // One more than the page, to detect whether others follow.
  const options = { ...(asked !== undefined && { revision: asked }), ...(limit > 0 && { limit: limit + 1 }) };
  const { records, revision, count } = await storeCall(() => store.list(range, options), asked);
  const entries = records.map((record) => entryOf(resource, record));
  return {
    revision,
    range: ({ start, end }) => entries.filter(({ key }) => key >= start && key < end),
    // Entries beyond the limit come after these.
    count: ({ start }) => count - entries.filter(({ key }) => key < start).length,
  };
}

/** The latest state of one object from the storage itself; undefined if there is none. */
export async function storedEntry(
  store: Store,
  resource: Resource,
  key: string,
): Promise<ViewEntry<Representations> | undefined> {
  const { record } = await storeCall(() => store.get(key));
  return record && entryOf(resource, record);
}

/** The view's own entry if it has the same revision: cached representations are reused. */
function entryOf({ view }: Resource, { key, modRevision, value }: StoredRecord): ViewEntry<Representations> {
  const known = view.get(key);
  return known?.modRevision === modRevision ? known : new ViewEntry<Representations>(key, modRevision, value);
}
