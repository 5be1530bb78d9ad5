import {
  apply,
  type FieldWriteOptions,
  parentManagedFields,
  type ReplicasPaths,
  replicasPath,
  scaleManagedFields,
  scaleType,
  update,
} from '../../apply/index.ts';
import type { ResourceType, ScaleSubresource } from '../../crd/index.ts';
import {
  atOnce,
  badRequestError,
  clone,
  ensureMetadata,
  formatGroupVersion,
  goQuote,
  internalError,
  invariant,
  type JsonValue,
  type KubeObject,
  metadataOf,
  metadataString,
  own,
  type WriteOptions,
  writeOptionsObject,
} from '../../meta/index.ts';
import { acceptObject } from '../write/accept.ts';
import { attributesOf } from '../write/admission-attributes.ts';
import { decodeApplied } from './apply.ts';
import { bytesOf } from '../request/body.ts';
import type { RequestContext } from '../request/context.ts';
import { decodedAhead } from '../request/decode-ahead.ts';
import { isGatedOff } from '../write/gating.ts';
import { type GetParts, type GetRequest, getObject } from './get.ts';
import { fieldsOfPath, NestedFieldError, scaleResourceType } from '../../kinds/index.ts';
import { inSlices, type RegistryParts } from '../write/registry-parts.ts';
import { decodePatch, type PatchRequest, patchFunction } from './patch.ts';
import { errorWithoutReason } from '../request/error-without-reason.ts';
import { type ResponseObject, renderObject } from '../representation/response-object.ts';
import { scaleApiVersion, scaleOf, scaleToChange, takeScale } from './scale-object.ts';
import type { ObjectTarget, Target } from '../resource/target.ts';
import { changeObject, type WriteResult } from './change-object.ts';
import { matchTarget, requireSameUid } from './match-target.ts';
import type { UpdateRequest } from './update.ts';

/** A target as clients of `/scale` see it: requests and responses are Scales. */
export function asScale<T extends Target>(target: T): T {
  return { ...target, type: scaleResourceType, version: scaleResourceType.storageVersion };
}

/** GET of `/scale`. @throws {StatusError} 404, and 500 for an object without replicas */
export async function getScale(parts: GetParts, request: GetRequest): Promise<ResponseObject> {
  const paths = pathsOf(request.target);
  const responseObject = await getObject(parts, request);
  const { scale, replicasFound } = plainly(500, () => scaleOf(responseObject.object(), paths));
  if (!replicasFound) {
    throw internalError(`the spec replicas field ${goQuote(paths.specReplicasPath)} does not exist`);
  }
  return renderObject(scale, responseObject.revision);
}

/** PUT to `/scale`: sets only the replicas; without a resourceVersion, on any present state. */
export async function updateScale(parts: RegistryParts, request: UpdateRequest): Promise<WriteResult> {
  const { target, body, options, context } = request;
  const { fieldValidation } = options;
  const decoded = await decodedAhead(parts, body);
  const accepting = acceptObject(asScale(target), decoded, { fieldValidation, context });
  const scale = await inSlices(parts, bytesOf(body), accepting);
  matchTarget(scale, target);
  const uid = metadataString(scale, 'uid');
  const next = (live: KubeObject) => {
    requireSameUid(target, uid, metadataString(live, 'uid'));
    return tracked(parts, context, live, scale);
  };
  return changeScale(parts, { target, options, context, next });
}

/** PATCH of `/scale`. @throws {StatusError} 400 if neither the object nor the patch has replicas */
export async function patchScale(parts: RegistryParts, request: PatchRequest): Promise<WriteResult> {
  const { target, options, context } = request;
  if (request.type === 'apply') {
    return changeScale(parts, { target, options, context, next: await appliedScale(parts, request) });
  }
  const decoded = await inSlices(parts, request.bytes.length, decodePatch(request));
  const patched = patchFunction({ ...request, target: asScale(target) }, decoded);
  const next = (live: KubeObject) => tracked(parts, context, live, atOnce(patched(clone(live), false, live)));
  return changeScale(parts, { target, options, context, next });
}

async function appliedScale(
  parts: RegistryParts,
  request: PatchRequest,
): Promise<(live: KubeObject) => KubeObject> {
  const { target, options, context } = request;
  const { object: applied, report } = await decodeApplied(parts, request);
  report(context.warnings);
  // An unchanged field needs no check; its owners do not change either.
  const force = options.force || isGatedOff(target, fieldsOfPath(pathsOf(target).specReplicasPath));
  return (live) => {
    const { object } = apply(live, applied, {
      ...fieldOptions(parts, context),
      kind: scaleResourceType.kind,
      force,
      convert: inOneVersion,
    });
    matchTarget(object, target);
    return object;
  };
}

function tracked(
  parts: RegistryParts,
  context: RequestContext,
  live: KubeObject,
  next: KubeObject,
): KubeObject {
  return update(live, next, { ...fieldOptions(parts, context), convert: inOneVersion });
}

function fieldOptions({ clock }: RegistryParts, { fieldManager }: RequestContext): FieldWriteOptions {
  return {
    manager: fieldManager,
    apiVersion: scaleApiVersion,
    subresource: 'scale',
    nowMs: clock.now(),
    typeOf: (apiVersion) => (apiVersion === scaleApiVersion ? scaleType : undefined),
  };
}

function inOneVersion(scale: KubeObject, apiVersion: string): KubeObject | undefined {
  return apiVersion === scaleApiVersion ? scale : undefined;
}

interface ScaleChange {
  readonly target: ObjectTarget;
  readonly options: WriteOptions;
  readonly context: RequestContext;
  /** The wanted Scale from the present one, both with their managed fields. */
  readonly next: (live: KubeObject) => KubeObject;
}

/** Changes an object through its Scale; all rules for changes of the object apply. */
async function changeScale(parts: RegistryParts, change: ScaleChange): Promise<WriteResult> {
  const { target, options, context, next } = change;
  const paths = pathsOf(target);
  const show = (object: KubeObject) => plainly(500, () => scaleOf(object, paths).scale);
  const { responseObject } = await changeObject(parts, {
    target,
    options,
    context,
    managed: true,
    admissionView: { type: scaleResourceType, show },
    transform: async (object) => {
      const live = plainly(500, () => scaleToChange(object, paths));
      const owners = ownersOf(target.type, target.version.name);
      const managedFields = own(metadataOf(object), 'managedFields');
      setManagedFields(live, scaleManagedFields(managedFields, owners));
      // A copy: it may share with the request, which another attempt needs unchanged.
      const scale = await admittedScale(parts, change, { scale: clone(next(live)), live });
      plainly(500, () => takeScale(object, scale, paths));
      const inScale = own(metadataOf(scale), 'managedFields');
      setManagedFields(object, parentManagedFields(managedFields, inScale, owners));
      return object;
    },
  });
  const { scale } = plainly(400, () => scaleOf(responseObject.object(), paths));
  return { responseObject: renderObject(scale, responseObject.revision), created: false };
}

/** The Scale after mutating admission. */
async function admittedScale(
  parts: RegistryParts,
  { target, options, context }: ScaleChange,
  { scale, live }: { readonly scale: KubeObject; readonly live: KubeObject },
): Promise<KubeObject> {
  const attributes = attributesOf(parts, target, {
    operation: 'UPDATE',
    object: scale,
    oldObject: live,
    endpoint: 'scale',
    shown: scaleResourceType,
    options: () => writeOptionsObject('UpdateOptions', options),
    dryRun: options.dryRun,
    context,
  });
  if (attributes === undefined) return scale;
  await parts.admission.admit(attributes);
  const { object } = attributes;
  return object === undefined || object === scale ? scale : clone(object);
}

function pathsOf({ version }: ObjectTarget): ScaleSubresource {
  const { scale } = version.subresources;
  invariant(scale !== undefined, 'only versions with a scale get here');
  return scale;
}

/** The replicas paths of the versions of a resource. */
function ownersOf({ group, versions }: ResourceType, version: string): ReplicasPaths {
  const paths = versions.map(({ name, subresources: { scale } }) => {
    const path = scale === undefined ? undefined : replicasPath(scale.specReplicasPath);
    return [formatGroupVersion(group, name), path] as const;
  });
  return { apiVersion: formatGroupVersion(group, version), paths: new Map(paths) };
}

function setManagedFields(object: KubeObject, list: JsonValue | undefined): void {
  if (list === undefined) delete ensureMetadata(object)['managedFields'];
  else ensureMetadata(object)['managedFields'] = list;
}

/** Upstream's message for an invalid path in the object. */
function plainly<T>(code: 400 | 500, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NestedFieldError)) throw error;
    throw code === 400 ? badRequestError(error.message) : errorWithoutReason(500, error.message);
  }
}
