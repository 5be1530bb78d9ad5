import type { ViewEntry } from '../../cache/index.ts';
import { applyFieldGates } from '../../crd/index.ts';
import type { KubeObject } from '../../meta/index.ts';
import type { Represented } from './represented.ts';
import { type Representations, representationObject, representationOf } from './representation.ts';
import { prepareRepresentations } from './prepare-representations.ts';

/** The object that a write replaces. */
export interface Replaced {
  readonly present: ViewEntry<Representations>;
  /** The request's signal: a webhook may have to be called. */
  readonly context: { readonly signal: AbortSignal };
}

/**
 * Applies the gates once more to an object in the storage version, in place: the version of the request may lack
 * gated fields, and a conversion may restore dropped ones. Owners do not change, because these fields are not visible
 * in the request's version.
 *
 * @param replaced undefined for a new object
 * @throws {StatusError} 500 if a webhook is needed and fails
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
