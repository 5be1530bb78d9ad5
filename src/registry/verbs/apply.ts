import { DecodeError, decodeYaml } from '../../codec/index.ts';
import {
  badRequestError,
  conflictError,
  goJsonKind,
  isObject,
  type KubeObject,
  metadataString,
  type PatchOptions,
  sharedWith,
  StatusError,
} from '../../meta/index.ts';
import { type RequestContext, Warnings } from '../request/context.ts';
import { insertObject } from './create.ts';
import { NoOpApplies } from './no-op-applies.ts';
import { gateApplied } from '../write/gating.ts';
import type { RegistryParts } from '../write/registry-parts.ts';
import { targetOfRetry, type ObjectTarget } from '../resource/target.ts';
import { changeObject, isAbsentObject, matchTarget, type WriteResult } from './update.ts';

export interface ApplyRequest {
  readonly target: ObjectTarget;
  readonly bytes: Uint8Array;
  readonly options: PatchOptions;
  readonly context: RequestContext;
}

/** Attempts against an object that comes and goes while it is applied. */
const attemptsMax = 4;

/** Server-side apply: changes the object, or creates it where it is not there. */
export async function applyObject(parts: RegistryParts, request: ApplyRequest): Promise<WriteResult> {
  const applied = decodedOnce(request);
  for (let attempt = 1; ; attempt += 1) {
    const { target } = request;
    const look = attempt === 1 ? request : { ...request, target: targetOfRetry(target) };
    try {
      return await changeByApply(parts, look, applied);
    } catch (error) {
      if (!isAbsentObject(error) || request.target.endpoint !== '') throw error;
    }
    try {
      return await createByApply(parts, request, applied(request.context.warnings));
    } catch (error) {
      const raced = error instanceof StatusError && error.reason === 'AlreadyExists';
      if (!raced || attempt === attemptsMax) throw error;
    }
  }
}

/** Gives the configuration, and the client the warnings about it each time that it is used. */
type Applied = (warnings: Warnings) => KubeObject;

/** Decodes when the configuration is first used: one that is known to change nothing is not looked into. */
function decodedOnce(request: ApplyRequest): Applied {
  let decoded: { readonly object: KubeObject; readonly warnings: Warnings } | undefined;
  const decode = () => {
    const warnings = new Warnings();
    return {
      object: decodeApplied({ ...request, context: withWarnings(request.context, warnings) }),
      warnings,
    };
  };
  return (warnings) => {
    decoded ??= decode();
    warnings.add(...decoded.warnings.list());
    return decoded.object;
  };
}

/** @throws {StatusError} 400 for a body that is no object, or has a key twice where the client is strict */
export function decodeApplied({ bytes, options, context }: ApplyRequest): KubeObject {
  const { value, duplicates } = decodeOrRefuse(bytes);
  if (value !== null && !isObject(value)) {
    const text = `cannot unmarshal ${goJsonKind(value)} into Go value of type map[string]interface {}`;
    throw badRequestError(
      `error decoding patch: error unmarshaling JSON: while decoding JSON: json: ${text}`,
    );
  }
  if (duplicates.length > 0) {
    const text = duplicates.map((line) => `  ${line}`).join('\n');
    if (options.fieldValidation === 'Strict') {
      throw badRequestError(
        `error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n${text}`,
      );
    }
    if (options.fieldValidation === 'Warn') context.warnings.add(...duplicates);
  }
  return value ?? {};
}

function decodeOrRefuse(bytes: Uint8Array) {
  try {
    return decodeYaml(bytes);
  } catch (error) {
    if (error instanceof DecodeError) throw badRequestError(`error decoding patch: ${error.message}`);
    throw error;
  }
}

async function changeByApply(
  parts: RegistryParts,
  request: ApplyRequest,
  applied: Applied,
): Promise<WriteResult> {
  const { target, options } = request;
  // Apart from what others told the client already: these are what the same apply will say again.
  const warnings = new Warnings();
  const idle = new NoOpApplies(parts, request);
  const transform = (old: KubeObject) => {
    const configuration = applied(warnings);
    idle.looksAt(configuration);
    return merged(parts, request, { old, applied: configuration });
  };
  try {
    return await changeObject(parts, {
      target,
      options,
      context: withWarnings(request.context, warnings),
      managed: true,
      idle,
      transform,
    });
  } finally {
    request.context.warnings.add(...warnings.list());
  }
}

function withWarnings(context: RequestContext, warnings: Warnings): RequestContext {
  const { user, fieldManager, annotate, defer } = context;
  return {
    user,
    fieldManager,
    warnings,
    annotate,
    defer,
    get signal() {
      return context.signal;
    },
  };
}

async function createByApply(
  parts: RegistryParts,
  request: ApplyRequest,
  applied: KubeObject,
): Promise<WriteResult> {
  const { target, options, context } = request;
  const uid = metadataString(applied, 'uid');
  if (uid !== '') {
    throw conflictError(
      target.resource.groupResource,
      target.name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  }
  const object = await merged(parts, request, { old: undefined, applied });
  const rendered = await insertObject(parts, {
    target,
    object,
    options,
    context,
    managed: true,
    bytes: request.bytes.length,
  });
  return { rendered, created: true };
}

/**
 * The configuration laid over what is there, in the shape of the schema. One that changes nothing is validated like
 * any other, as upstream does: a transition rule may refuse it.
 */
async function merged(
  parts: RegistryParts,
  { target, options, context }: ApplyRequest,
  { old, applied }: { old: KubeObject | undefined; applied: KubeObject },
): Promise<KubeObject> {
  const { version, endpoint, resource } = target;
  const gated = gateApplied(parts, { target, context, dryRun: options.dryRun }, { old, applied });
  const write = {
    version,
    endpoint,
    context,
    clock: parts.clock,
    force: options.force,
    shownAsApplied: applied,
  };
  const applying = resource.fields.apply(old, gated, write);
  const { object } = applying instanceof Promise ? await applying : applying;
  // The engine's result shares with both; what is changed in place from here on must not.
  const settled = target.resource.strategy.sharesUnchanged === true ? old : undefined;
  const shaped = sharedWith(settled, object);
  matchTarget(shaped, target);
  target.version.schema().normalize(shaped, { dropNulls: false, settled, dropInvalidMetadata: true });
  return shaped;
}
