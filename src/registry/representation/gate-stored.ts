import type { ViewEntry } from '../../cache/index.ts';
import { applyFieldGates } from '../../crd/index.ts';
import type { KubeObject } from '../../meta/index.ts';
import type { Represented } from './represented.ts';
import { type Representations, representationObject, representationOf } from './representation.ts';
import { prepareRepresentations } from './prepare-representations.ts';

/** The object that a write replaces. */
export interface Replaced {
  readonly present: ViewEntry<Representations>;
  /** Of the request: it may have to wait for a webhook. */
  readonly context: { readonly signal: AbortSignal };
}

/**
 * An object in the storage version, once more as the gates have it, in place: the version that it was written in may
 * lack fields that are kept, and a conversion may bring back what was dropped. Owners are as the write left them, for
 * nothing of this could be seen in its version.
 *
 * @param replaced undefined for a new object
 * @throws {StatusError} 500 where a webhook is needed and fails
 */
export function gateStored(
  stored: KubeObject,
  served: Represented,
  replaced: Replaced | undefined,
): KubeObject | Promise<KubeObject> {
  const acting = served.type.fieldGates?.acting.whole;
  if (acting === undefined) return stored;
  const settle = (old: KubeObject | undefined) => {
    applyFieldGates(acting.root, stored, old);
    return stored;
  };
  if (replaced === undefined) return settle(undefined);
  const { present, context } = replaced;
  const inStorageVersion = { ...served, version: served.type.storageVersion };
  const read = () => representationObject(representationOf(present, inStorageVersion), present.modRevision);
  const preparing = prepareRepresentations([present], { served: inStorageVersion, context });
  return preparing === undefined ? settle(read()) : preparing.then(() => settle(read()));
}
