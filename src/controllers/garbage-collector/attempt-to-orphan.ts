import { metadataString, orphanFinalizer, own, metadataOf } from '../../meta/index.ts';
import { isConflict, isNotFound } from '../client.ts';
import { type AttemptParts, withoutOwners } from './attempt-to-delete.ts';
import { storedReferences } from './live-objects.ts';
import type { GraphNode } from './node.ts';

/** Dependents that are written at once. */
const writesMax = 64;
/** The number of conflicts after which the owner is tried again as a whole. */
const attemptsMax = 5;

/**
 * Lets an owner go without its dependents: each loses its reference, then the owner its finalizer.
 *
 * @throws what a write is refused with: then the owner is tried again
 */
export async function attemptToOrphan(parts: AttemptParts, uid: string): Promise<void> {
  const node = parts.graph.get(uid);
  if (node === undefined) return;
  const dependents = [...node.dependents];
  for (let start = 0; start < dependents.length; start += writesMax) {
    const batch = dependents.slice(start, start + writesMax);
    await Promise.all(batch.map((dependent) => release(parts, dependent, uid)));
  }
  const { target, object } = await parts.live.read(node.identity, 'stored');
  if (object === undefined || metadataString(object, 'uid') !== uid) return;
  if (own(metadataOf(object), 'deletionTimestamp') === undefined) return;
  await parts.live.removeFinalizer({ target, object }, orphanFinalizer);
}

async function release({ live }: AttemptParts, { identity }: GraphNode, ownerUid: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { target, object } = await live.read(identity, 'stored');
    if (object === undefined || metadataString(object, 'uid') !== identity.uid) return;
    const rest = withoutOwners(object, new Set([ownerUid]));
    if (rest.length === storedReferences(object).length) return;
    try {
      await live.setOwners({ target, object }, rest);
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error) || attempt === attemptsMax) throw error;
    }
  }
}
