import type { AdmissionAttributes } from '../../admission/index.ts';
import type { Reservation } from '../../kinds/index.ts';
import {
  alreadyExistsError,
  conflictError,
  badRequestError,
  type CreateOptions,
  ensureMetadata,
  forbiddenError,
  generateName,
  generateNameConflictError,
  isObject,
  type KubeObject,
  staleObjectText,
  limits,
  metadataOf,
  metadataString,
  nameOf,
  own,
  type RunSteps,
  type WriteOptions,
  writeOptionsObject,
} from '../../meta/index.ts';
import { acceptObject } from '../write/accept.ts';
import { attributesOf, scopeOf } from '../write/admission-attributes.ts';
import { bytesOf, type RequestBody } from '../request/body.ts';
import { decodedAhead } from '../request/decode-ahead.ts';
import type { RequestContext } from '../request/context.ts';
import { decodeUnconverted, noteCreated } from '../representation/representation.ts';
import { awaitShown } from '../resource/await-shown.ts';
import { waitForLatest } from '../resource/view-wait.ts';
import { applyGates } from '../write/gating.ts';
import { keepManagedFields } from '../write/keep-managed-fields.ts';
import { inSlices, pauseOf, runnerOf, type RegistryParts } from '../write/registry-parts.ts';
import { type ResponseObject, renderObject, renderUnstored } from '../representation/response-object.ts';
import { errorWithoutReason } from '../request/error-without-reason.ts';
import { fillSystemMetadata, wipeSystemMetadata } from '../write/system-metadata.ts';
import type { Target } from '../resource/target.ts';
import { dedupOwners, validateNew } from '../write/validate.ts';
import { trackedStoreCall } from '../request/store-call.ts';
import { storedPeersOf } from '../resource/stored-peers.ts';
import { preconditionsOf } from '../resource/preconditions.ts';
import { prepareNew } from '../representation/prepared-write.ts';

export interface CreateRequest {
  readonly target: Target;
  readonly body: RequestBody;
  readonly options: CreateOptions;
  readonly context: RequestContext;
  /** For controllers; see {@link InsertRequest.settle}. */
  readonly settle?: (object: KubeObject) => void;
  /** See {@link InsertRequest.ownersUnread}. */
  readonly ownersUnread?: boolean;
}

/** POST: stores a new object. */
export async function createObject(parts: RegistryParts, request: CreateRequest): Promise<ResponseObject> {
  const { target, body, options, context, settle, ownersUnread = false } = request;
  const bytes = bytesOf(body);
  const decoded = await decodedAhead(parts, body);
  const accepting = acceptObject(target, decoded, { fieldValidation: options.fieldValidation, context });
  const object = await inSlices(parts, bytes, accepting);
  context.onObject?.(object);
  await pauseOf(parts, bytes);
  const insert = { target, object, options, context, ownersUnread, bytes };
  return insertObject(parts, settle === undefined ? insert : { ...insert, settle });
}

/** A decoded object of the target's version that is to be stored. The object is changed in place. */
interface InsertRequest {
  readonly target: Target;
  readonly object: KubeObject;
  readonly options: WriteOptions;
  readonly context: RequestContext;
  /** True if the object already has its managed fields, as after an apply. */
  readonly managed?: boolean;
  /** True if the request was authorized as an update or a patch: its user must also have the verb `create`. */
  readonly byChange?: boolean;
  /**
   * Called with the prepared object: adds in place what a controller would write right after the create, fields that
   * clients cannot set.
   */
  readonly settle?: (object: KubeObject) => void;
  /** True if the caller of a dry run does not read the managed fields: then they are not computed. */
  readonly ownersUnread?: boolean;
  /** The size of the body: the write of a large one pauses between its steps. */
  readonly bytes?: number;
}

/**
 * Stores a new object, under a generated name if it has none; retries with another name while names are taken.
 *
 * @throws {StatusError} 400, 403, 404 (namespace), 409, 422
 */
export async function insertObject(parts: RegistryParts, request: InsertRequest): Promise<ResponseObject> {
  const { target } = request;
  if (target.type.terminating) throw terminatingTypeError(target, request.object);
  matchNamespace(request.object, target.namespace);
  const admitted = await admitNew(parts, request);
  const { object } = admitted;
  const generated = nameOf(object) === '' && metadataString(object, 'generateName') !== '';
  if (!generated) return insertAdmitted(parts, request, admitted);
  for (let attempt = 1; ; attempt += 1) {
    ensureMetadata(object)['name'] = generateName(metadataString(object, 'generateName'), (below) =>
      randomBelow(parts, below),
    );
    try {
      return await insertAdmitted(parts, request, admitted);
    } catch (error) {
      if (!isTakenName(error)) throw error;
      if (attempt === limits.generateNameAttemptsMax) {
        throw generateNameConflictError(target.resource.groupResource, nameOf(object));
      }
    }
  }
}

/** A number below a small bound, from fresh random bytes. */
function randomBelow({ random }: RegistryParts, below: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = random(4);
  return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) % below;
}

class NameTakenError extends Error {}

function isTakenName(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof NameTakenError;
}

/** A new object after mutating admission, before it has a uid and a generated name. */
interface Admitted {
  readonly object: KubeObject;
  /** The attributes for validating admission; undefined if no plugin handles the write. */
  readonly attributes: AdmissionAttributes | undefined;
}

/** The first half of a create: managed fields, mutating admission. */
async function admitNew(parts: RegistryParts, request: InsertRequest): Promise<Admitted> {
  const { target, options, context, bytes = 0 } = request;
  const { dryRun } = options;
  wipeSystemMetadata(request.object);
  const mutates = parts.admission.mutates(scopeOf(target, 'CREATE'));
  const gated = { ...request, dryRun, mutates };
  await applyGates(parts, gated, { object: request.object, old: undefined }, 'before owners');
  const sent = await (isTracked(request) ? trackFields(parts, request) : request.object);
  await pauseOf(parts, bytes);
  dedupOwners(sent, context.warnings, 'request');
  const attributes = attributesOf(parts, target, {
    operation: 'CREATE',
    object: sent,
    options: () => writeOptionsObject('CreateOptions', options),
    dryRun,
    context,
  });
  if (attributes !== undefined) await parts.admission.admit(attributes);
  const object = attributes?.object ?? sent;
  if (object !== sent) keepManagedFields(object, sent, context.warnings);
  dedupOwners(object, context.warnings, 'admission');
  await applyGates(parts, gated, { object, old: undefined }, 'after admission');
  await checkGrant(parts, request, object);
  return { object, attributes };
}

/** The second half, in upstream's order: identity, reservations, strategy, validation, validating admission, store. */
async function insertAdmitted(
  parts: RegistryParts,
  request: InsertRequest,
  { object, attributes }: Admitted,
): Promise<ResponseObject> {
  const { target, options, context, bytes = 0 } = request;
  const { strategy } = target.resource;
  const strategyContext = {
    type: target.type,
    version: target.version,
    clock: parts.clock,
    user: context.user,
  };
  fillSystemMetadata(object, parts);
  // A dry run commits nothing, so it makes no claims.
  const claims = options.dryRun ? undefined : parts.claims;
  const reservation = await strategy.reserve?.(object, undefined, storedPeersOf(target, claims));
  try {
    strategy.prepareForCreate(object, strategyContext);
    request.settle?.(object);
    await pauseOf(parts, bytes);
    const warnings = validateNew(object, strategy, strategyContext);
    if (request.byChange === true) await checkCreate(parts, request, object);
    if (attributes !== undefined) await parts.admission.validate(attributes);
    context.warnings.add(...warnings);
    await pauseOf(parts, bytes);
    strategy.shapeStored?.(object, strategyContext, { old: undefined, isShaped: request.managed !== true });
    if (options.dryRun) return await refuseTaken(target, object, runnerOf(parts, bytes));
    refuseVersion(object);
    return await commitNew(parts, request, { object, reservation });
  } finally {
    reservation?.release();
  }
}

/** An apply has the object's name in its URL, a POST does not. */
function checkGrant(
  { grants }: RegistryParts,
  { target, context, managed }: InsertRequest,
  object: KubeObject,
): Promise<void> | undefined {
  if (grants === undefined) return undefined;
  const { resource, namespace } = target;
  const requestName = managed === true ? nameOf(object) : '';
  const { user } = context;
  return grants.check({
    resource: resource.groupResource,
    namespace,
    requestName,
    object,
    oldObject: undefined,
    user,
  });
}

/** Source: apiserver, endpoints/handlers/update.go, withAuthorization. */
async function checkCreate(
  { grants }: RegistryParts,
  { target, context }: InsertRequest,
  object: KubeObject,
): Promise<void> {
  const { resource, version, namespace } = target;
  const { user } = context;
  const name = nameOf(object);
  await grants?.checkCreate({
    resource: resource.groupResource,
    version: version.name,
    namespace,
    name,
    user,
  });
}

/** Managed fields in the request are always decoded, because they may be invalid. */
function isTracked({ managed, options: { dryRun }, ownersUnread, object }: InsertRequest): boolean {
  if (managed === true) return false;
  return !dryRun || ownersUnread !== true || own(metadataOf(object), 'managedFields') !== undefined;
}

function trackFields(
  parts: RegistryParts,
  { target, object, context, bytes = 0 }: InsertRequest,
): KubeObject | Promise<KubeObject> {
  const { version, resource } = target;
  const { clock } = parts;
  const run = runnerOf(parts, bytes);
  return resource.fields.track(undefined, object, { version, endpoint: '', context, clock, run });
}

/** An invalid version, or a zero, counts as none. */
function refuseVersion(object: KubeObject): void {
  const version = metadataString(object, 'resourceVersion');
  if (!/^[0-9]+$/.test(version) || /^0+$/.test(version)) return;
  throw errorWithoutReason(500, 'resourceVersion should not be set on objects to be created');
}

interface NewCommit {
  readonly object: KubeObject;
  readonly reservation: Reservation | undefined;
}

async function commitNew(
  parts: RegistryParts,
  { target, context, bytes = 0 }: InsertRequest,
  { object, reservation }: NewCommit,
): Promise<ResponseObject> {
  const key = target.resource.key(target.namespace, nameOf(object));
  const { value, isPlain, response } = await prepareNew(object, target, runnerOf(parts, bytes));
  // Checked again with the current type; there is no await from here to the commit, which the cleanup of a removed
  // CRD relies on.
  if (target.resource.type.terminating) throw terminatingTypeError(target, object);
  const preconditions = preconditionsOf(target, reservation);
  const commit = () => parts.store.commit({ key, value, expect: 0, preconditions });
  const result = await trackedStoreCall(commit, { track: context.track, clock: parts.clock });
  if (!result.ok) {
    if (result.current !== undefined) throw takenError(target, nameOf(object), result.current.value);
    throw conflictError(target.resource.groupResource, nameOf(object), staleObjectText);
  }
  noteCreated(target, result.revision, { object, value, isPlain });
  await awaitShown(target, result.revision);
  return response(result.revision);
}

/** A dry run is refused like a real create if the object exists. */
async function refuseTaken(
  target: Target,
  object: KubeObject,
  run: RunSteps | undefined,
): Promise<ResponseObject> {
  await waitForLatest(target, { timeoutMs: limits.freshnessWaitMsMax });
  const existing = target.resource.view.get(target.resource.key(target.namespace, nameOf(object)));
  if (existing !== undefined) throw takenError(target, nameOf(object), existing.value);
  // An object stored in the version of the request need not be encoded and decoded.
  if (target.version === target.type.storageVersion)
    return run === undefined ? renderObject(object, 0) : renderUnstored(object, run);
  const { response } = await prepareNew(object, target, run);
  return response(0);
}

function takenError(target: Target, name: string, current: Uint8Array | undefined) {
  const existing = current === undefined ? {} : decodeUnconverted(current, target.type);
  const deleting = own(metadataOf(existing), 'deletionTimestamp') !== undefined;
  const error = alreadyExistsError(
    target.resource.groupResource,
    name,
    deleting ? 'object is being deleted: ' : '',
  );
  error.cause = new NameTakenError();
  return error;
}

function terminatingTypeError(target: Target, object: KubeObject) {
  return forbiddenError(
    target.resource.groupResource,
    nameOf(object),
    'create not allowed while custom resource definition is terminating',
  );
}

/**
 * The namespace of the URL applies if the object has none; different ones are refused.
 *
 * @throws {StatusError} 400
 */
export function matchNamespace(object: KubeObject, namespace: string): void {
  const named = metadataString(object, 'namespace');
  if (named === namespace) return;
  if (!isObject(own(object, 'metadata'))) ensureMetadata(object);
  if (namespace === '') {
    delete metadataOf(object)['namespace'];
  } else if (named === '') {
    ensureMetadata(object)['namespace'] = namespace;
  } else {
    throw badRequestError(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
}
