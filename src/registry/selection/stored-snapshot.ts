import { ViewEntry, ViewError } from '../../cache/index.ts';
import { limits } from '../../meta/index.ts';
import {
  type KeyRange,
  type ListResult,
  type Store,
  StoreError,
  type StoredRecord,
} from '../../storage/index.ts';
import type { RequestContext } from '../request/context.ts';
import type { Representations } from '../representation/representation.ts';
import type { Resource } from '../resource/resource.ts';
import type { ObjectSnapshot } from './selection-plan.ts';
import { viewCall, waitOptions } from '../resource/view-wait.ts';
import { storeCall } from '../request/store-call.ts';

interface StoredSnapshotOptions {
  readonly range: KeyRange;
  /** A past revision; the latest if absent. */
  readonly revision?: number | undefined;
  /** The maximum number of entries; 0 for all. */
  readonly limit: number;
  /** Ends the read. */
  readonly signal: AbortSignal;
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
  options: StoredSnapshotOptions,
): Promise<ObjectSnapshot> {
  const { records, revision, count } = await storeCall(
    () => readRange(store, resource, options),
    options.revision,
  );
  const entries = records.map((record) => entryOf(resource, record));
  return {
    revision,
    range: ({ start, end }) => entries.filter(({ key }) => key >= start && key < end),
    // Entries beyond the limit come after these.
    count: ({ start }) => count - entries.filter(({ key }) => key < start).length,
  };
}

/** Whole ranges at the latest revision are read once for all who ask at the same time. */
function readRange(
  store: Store,
  resource: Resource,
  { range, revision, limit, signal }: StoredSnapshotOptions,
): Promise<ListResult> {
  if (revision === undefined && limit === 0) return resource.storedLists.list(range, signal);
  // One more than the page, to detect whether others follow.
  const options = { ...(revision !== undefined && { revision }), ...(limit > 0 && { limit: limit + 1 }) };
  return store.list(range, { ...options, signal });
}

/**
 * Whether the view has so many objects of a range that reading them from the storage would take long. Waits until the view is
 * loaded, which takes no longer than reading the same objects for the request.
 */
export async function isLarge(
  { view }: Resource,
  { range, context }: { readonly range: KeyRange; readonly context: RequestContext },
): Promise<boolean> {
  try {
    await view.atLeast(1, waitOptions(context));
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ViewError || error instanceof StoreError) return false;
    throw error;
  }
  return view.snapshot().count(range) >= limits.storedListObjectsMax;
}

/**
 * The latest state of a large range from the live view, for a storage whose watches may lose the last change: the view has
 * all changes up to the revision that it has applied, and usually applies the latest one at once. Undefined where it does
 * not, and for small ranges, which are read from the storage.
 *
 * @throws {StatusError} 503 if the storage is unavailable
 */
export async function caughtUpSnapshot(
  resource: Resource,
  part: { readonly range: KeyRange; readonly context: RequestContext },
): Promise<ObjectSnapshot | undefined> {
  if (!(await isLarge(resource, part))) return undefined;
  const { view } = resource;
  return viewCall(async () => {
    try {
      await view.consistent({ signal: part.context.signal, timeoutMs: limits.storedListDelayMsMax });
    } catch (error) {
      if (error instanceof ViewError && error.code === 'timeout') return undefined;
      throw error;
    }
    return view.snapshot();
  });
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
