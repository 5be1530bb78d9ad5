import { normalizeInSteps } from '../../schema/index.ts';
import { DecodeError, type Decoded } from '../../codec/index.ts';
import {
  badRequestError,
  conflictError,
  goJsonKind,
  isObject,
  type KubeObject,
  metadataString,
  type PatchOptions,
  sharedWithInSteps,
  StatusError,
} from '../../meta/index.ts';
import { type RequestContext, Warnings } from '../request/context.ts';
import { decodedYaml } from '../request/decode-ahead.ts';
import { insertObject } from './create.ts';
import { NoOpApplies } from './no-op-applies.ts';
import { gateApplied } from '../write/gating.ts';
import { inSlices, pauseOf, type RegistryParts, runnerOf } from '../write/registry-parts.ts';
import { targetOfRetry, type ObjectTarget } from '../resource/target.ts';
import { isAbsentObject } from './absent-object.ts';
import { changeObject, type WriteResult } from './change-object.ts';
import { matchTarget } from './match-target.ts';
import { requireNumber } from './update-metadata.ts';

export interface ApplyRequest {
  readonly target: ObjectTarget;
  readonly bytes: Uint8Array;
  readonly options: PatchOptions;
  readonly context: RequestContext;
}

/** Attempts against an object that is created and deleted concurrently. */
const attemptsMax = 4;

/** Server-side apply: changes the object, or creates it if it does not exist. */
export async function applyObject(parts: RegistryParts, request: ApplyRequest): Promise<WriteResult> {
  const applied = decodedOnce(parts, request);
  for (let attempt = 1; ; attempt += 1) {
    const { target } = request;
    const look = attempt === 1 ? request : { ...request, target: targetOfRetry(target) };
    try {
      return await changeByApply(parts, look, applied);
    } catch (error) {
      if (!isAbsentObject(error) || request.target.endpoint !== '') throw error;
    }
    try {
      return await createByApply(parts, request, await applied());
    } catch (error) {
      const raced = error instanceof StatusError && error.reason === 'AlreadyExists';
      if (!raced || attempt === attemptsMax) throw error;
    }
  }
}

/** An applied configuration. */
interface AppliedConfiguration {
  readonly object: KubeObject;
  /**
   * Warns of duplicate keys. Upstream does so after the configuration was merged.
   *
   * @throws {StatusError} 400 with strict validation
   */
  report(warnings: Warnings): void;
}

/** Returns the configuration. */
type Applied = () => Promise<AppliedConfiguration>;

/** Decodes on first use: an apply known to change nothing is not decoded. */
function decodedOnce(parts: RegistryParts, request: ApplyRequest): Applied {
  let decoded: AppliedConfiguration | undefined;
  return async () => {
    decoded ??= await decodeApplied(parts, request);
    return decoded;
  };
}

/** @throws {StatusError} 400 for a body that is not an object */
export async function decodeApplied(
  parts: RegistryParts,
  { bytes, options }: ApplyRequest,
): Promise<AppliedConfiguration> {
  const { value, duplicates } = decodedOrRefused(bytes, await decodedYaml(parts, bytes));
  if (value !== null && !isObject(value)) {
    const text = `cannot unmarshal ${goJsonKind(value)} into Go value of type map[string]interface {}`;
    throw badRequestError(
      `error decoding patch: error unmarshaling JSON: while decoding JSON: json: ${text}`,
    );
  }
  const report = (warnings: Warnings) => reportDuplicates(duplicates, options, warnings);
  return { object: value ?? {}, report };
}

function reportDuplicates(
  duplicates: readonly string[],
  { fieldValidation }: PatchOptions,
  warnings: Warnings,
): void {
  if (duplicates.length === 0) return;
  if (fieldValidation === 'Warn') warnings.add(...duplicates);
  if (fieldValidation !== 'Strict') return;
  const text = duplicates.map((line) => `  ${line}`).join('\n');
  throw badRequestError(
    `error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n${text}`,
  );
}

function decodedOrRefused(bytes: Uint8Array, decoded: () => Decoded): Decoded {
  try {
    return decoded();
  } catch (error) {
    if (error instanceof DecodeError) throw badRequestError(`${yamlErrorPrefix(bytes)}${error.message}`);
    throw error;
  }
}

/** Upstream decodes text that starts like JSON one step later. */
function yamlErrorPrefix(bytes: Uint8Array): string {
  const first = bytes.find((byte) => byte > 0x20);
  return first === 0x7b ? 'error decoding patch: error converting YAML to JSON: ' : 'error encoding patch: ';
}

async function changeByApply(
  parts: RegistryParts,
  request: ApplyRequest,
  applied: Applied,
): Promise<WriteResult> {
  const { target, options } = request;
  // Apart from warnings already added by others: the same apply will give these again.
  const warnings = new Warnings();
  const idle = new NoOpApplies(parts, request);
  const transform = async (old: KubeObject) => {
    const configuration = await applied();
    idle.looksAt(configuration.object);
    return merged(parts, request, { old, configuration, warnings });
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
  const { user, fieldManager, annotate, track, defer } = context;
  return {
    user,
    fieldManager,
    warnings,
    annotate,
    track,
    defer,
    get signal() {
      return context.signal;
    },
  };
}

async function createByApply(
  parts: RegistryParts,
  request: ApplyRequest,
  configuration: AppliedConfiguration,
): Promise<WriteResult> {
  const { target, options, context } = request;
  const { object: applied } = configuration;
  const { warnings } = context;
  const object = await merged(parts, request, { old: undefined, configuration, warnings });
  requireParsable(metadataString(applied, 'resourceVersion'));
  const responseObject = await insertObject(parts, {
    target,
    object,
    options,
    context,
    managed: true,
    byChange: true,
    bytes: request.bytes.length,
  });
  return { responseObject, created: true };
}

/** @throws {StatusError} 409 if the client requires an existing object */
function refuseUid(applied: KubeObject, target: ObjectTarget): void {
  const uid = metadataString(applied, 'uid');
  if (uid === '') return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflictError(target.resource.groupResource, target.name, why);
}

/** @throws {StatusError} 500 without a reason, as upstream, for a resourceVersion that is not a number */
function requireParsable(resourceVersion: string): void {
  if (resourceVersion !== '') requireNumber(resourceVersion);
}

/** The inputs of the merge. */
interface Merge {
  readonly old: KubeObject | undefined;
  readonly configuration: AppliedConfiguration;
  /** Receives the warnings about the configuration. */
  readonly warnings: Warnings;
}

/**
 * Merges the configuration into the live object and sets the schema's defaults. An apply without changes is validated
 * like any other, as upstream does: a transition rule may refuse it.
 */
async function merged(
  parts: RegistryParts,
  { target, options, context, bytes }: ApplyRequest,
  { old, configuration, warnings }: Merge,
): Promise<KubeObject> {
  const { version, endpoint, resource } = target;
  const { object: applied } = configuration;
  const gated = gateApplied(parts, { target, context, dryRun: options.dryRun }, { old, applied });
  const write = {
    version,
    endpoint,
    context,
    clock: parts.clock,
    force: options.force,
    shownAsApplied: applied,
  };
  const { object } = await resource.fields.apply(old, gated, {
    ...write,
    run: runnerOf(parts, bytes.length),
  });
  configuration.report(warnings);
  if (old === undefined) refuseUid(applied, target);
  // The engine's result shares with both; later changes in place must copy.
  const settled = target.resource.strategy.sharesUnchanged === true ? old : undefined;
  const pause = () => pauseOf(parts, bytes.length);
  await pause();
  const shaped = await inSlices(parts, bytes.length, sharedWithInSteps(settled, object));
  await pause();
  matchTarget(shaped, target);
  const { isBuiltIn } = target.type;
  const how = isBuiltIn ? { dropInvalidMetadata: true } : { onlyDefaults: true };
  await inSlices(parts, bytes.length, normalizeInSteps(target.version.schema(), shaped, { ...how, settled }));
  return shaped;
}
