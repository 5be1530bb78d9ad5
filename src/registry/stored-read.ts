import { ensureMetadata, type KubeObject } from '../meta/index.ts';
import { prefixRange, type Store } from '../storage/index.ts';
import { decodeUnconverted } from './forms.ts';
import { storeCall } from './store-call.ts';
import type { Target } from './target.ts';

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

/** Whether a collection holds anything at all, without opening its live view. */
export async function holdsObjects(store: Store, { resource, namespace }: Target): Promise<boolean> {
  const range = prefixRange(resource.key(namespace, ''));
  const { records } = await storeCall(() => store.list(range, { limit: 1 }));
  return records.length > 0;
}
