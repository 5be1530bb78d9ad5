import { type Clock, ensureMetadata, formatTime, type KubeObject, newUid } from '../../meta/index.ts';

/** Fields that only the server sets; those in requests are removed. */
const serverFields = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
] as const;

/** Removes fields of a new object that clients cannot set. Source: apiserver, rest.WipeObjectMetaSystemFields. */
export function wipeSystemMetadata(object: KubeObject): void {
  const metadata = ensureMetadata(object);
  for (const field of serverFields) delete metadata[field];
}

/** Gives a new object its identity. Source: apiserver, rest.FillObjectMetaSystemFields. */
export function fillSystemMetadata(
  object: KubeObject,
  { clock, random }: { clock: Clock; random: (bytes: number) => Uint8Array },
): void {
  wipeSystemMetadata(object);
  const metadata = ensureMetadata(object);
  metadata['creationTimestamp'] = formatTime(clock.now());
  metadata['uid'] = newUid(random);
}
