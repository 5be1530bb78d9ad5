import { encodeBeside, encodeBesideInSteps, type WrittenJson } from '../../codec/index.ts';
import type { KubeObject, RunSteps } from '../../meta/index.ts';
import { representationOf } from './representation.ts';
import type { Replaced } from './gate-stored.ts';
import { isPrepared } from './prepare-representations.ts';
import { encodeStored, type StoredBytes, withoutResourceVersion } from './encode-stored.ts';
import type { Represented } from './represented.ts';

/** For smaller objects, encoding is faster than a lookup. */
const sharedFromBytes = 4_096;

/** The previous state of the object. */
export interface Change extends Replaced {
  readonly target: Represented;
  readonly old: KubeObject;
}

/**
 * Encodes a changed object for storage. Parts of a large object that did not change are copied from the old bytes,
 * and the offsets of its parts are recorded for the next change.
 *
 * @param run encodes a large object in steps
 * @throws {StatusError} 500 if a webhook is needed and fails
 */
export async function encodeChange(object: KubeObject, change: Change, run?: RunSteps): Promise<StoredBytes> {
  const { target, old, present } = change;
  const { version, type, resource } = target;
  const isStoredShape = version === type.storageVersion && resource.converter.reshapes !== true;
  if (!isStoredShape || present.value.length < sharedFromBytes || !isPrepared(present, target)) {
    return encodeStored(object, target, change, run);
  }
  // The old object was decoded from these bytes if they have an anatomy.
  const { bytes, anatomy } = representationOf(present, target);
  const known = anatomy && { value: old, bytes, anatomy };
  const stored = withoutResourceVersion(object);
  if (run === undefined) return storedBytes(encodeBeside(stored, known));
  return storedBytes(await run(encodeBesideInSteps(stored, known)));
}

function storedBytes({ bytes, anatomy }: WrittenJson): StoredBytes {
  return { value: bytes, anatomy, isPlain: anatomy.isPlain };
}
