import { ensureMetadata, type KubeObject, nameOf } from '../../meta/index.ts';
import { prefixRange, type Store } from '../../storage/index.ts';
import type { RequestContext } from '../request/context.ts';
import { decodeUnconverted } from '../representation/representation.ts';
import { decodeStoredValue } from '../representation/stored-value.ts';
import { waitForVersion } from '../resource/view-wait.ts';
import { needsWebhook } from '../representation/prepare-representations.ts';
import { storeCall } from '../request/store-call.ts';
import { versionOf } from '../representation/stored-version.ts';
import type { Target } from '../resource/target.ts';

/**
 * Reads one object from the store itself, without opening a live view: for callers that need the metadata of few
 * objects of many resources. It is returned in the stored version, so no webhook is needed. Includes every write
 * acknowledged before the call. Undefined if there is none.
 */
export async function readStored(
  store: Store,
  target: Target,
  name: string,
): Promise<KubeObject | undefined> {
  const { record } = await storeCall(() => store.get(target.resource.key(target.namespace, name)));
  if (record === undefined) return undefined;
  const object = decodeUnconverted(record.value, target.type);
  ensureMetadata(object)['resourceVersion'] = String(record.modRevision);
  return object;
}

/** Stored objects at one revision. */
export interface StoredList {
  readonly objects: readonly KubeObject[];
  /** A watch from this revision misses no event. */
  readonly revision: number;
}

/**
 * All objects of a collection at the latest revision, each in its stored version: for callers that need only
 * metadata, which no conversion changes, and must not depend on a webhook.
 */
export async function listStored(target: Target, context: RequestContext): Promise<StoredList> {
  const { resource, type, namespace } = target;
  await waitForVersion(target, '', context);
  const snapshot = resource.view.snapshot();
  const objects: KubeObject[] = [];
  for (const entry of snapshot.range(prefixRange(resource.key(namespace, '')))) {
    const object = decodeUnconverted(entry.value, type);
    ensureMetadata(object)['resourceVersion'] = String(entry.modRevision);
    objects.push(object);
  }
  return { objects, revision: snapshot.revision };
}

/**
 * All objects of a collection as they are stored, by name, without the normalization that makes most of the work of {@link listStored}: for
 * comparisons that unknown fields do not disturb. A value that is no object is left out.
 */
export async function storedValues(
  target: Target,
  context: RequestContext,
): Promise<Map<string, KubeObject>> {
  const { resource, namespace } = target;
  await waitForVersion(target, '', context);
  const values = new Map<string, KubeObject>();
  for (const { value } of resource.view.snapshot().range(prefixRange(resource.key(namespace, '')))) {
    const object = decodeStoredValue(value);
    if (object !== undefined) values.set(nameOf(object), object);
  }
  return values;
}

/**
 * The target of a write to an object that was read this way: if a webhook converts, in the object's stored version,
 * so that no conversion is needed.
 */
export function targetAsStored<T extends Target>(target: T, object: KubeObject): T {
  if (!needsWebhook(target)) return target;
  return { ...target, version: versionOf(object, target.type) ?? target.version };
}

/** Whether a collection has objects, without opening its live view. */
export async function holdsObjects(store: Store, { resource, namespace }: Target): Promise<boolean> {
  const range = prefixRange(resource.key(namespace, ''));
  const { records } = await storeCall(() => store.list(range, { limit: 1 }));
  return records.length > 0;
}
