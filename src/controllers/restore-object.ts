import {
  clone,
  type FieldValidation,
  formatGroupVersion,
  isObject,
  type JsonObject,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
  put,
} from '../meta/index.ts';
import type { Registry, RequestContext, Target } from '../registry/index.ts';
import { bodyOf, isAlreadyExists, objectTargetOf } from './client.ts';

/** How an object is put back. */
interface RestoreOptions {
  /** Completes a new object in place, after all else. */
  readonly settle?: (object: KubeObject) => void;
  readonly context: RequestContext;
  /** What becomes of fields that the schema does not know. */
  readonly fieldValidation: FieldValidation;
  /** Keeps the status, which a client could only write at `/status`. */
  readonly withStatus: boolean;
  /** The uid that a new object gets; undefined for one that was never used. */
  readonly uid: string | undefined;
}

/**
 * Stores an object as it was stored before: feature gates on fields do not apply, because its fields were accepted when they were
 * on. A new object keeps its uid if one is given, its creationTimestamp, generation and managedFields. An existing object
 * is replaced, and keeps its own.
 *
 * @throws {StatusError} the refusal of an invalid object
 */
export async function restoreObject(
  registry: Registry,
  gated: Target,
  object: KubeObject,
  given: RestoreOptions,
): Promise<KubeObject> {
  const target = asItWas(gated);
  const options = { ...given, context: { ...given.context, isRestoring: true } };
  try {
    return await createAsItWas(registry, target, object, options);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  return replace(registry, target, object, options);
}

/**
 * As if the kind had no gates on fields; its schema still withholds the defaults of those that are off. And as if it were
 * stored in the version that is given: a conversion could drop fields.
 */
function asItWas(target: Target): Target {
  const { type, version } = target;
  if (type.fieldGates === undefined && type.storageVersion === version) return target;
  return { ...target, type: { ...type, fieldGates: undefined, storageVersion: version } };
}

async function createAsItWas(
  registry: Registry,
  target: Target,
  object: KubeObject,
  { context, fieldValidation, withStatus, uid, settle }: RestoreOptions,
): Promise<KubeObject> {
  const { resourceVersion: _, ...metadata } = metadataOf(object);
  const status = withStatus && target.version.subresources.status ? statusOf(target, object) : undefined;
  const created = await registry.create({
    target,
    body: bodyOf({ ...clone(object), metadata: clone(metadata) }),
    options: { dryRun: false, fieldManager: context.fieldManager, fieldValidation },
    context,
    settle: (settled) => {
      // Fields that were stored without an owner, as of a namespace without labels, still have none.
      if (ownString(metadata, 'uid') !== undefined) delete metadataOf(settled)['managedFields'];
      Object.assign(metadataOf(settled), systemMetadata(metadata), uid === undefined ? {} : { uid });
      if (status !== undefined) put(settled, 'status', status);
      settle?.(settled);
    },
  });
  return created.object();
}

/** What a server writes into the metadata of an object, as far as it can be written again. */
function systemMetadata(metadata: JsonObject): JsonObject {
  const { creationTimestamp, generation } = metadata;
  const managedFields = (ownList(metadata, 'managedFields') ?? []).filter(isObject);
  const owned = managedFields.some((entry) => ownString(entry, 'manager') !== undefined);
  return {
    ...(typeof creationTimestamp === 'string' ? { creationTimestamp } : {}),
    ...(typeof generation === 'number' && generation > 0 ? { generation } : {}),
    ...(owned ? { managedFields: clone(managedFields) } : {}),
  };
}

/** The status, normalized by the schema: a create removes it before that. */
function statusOf({ type, version }: Target, object: KubeObject): KubeObject | undefined {
  const status = ownObject(object, 'status');
  if (status === undefined) return undefined;
  const alone: KubeObject = {
    apiVersion: formatGroupVersion(type.group, version.name),
    kind: type.kind,
    metadata: {},
    status: clone(status),
  };
  version.schema().normalize(alone);
  return ownObject(alone, 'status');
}

async function replace(
  registry: Registry,
  target: Target,
  object: KubeObject,
  { context, fieldValidation, withStatus }: RestoreOptions,
): Promise<KubeObject> {
  const options = { dryRun: false, fieldManager: context.fieldManager, fieldValidation };
  const one = objectTargetOf(target, nameOf(object));
  const present = (await registry.get({ target: one, resourceVersion: '', context })).object();
  const { uid: _, managedFields: __, ...metadata } = metadataOf(object);
  const resourceVersion = metadataString(present, 'resourceVersion');
  const body = bodyOf({ ...clone(object), metadata: { ...clone(metadata), resourceVersion } });
  const written = (await registry.update({ target: one, body, options, context })).responseObject.object();
  const status = own(object, 'status');
  if (!withStatus || status === undefined || !target.version.subresources.status) return written;
  return writeStatus(
    registry,
    { ...one, endpoint: 'status' },
    { ...written, status: clone(status) },
    {
      options,
      context,
    },
  );
}

async function writeStatus(
  registry: Registry,
  target: ReturnType<typeof objectTargetOf>,
  object: KubeObject,
  { options, context }: Pick<Parameters<Registry['update']>[0], 'options' | 'context'>,
): Promise<KubeObject> {
  const { responseObject } = await registry.update({ target, body: bodyOf(object), options, context });
  return responseObject.object();
}
