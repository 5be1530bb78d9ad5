import { type Clock, ensureMetadata, formatTime, type KubeObject, newUid } from '../../meta/index.ts';

/** What only the server says; whatever a client sent there goes. */
const serverFields = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
] as const;

/** Gives a new object its identity. Source: apiserver, rest.FillObjectMetaSystemFields. */
export function fillSystemMetadata(
  object: KubeObject,
  { clock, random }: { clock: Clock; random: (bytes: number) => Uint8Array },
): void {
  const metadata = ensureMetadata(object);
  for (const field of serverFields) delete metadata[field];
  metadata['creationTimestamp'] = formatTime(clock.now());
  metadata['uid'] = newUid(random);
}
