import { ViewEntry } from '../../cache/index.ts';
import {
  conflictError,
  type DeleteOptions,
  deleteOptionsObject,
  type KubeObject,
  limits,
  metadataString,
  type StatusDetails,
} from '../../meta/index.ts';
import { attributesOf } from '../write/admission-attributes.ts';
import type { RequestContext } from '../request/context.ts';
import { type Representations, objectOf } from '../representation/representation.ts';
import { inSlices, type RegistryParts, runnerOf } from '../write/registry-parts.ts';
import { prepareRepresentations } from '../representation/prepare-representations.ts';
import { type ResponseObject, renderObject } from '../representation/response-object.ts';
import { trackedStoreCall } from '../request/store-call.ts';
import { encodeStored } from '../representation/encode-stored.ts';
import { awaitShown } from '../resource/await-shown.ts';
import { targetOfRetry, type ObjectTarget } from '../resource/target.ts';
import { absentObject } from './absent-object.ts';
import { readPresent } from './change-object.ts';
import { type DeletionStep, deletionStep } from './deletion-step.ts';
import { staleError } from './stale-error.ts';

export interface DeleteRequest {
  readonly target: ObjectTarget;
  readonly options: DeleteOptions;
  readonly context: RequestContext;
  /** True for deletes that no plugin may refuse: the objects of a removed kind. */
  readonly withoutAdmission?: boolean;
  /** True for a delete of a collection: admission sees no name then, as upstream. */
  readonly inCollection?: boolean;
}

/** The result of a delete. */
export interface DeleteResult {
  /** True if the object was removed; false if finalizers hold it. */
  readonly deleted: boolean;
  /** True if the response is the object; otherwise it is a Status. */
  readonly showsObject: boolean;
  /** The object in its last state. */
  readonly responseObject: ResponseObject;
  /** The message of a Status. */
  readonly details: StatusDetails;
}

/**
 * DELETE: removes an object, or marks it for deletion if it has finalizers.
 *
 * @throws {StatusError} 403, 404, 409 for a failed precondition
 */
export async function deleteObject(parts: RegistryParts, request: DeleteRequest): Promise<DeleteResult> {
  const { target, options } = request;
  // A dry run commits nothing, so preconditions would not be checked, and cached state may be old.
  if (options.dryRun && target.freshness.preconditions !== undefined) throw staleError(target);
  for (let attempt = 1; attempt <= limits.updateAttemptsMax; attempt += 1) {
    const present = await readPresent(attempt === 1 ? target : targetOfRetry(target));
    const result = await attemptDelete(parts, request, present);
    if (result !== undefined) return result;
  }
  throw staleError(target);
}

/** Undefined if another writer came between: then the delete starts over. */
async function attemptDelete(
  parts: RegistryParts,
  request: DeleteRequest,
  entry: ViewEntry<Representations>,
): Promise<DeleteResult | undefined> {
  const { target, context } = request;
  const preparing = prepareRepresentations([entry], { served: target, context });
  if (preparing !== undefined) await preparing;
  const old = await inSlices(parts, entry.value.length, objectOf(entry, target));
  checkPreconditions(old, request);
  if (request.withoutAdmission !== true) await admitDelete(parts, request, old);
  const step = deletionStep(parts, request, old);
  return takeStep(parts, { request, entry, old }, step);
}

/** A delete of one state of an object. */
interface DeleteAttempt {
  readonly request: DeleteRequest;
  readonly entry: ViewEntry<Representations>;
  readonly old: KubeObject;
}

async function takeStep(
  parts: RegistryParts,
  attempt: DeleteAttempt,
  step: DeletionStep,
): Promise<DeleteResult | undefined> {
  const { request, entry, old } = attempt;
  switch (step.kind) {
    case 'keep':
      if (request.target.freshness.preconditions !== undefined) throw staleError(request.target);
      return result(request, old, entry.modRevision, false);
    case 'remove':
      return removeNow(parts, request, { entry, old });
    case 'mark': {
      const marked = await markNow(parts, attempt, step.object);
      return marked && result(request, step.object, marked.modRevision, false);
    }
    case 'mark and remove': {
      const marked = await markNow(parts, attempt, step.object);
      return marked && removeNow(parts, request, { entry: marked, old: step.object });
    }
  }
}

/** Stores the marked object; undefined where another writer came between. */
async function markNow(
  parts: RegistryParts,
  { request, entry }: DeleteAttempt,
  marked: KubeObject,
): Promise<ViewEntry<Representations> | undefined> {
  const { target, options, context } = request;
  const run = runnerOf(parts, entry.value.length);
  const { value } = await encodeStored(marked, target, { present: entry, context }, run);
  const same = value.equals(entry.value);
  if (same && target.freshness.preconditions !== undefined) throw staleError(target);
  if (options.dryRun || same) return entry;
  const revision = await commitDelete(parts, request, { entry, value });
  return revision === undefined ? undefined : new ViewEntry(entry.key, revision, value);
}

async function admitDelete(
  parts: RegistryParts,
  { target, options, context, inCollection = false }: DeleteRequest,
  oldObject: KubeObject,
): Promise<void> {
  const attributes = attributesOf(parts, target, {
    operation: 'DELETE',
    oldObject,
    name: inCollection ? '' : target.name,
    options: () => deleteOptionsObject(options),
    dryRun: options.dryRun,
    context,
  });
  if (attributes === undefined) return;
  await parts.admission.admit(attributes);
  await parts.admission.validate(attributes);
}

async function removeNow(
  parts: RegistryParts,
  request: DeleteRequest,
  { entry, old }: { entry: ViewEntry<Representations>; old: KubeObject },
): Promise<DeleteResult | undefined> {
  const { options } = request;
  if (options.dryRun) return result(request, old, entry.modRevision, true);
  const revision = await commitDelete(parts, request, { entry, value: null });
  return revision === undefined ? undefined : result(request, old, revision, true);
}

/** The revision of the write; undefined if another writer came between. */
async function commitDelete(
  { store, clock }: RegistryParts,
  { target, context }: DeleteRequest,
  { entry, value }: { entry: ViewEntry<Representations>; value: Uint8Array | null },
): Promise<number | undefined> {
  const { key, modRevision } = entry;
  const { preconditions } = target.freshness;
  const write = () => store.commit({ key, value, expect: modRevision, preconditions });
  const commit = await trackedStoreCall(write, { track: context.track, clock });
  if (commit.ok) {
    await awaitShown(target, commit.revision);
    target.resource.recent.forget(modRevision);
    return commit.revision;
  }
  if (commit.current === undefined) throw absentObject(target);
  if (commit.current.modRevision === modRevision) throw staleError(target);
  return undefined;
}

function result(
  request: DeleteRequest,
  object: KubeObject,
  revision: number,
  deleted: boolean,
): DeleteResult {
  const { resource: served, type } = request.target;
  const { group, resource } = type;
  const details: StatusDetails = {
    name: request.target.name,
    ...(group === '' ? {} : { group }),
    kind: resource,
    uid: metadataString(object, 'uid'),
  };
  const showsObject = !deleted || served.strategy.returnsDeleted === true;
  return { deleted, showsObject, responseObject: renderObject(object, revision), details };
}

/** @throws {StatusError} 409 if the object is not the one that the options name */
export function checkPreconditions(
  old: KubeObject,
  { target, options }: Pick<DeleteRequest, 'target' | 'options'>,
): void {
  const { uid, resourceVersion } = options.preconditions;
  const found = metadataString(old, 'uid');
  const { group, kind } = target.type;
  // Upstream uses the kind here, and the resource elsewhere.
  const refuse = (why: string) => conflictError({ group, resource: kind }, target.name, why);
  if (uid !== undefined && uid !== found) {
    throw refuse(
      `the UID in the precondition (${uid}) does not match the UID in record (${found}). ` +
        'The object might have been deleted and then recreated',
    );
  }
  const version = metadataString(old, 'resourceVersion');
  if (resourceVersion !== undefined && resourceVersion !== version) {
    throw refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in ` +
        `record (${version}). The object might have been modified`,
    );
  }
}
