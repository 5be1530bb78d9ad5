import { formatGroupVersion, type KubeObject } from '../../meta/index.ts';
import type { Represented } from './represented.ts';
import { shapeConverted } from './representation.ts';
import type { WebhookConverter } from './webhook-converter.ts';

/** The written object and the old one, both in the storage version. */
export interface StoredPair {
  /** May be changed in place; parts shared with the old object must be copied first. */
  readonly object: KubeObject;
  readonly old: KubeObject | undefined;
}

/** A step of a write; true if it changed the object. */
export type StorageVersionStep = (pair: StoredPair) => boolean;

/**
 * Runs a step of a write in the storage version, so that it works the same for all request versions. Returns the
 * object in the version of the request: the argument, or a new object if a webhook converts; only then a promise. A
 * step without changes costs one review, one with changes two.
 *
 * @throws {StatusError} 500 if the webhook fails
 */
export function inStorageVersion(
  served: Represented,
  pair: StoredPair,
  step: StorageVersionStep,
): KubeObject | Promise<KubeObject> {
  const { type, version, resource } = served;
  if (version === type.storageVersion) {
    step(pair);
    return pair.object;
  }
  const { webhook } = resource.converter;
  if (webhook !== undefined) return throughWebhook(served, pair, { step, webhook });
  return renamedMeanwhile(served, pair, step);
}

/** Strategy None: only the apiVersion differs. */
function renamedMeanwhile(
  { type, version }: Represented,
  { object, old }: StoredPair,
  step: StorageVersionStep,
): KubeObject {
  const apiVersion = formatGroupVersion(type.group, type.storageVersion.name);
  object['apiVersion'] = apiVersion;
  step({ object, old: old && { ...old, apiVersion } });
  object['apiVersion'] = formatGroupVersion(type.group, version.name);
  return object;
}

async function throughWebhook(
  { type, version }: Represented,
  { object, old }: StoredPair,
  { step, webhook }: { step: StorageVersionStep; webhook: WebhookConverter },
): Promise<KubeObject> {
  const { storageVersion } = type;
  const asked = old === undefined ? [object] : [object, old];
  const [stored = object, oldStored] = await webhook.convert(asked, storageVersion);
  for (const one of [stored, oldStored]) if (one !== undefined) shapeConverted(one, storageVersion);
  if (!step({ object: stored, old: oldStored })) return object;
  const [back = object] = await webhook.convert([stored], version);
  return shapeConverted(back, version);
}
