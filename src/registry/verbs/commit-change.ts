import { ViewEntry } from '../../cache/index.ts';
import type { Reservation } from '../../kinds/index.ts';
import { type KubeObject, metadataOf, own, stringList } from '../../meta/index.ts';
import type { CommitResult } from '../../storage/index.ts';
import { keepNoOpApplies } from './keep-no-op-applies.ts';
import type { RequestContext } from '../request/context.ts';
import { type Representations, keptRepresentation, noteCommitted } from '../representation/representation.ts';
import { type RegistryParts, runnerOf } from '../write/registry-parts.ts';
import type { ResponseObject } from '../representation/response-object.ts';
import { awaitShown } from '../resource/await-shown.ts';
import { preconditionsOf } from '../resource/preconditions.ts';
import { storeCall, trackedStoreCall } from '../request/store-call.ts';
import type { ObjectTarget } from '../resource/target.ts';
import { prepareChange } from '../representation/prepared-write.ts';
import { hasGrace } from './deletion-step.ts';
import { staleError } from './stale-error.ts';
import { withOwnMetadata } from '../write/own-metadata.ts';

/** The result of one attempt: the object, or what another writer stored meanwhile. */
export type ChangeOutcome =
  | { readonly responseObject: ResponseObject; readonly same: boolean }
  | { readonly current: ViewEntry<Representations> | undefined };

/**
 * Stores a changed object unless another writer changed it. A dry run or a change without effect writes nothing; an
 * object marked for deletion without finalizers is removed.
 *
 * @throws {StatusError} 409 if the cached state that the change was computed from was not the latest
 */
export async function commitChange(
  parts: RegistryParts,
  change: {
    readonly target: ObjectTarget;
    readonly object: KubeObject;
    readonly old: KubeObject;
    readonly present: ViewEntry<Representations>;
    readonly dryRun: boolean;
    readonly context: RequestContext;
    /** The size of the present object or the body. */
    readonly bytes: number;
    readonly reservation: Reservation | undefined;
  },
): Promise<ChangeOutcome> {
  const { target, object, present, dryRun } = change;
  const { value, anatomy, response } = await prepareChange(object, change, runnerOf(parts, change.bytes));
  const gone = isFinished(object, target);
  const equal = !gone && value.equals(present.value);
  if (equal && target.freshness.preconditions !== undefined) throw staleError(target);
  const key = target.resource.key(target.namespace, target.name);
  const same = equal && !(await isStale(parts, key));
  if (same || dryRun) return { responseObject: response(present.modRevision), same };
  const preconditions = preconditionsOf(target, change.reservation);
  const commit = { key, value: gone ? null : value, expect: present.modRevision, preconditions };
  const result: CommitResult = await trackedStoreCall(() => parts.store.commit(commit), {
    track: change.context.track,
    clock: parts.clock,
  });
  if (result.ok) {
    const replaces = present.modRevision;
    const noOpApplies = keepNoOpApplies(keptRepresentation(present, target.version)?.noOpApplies, change);
    if (!gone)
      noteCommitted(target, result.revision, {
        object: withOwnMetadata(object),
        anatomy,
        replaces,
        noOpApplies,
      });
    await awaitShown(target, result.revision);
    if (gone) target.resource.recent.forget(present.modRevision);
    return { responseObject: response(result.revision), same };
  }
  const { current } = result;
  if (current?.modRevision === present.modRevision) throw staleError(target);
  return { current: current && new ViewEntry(key, current.modRevision, current.value) };
}

/** Whether an unchanged value must be written again because it is encrypted with an old key. */
async function isStale({ isStale: ask }: RegistryParts, key: string): Promise<boolean> {
  return ask !== undefined && (await storeCall(() => ask(key)));
}

/** Marked for deletion and without finalizers: this update removes it. */
function isFinished(object: KubeObject, target: ObjectTarget): boolean {
  const metadata = metadataOf(object);
  if (own(metadata, 'deletionTimestamp') === undefined) return false;
  if (stringList(own(metadata, 'finalizers')).length > 0 || hasGrace(object)) return false;
  return target.resource.strategy.holdsDeletion?.(object) !== true;
}
