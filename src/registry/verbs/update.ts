import { keepTimesOfNoChange } from '../../apply/index.ts';
import type { AdmissionAttributes } from '../../admission/index.ts';
import { ViewEntry } from '../../cache/index.ts';
import type { ResourceType } from '../../crd/index.ts';
import {
  badRequestError,
  conflictError,
  ensureMetadata,
  invalid,
  invalidError,
  type KubeObject,
  limits,
  metadataOf,
  metadataString,
  nameOf,
  notFoundError,
  own,
  put,
  sharedWith,
  staleObjectText,
  type StatusError,
  stringList,
  type UpdateOptions,
  type WriteOptions,
  writeOptionsObject,
  NumberSyntaxError,
  parseUint64,
} from '../../meta/index.ts';
import type { CommitResult } from '../../storage/index.ts';
import { acceptObject } from '../write/accept.ts';
import { attributesOf, scopeOf } from '../write/admission-attributes.ts';
import type { RequestBody } from '../request/body.ts';
import { keepNoOpApplies } from './keep-no-op-applies.ts';
import type { RequestContext } from '../request/context.ts';
import { insertObject, matchNamespace } from './create.ts';
import {
  type Representations,
  representationObject,
  representationOf,
  keptRepresentation,
  noteCommitted,
  sharedObject,
} from '../representation/representation.ts';
import { applyGates } from '../write/gating.ts';
import { keepManagedFields } from '../write/keep-managed-fields.ts';
import { pauseOf, type RegistryParts } from '../write/registry-parts.ts';
import { errorWithoutReason } from '../request/error-without-reason.ts';
import { prepareRepresentations } from '../representation/prepare-representations.ts';
import type { RenderedObject } from '../representation/rendered-object.ts';
import { awaitShown } from '../resource/await-shown.ts';
import { waitForLatest } from '../resource/view-wait.ts';
import type { NoOpApplies } from './no-op-applies.ts';
import { storeCall } from '../request/store-call.ts';
import { storedPeersOf } from '../resource/stored-peers.ts';
import type { ObjectTarget } from '../resource/target.ts';
import { dedupOwners, validateChanged } from '../write/validate.ts';
import { prepareChange } from '../representation/prepared-write.ts';

export interface UpdateRequest {
  readonly target: ObjectTarget;
  readonly body: RequestBody;
  readonly options: UpdateOptions;
  readonly context: RequestContext;
}

/** The object after a write, and whether the write made it. */
export interface WriteResult {
  readonly rendered: RenderedObject;
  readonly created: boolean;
}

/** PUT: replaces an object by one that was derived from its latest state. */
export async function updateObject(parts: RegistryParts, request: UpdateRequest): Promise<WriteResult> {
  const { target, body, options, context } = request;
  const object = acceptObject(target, body, { fieldValidation: options.fieldValidation, context });
  matchTarget(object, target);
  const uid = metadataString(object, 'uid');
  const write = {
    target,
    options,
    context,
    bytes: 'bytes' in body ? body.bytes.length : 0,
    transform: async (old: KubeObject) => {
      requireSameUid(target, uid, metadataString(old, 'uid'));
      return target.resource.strategy.sharesUnchanged === true ? sharedWith(old, object) : copyOf(object);
    },
  };
  if (!target.resource.strategy.allowCreateOnUpdate) return changeObject(parts, write);
  return changeOrCreate(parts, write, object);
}

async function changeOrCreate(
  parts: RegistryParts,
  write: ChangeRequest,
  object: KubeObject,
): Promise<WriteResult> {
  try {
    return await changeObject(parts, write);
  } catch (error) {
    if (!isAbsentObject(error)) throw error;
    const { target, options, context } = write;
    delete metadataOf(object)['resourceVersion'];
    return { rendered: await insertObject(parts, { target, object, options, context }), created: true };
  }
}

function copyOf(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...metadataOf(object) } };
}

/** @throws {StatusError} 400 where the body names another object than the URL */
export function matchTarget(object: KubeObject, target: ObjectTarget): void {
  matchNamespace(object, target.namespace);
  const name = nameOf(object);
  if (name === '') {
    throw badRequestError(
      `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name !== target.name) {
    throw badRequestError(
      `the name of the object (${name}) does not match the name on the URL (${target.name})`,
    );
  }
}

/** Where upstream keeps a custom resource, below its prefix. */
function keyText({ type, namespace, name }: ObjectTarget): string {
  return `/${[type.group, type.resource, namespace, name].filter((part) => part !== '').join('/')}`;
}

/** @throws {StatusError} 409 where the client means another object of the same name */
export function requireSameUid(target: ObjectTarget, wanted: string, found: string): void {
  if (wanted === '' || wanted === found) return;
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
  throw conflictError(
    target.resource.groupResource,
    target.name,
    target.type.isBuiltIn
      ? why
      : `StorageError: invalid object, Code: 4, Key: ${keyText(target)}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

class AbsentObjectError extends Error {}

/** Whether an error says that the object itself is not there. */
export function isAbsentObject(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof AbsentObjectError;
}

/** @throws the 404 of an object, marked so that a create-on-update can tell it from the 404 of a namespace */
export function absentObject(target: ObjectTarget): Error {
  const error = notFoundError(target.resource.groupResource, target.name);
  error.cause = new AbsentObjectError();
  return error;
}

/** A change of one object that is computed from its present state, possibly several times. */
interface ChangeRequest {
  readonly target: ObjectTarget;
  readonly options: WriteOptions;
  readonly context: RequestContext;
  /** True where `transform` gives the managed fields along, as apply does. */
  readonly managed?: boolean;
  /**
   * Gives the wanted object from the present one, in the request's version. It may return its argument and change it:
   * root and metadata are its own. Below, it must copy what it changes, and leave where it is what it does not.
   */
  readonly transform: (old: KubeObject) => Promise<KubeObject>;
  /** What is known of the change beforehand, and told of one that came to nothing. */
  readonly idle?: NoOpApplies;
  /** Where admission sees something else than the object; `transform` has then let it change that. */
  readonly admissionView?: AdmissionView;
  /** How large the body was, where it gives the whole object. */
  readonly bytes?: number;
}

/** How an endpoint shows objects: `/scale` shows a Scale. */
interface AdmissionView {
  readonly type: ResourceType;
  readonly show: (object: KubeObject) => KubeObject;
}

/**
 * Reads, computes, and writes if nothing came between; else starts over with what came. The one place where writes
 * of existing objects meet each other.
 *
 * @throws {StatusError} 404, 409 where the wanted object names another resourceVersion, 422
 */
export async function changeObject(parts: RegistryParts, request: ChangeRequest): Promise<WriteResult> {
  const { target, context, idle } = request;
  const { resource, namespace, name } = target;
  const held = resource.keyLock.whenFree(resource.key(namespace, name));
  if (held !== undefined) await held;
  const present = await readPresent(target);
  const preparing = idle && prepareRepresentations([present], { served: target, context });
  if (preparing !== undefined) await preparing;
  const known = idle?.recall(present);
  if (known !== undefined && target.freshness.preconditions !== undefined) throw staleError(target);
  if (known !== undefined) return { rendered: known, created: false };
  return { rendered: await changeUntilWritten(parts, request, present), created: false };
}

async function changeUntilWritten(
  parts: RegistryParts,
  request: ChangeRequest,
  first: ViewEntry<Representations>,
): Promise<RenderedObject> {
  const { target } = request;
  let present = first;
  let release: (() => void) | undefined;
  try {
    for (let attempt = 1; attempt <= limits.updateAttemptsMax; attempt += 1) {
      const outcome = await attemptChange(parts, request, present);
      if ('rendered' in outcome) return outcome.rendered;
      if (outcome.current === undefined) throw absentObject(target);
      present = outcome.current;
      if (attempt === limits.updateLossesMax) release = await target.resource.keyLock.acquire(present.key);
    }
  } finally {
    release?.();
  }
  throw staleError(target);
}

/** Somebody else was quicker, or may have been. */
export function staleError({ resource, name }: ObjectTarget): StatusError {
  return conflictError(resource.groupResource, name, staleObjectText);
}

/** The latest state of an object. @throws {StatusError} 404 */
export async function readPresent(target: ObjectTarget): Promise<ViewEntry<Representations>> {
  await waitForLatest(target, { timeoutMs: limits.freshnessWaitMsMax });
  const entry = target.resource.view.get(target.resource.key(target.namespace, target.name));
  if (entry === undefined) throw absentObject(target);
  return entry;
}

type Outcome =
  | { readonly rendered: RenderedObject; readonly same: boolean }
  | { readonly current: ViewEntry<Representations> | undefined };

async function attemptChange(
  parts: RegistryParts,
  request: ChangeRequest,
  present: ViewEntry<Representations>,
): Promise<Outcome> {
  const { target, options, context, admissionView } = request;
  const preparing = prepareRepresentations([present], { served: target, context });
  if (preparing !== undefined) await preparing;
  const old = sharedObject(present, target);
  const bytes = Math.max(present.value.length, request.bytes ?? 0);
  const pause = () => pauseOf(parts, bytes);
  await pause();
  const wanted = await request.transform(startOf(old, present, target));
  await pause();
  requireFreshVersion(wanted, old, target);
  keepSystemMetadata(wanted, old);
  // A dry run shows it: upstream clears it when an object is stored.
  if (!options.dryRun) delete metadataOf(wanted)['selfLink'];
  const mutates =
    admissionView === undefined && parts.admission.mutates(scopeOf(target, 'UPDATE', target.endpoint));
  const gated = { ...request, dryRun: options.dryRun, mutates };
  const gating = applyGates(parts, gated, { object: wanted, old }, 'before owners');
  if (gating !== undefined) await gating;
  const tracking = request.managed === true ? wanted : trackFields(parts, request, { old, wanted });
  const tracked = tracking instanceof Promise ? await tracking : tracking;
  await pause();
  dedupOwners(tracked, context.warnings, 'request');
  const attributes = updateAttributes(parts, request, { object: tracked, old });
  if (attributes !== undefined && admissionView === undefined) await parts.admission.admit(attributes);
  const object = admissionView === undefined ? (attributes?.object ?? tracked) : tracked;
  if (object !== tracked) keepManagedFields(object, tracked, context.warnings);
  dedupOwners(object, context.warnings, 'admission');
  const lateGating = applyGates(parts, gated, { object, old }, 'after admission');
  if (lateGating !== undefined) await lateGating;
  const { groupResource: resource } = target.resource;
  const { namespace, name: requestName } = target;
  const written = { resource, namespace, requestName, object, oldObject: old, user: context.user };
  const checking = parts.grants?.check(written);
  if (checking !== undefined) await checking;
  const { strategy } = target.resource;
  const strategyContext = { type: target.type, version: target.version, clock: parts.clock };
  const reserving =
    target.endpoint === '' ? strategy.reserve?.(object, old, storedPeersOf(target)) : undefined;
  const release = reserving && (await reserving);
  try {
    strategy.prepareForUpdate(object, old, target.endpoint, strategyContext);
    const warnings = validateChanged(object, old, target.endpoint, { strategy, context: strategyContext });
    if (attributes !== undefined) {
      attributes.replaceObject(admissionView === undefined ? object : admissionView.show(object));
      await parts.admission.validate(attributes);
    }
    context.warnings.add(...warnings);
    await pause();
    const settled = keepTimesOfNoChange(old, object);
    const { dryRun } = options;
    const outcome = await writeChange(parts, { target, object: settled, old, present, dryRun, context });
    // What a plugin had a say in may come out otherwise the next time.
    const isIdle = attributes === undefined && 'same' in outcome && outcome.same;
    if (isIdle) request.idle?.note(present, outcome.rendered, context.warnings);
    return outcome;
  } finally {
    release?.();
  }
}

function updateAttributes(
  parts: RegistryParts,
  { target, options, context, admissionView }: ChangeRequest,
  { object, old }: { readonly object: KubeObject; readonly old: KubeObject },
): AdmissionAttributes | undefined {
  const { endpoint } = target;
  const { dryRun } = options;
  const shown = () => writeOptionsObject('UpdateOptions', options);
  const write = { operation: 'UPDATE', endpoint, options: shown, dryRun, context } as const;
  if (admissionView === undefined) return attributesOf(parts, target, { ...write, object, oldObject: old });
  const { show } = admissionView;
  return attributesOf(parts, target, {
    ...write,
    shown: admissionView.type,
    object: show(object),
    oldObject: show(old),
  });
}

function trackFields(
  { clock }: RegistryParts,
  { target, context }: ChangeRequest,
  { old, wanted }: { old: KubeObject; wanted: KubeObject },
): KubeObject | Promise<KubeObject> {
  const { version, endpoint, resource } = target;
  return resource.fields.track(old, wanted, { version, endpoint, context, clock });
}

/** What a change starts from. Kinds that change objects in place get one that shares nothing with the old one. */
function startOf(old: KubeObject, present: ViewEntry<Representations>, target: ObjectTarget): KubeObject {
  if (target.resource.strategy.sharesUnchanged === true) return copyOf(old);
  return representationObject(representationOf(present, target), present.modRevision);
}

async function writeChange(
  parts: RegistryParts,
  change: {
    readonly target: ObjectTarget;
    readonly object: KubeObject;
    readonly old: KubeObject;
    readonly present: ViewEntry<Representations>;
    readonly dryRun: boolean;
    readonly context: RequestContext;
  },
): Promise<Outcome> {
  const { target, object, present, dryRun } = change;
  const prepared = prepareChange(object, change);
  const { value, anatomy, response } = prepared instanceof Promise ? await prepared : prepared;
  const gone = isFinished(object, target);
  const same = !gone && value.equals(present.value);
  if (same && target.freshness.preconditions !== undefined) throw staleError(target);
  if (same || dryRun) return { rendered: response(present.modRevision), same };
  const key = target.resource.key(target.namespace, target.name);
  const { preconditions } = target.freshness;
  const commit = { key, value: gone ? null : value, expect: present.modRevision, preconditions };
  const result: CommitResult = await storeCall(() => parts.store.commit(commit));
  if (result.ok) {
    const replaces = present.modRevision;
    const noOpApplies = keepNoOpApplies(keptRepresentation(present, target.version)?.noOpApplies, change);
    if (!gone)
      noteCommitted(target, result.revision, { object: copyOf(object), anatomy, replaces, noOpApplies });
    const shown = awaitShown(target, result.revision);
    if (shown !== undefined) await shown;
    return { rendered: response(result.revision), same };
  }
  const { current } = result;
  if (current?.modRevision === present.modRevision) throw staleError(target);
  return { current: current && new ViewEntry(key, current.modRevision, current.value) };
}

/** Marked for deletion and held by nobody any more: this update is what removes it. */
function isFinished(object: KubeObject, target: ObjectTarget): boolean {
  const metadata = metadataOf(object);
  if (own(metadata, 'deletionTimestamp') === undefined) return false;
  if (stringList(own(metadata, 'finalizers')).length > 0) return false;
  return target.resource.strategy.holdsDeletion?.(object) !== true;
}

/** @throws {StatusError} 409 for a stale resourceVersion, 422 for a missing one where one is needed, 500 for none */
function requireFreshVersion(object: KubeObject, old: KubeObject, target: ObjectTarget): void {
  const sent = metadataString(object, 'resourceVersion');
  const present = metadataString(old, 'resourceVersion');
  if (sent === present) return;
  if (sent === '' || sent === '0') {
    if (target.resource.strategy.allowUnconditionalUpdate) {
      ensureMetadata(object)['resourceVersion'] = present;
      return;
    }
    const { group, resource } = target.type;
    throw invalidError({ group, kind: resource }, target.name, [
      invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  }
  requireNumber(sent);
  throw staleError(target);
}

/** @throws {StatusError} 500 without a reason, as upstream has it, for a resourceVersion that is no number */
export function requireNumber(resourceVersion: string): void {
  try {
    parseUint64(resourceVersion);
  } catch (error) {
    if (!(error instanceof NumberSyntaxError)) throw error;
    throw errorWithoutReason(500, error.message);
  }
}

/** Fields of metadata that no update can change; a request that leaves them out keeps them. */
const kept = ['creationTimestamp', 'generation', 'deletionTimestamp'] as const;

/** A time of deletion that an object does not have yet is left for validation to refuse, and so is a grace period. */
function keepSystemMetadata(object: KubeObject, old: KubeObject): void {
  const metadata = ensureMetadata(object);
  const before = metadataOf(old);
  for (const field of kept) {
    const value = own(before, field);
    if (value !== undefined) put(metadata, field, value);
    else if (field === 'generation') delete metadata[field];
  }
  const grace = own(before, 'deletionGracePeriodSeconds');
  if (grace !== undefined) metadata['deletionGracePeriodSeconds'] ??= grace;
  if (metadataString(object, 'uid') === '') put(metadata, 'uid', metadataString(old, 'uid'));
}
