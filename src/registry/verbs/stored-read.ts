import { ensureMetadata, type KubeObject } from '../../meta/index.ts';
import { prefixRange, type Store } from '../../storage/index.ts';
import type { RequestContext } from '../request/context.ts';
import { decodeUnconverted } from '../representation/representation.ts';
import { waitForVersion } from '../resource/view-wait.ts';
import { needsWebhook } from '../representation/prepare-representations.ts';
import { storeCall } from '../request/store-call.ts';
import { versionOf } from '../representation/stored-version.ts';
import type { Target } from '../resource/target.ts';

/**
 * One object, read from the store itself and not from a live view, which it does not open: for callers that look at
 * the metadata of few objects of many resources. It comes in the version that it is stored in, so that no webhook is
 * needed. It sees every write that was acknowledged before. Undefined where there is none.
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

/** Objects as they are stored, all of one revision. */
export interface StoredList {
  readonly objects: readonly KubeObject[];
  /** A watch from this revision on misses nothing. */
  readonly revision: number;
}

/**
 * Every object of a collection as of now, each in the version that it is stored in: for callers that look at the
 * metadata alone, which no conversion changes, and must not depend on a webhook.
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
 * The target of a write to an object that was read in this way: where a webhook converts, in the version that the
 * object is stored in, so that nobody has to be asked to look at it.
 */
export function targetAsStored<T extends Target>(target: T, object: KubeObject): T {
  if (!needsWebhook(target)) return target;
  return { ...target, version: versionOf(object, target.type) ?? target.version };
}

/** Whether a collection holds anything at all, without opening its live view. */
export async function holdsObjects(store: Store, { resource, namespace }: Target): Promise<boolean> {
  const range = prefixRange(resource.key(namespace, ''));
  const { records } = await storeCall(() => store.list(range, { limit: 1 }));
  return records.length > 0;
}
