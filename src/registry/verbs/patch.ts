import { DecodeError, decodeJson, encodeJson, kindMistake } from '../../codec/index.ts';
import { MetadataTypeError } from '../../schema/index.ts';
import {
  badRequestError,
  type FieldValidation,
  formatGroupVersion,
  invalid,
  invalidError,
  goJsonKind,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  ownString,
  type PatchOptions,
  requestTooLargeError,
  StatusError,
  internalError,
  parseGroupVersion,
} from '../../meta/index.ts';
import { limitStrictErrors, normalizeStrictly, strictErrorText } from '../write/accept.ts';
import { normalizeForeign, saidKind } from '../write/foreign-kind.ts';
import { otherKindText, parseErrorPrefix } from '../request/body.ts';
import type { RequestContext } from '../request/context.ts';
import {
  applyJsonPatch,
  JsonPatchApplyError,
  JsonPatchFormatError,
  JsonPatchTooDeepError,
  JsonPatchTooLongError,
  JsonPatchTooMuchWorkError,
  parseJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  StrategicPatchError,
} from '../../patch/index.ts';
import { keepEmptyManagedFields } from '../write/managed-fields-reset.ts';
import type { RegistryParts } from '../write/registry-parts.ts';
import type { ObjectTarget } from '../resource/target.ts';
import { changeObject, type WriteResult } from './change-object.ts';
import { matchTarget } from './match-target.ts';

/** How the body of a PATCH changes an object. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface PatchRequest {
  readonly target: ObjectTarget;
  readonly type: PatchType;
  readonly bytes: Uint8Array;
  readonly options: PatchOptions;
  readonly context: RequestContext;
}

/** A function that patches a document, checked once and applied at each attempt. */
interface Patcher {
  readonly apply: (document: KubeObject) => JsonValue;
  readonly strictErrors: readonly string[];
}

/** PATCH: changes an object by what differs. Concurrent writers make it start over, not fail. */
export async function patchObject(parts: RegistryParts, request: PatchRequest): Promise<WriteResult> {
  const { target, options, context } = request;
  const patched = patchFunction(request);
  return changeObject(parts, {
    target,
    options,
    context,
    transform: async (old) => patched(old, target.resource.strategy.sharesUnchanged === true),
  });
}

/**
 * What a patch makes of an object. The object is not changed; where it is settled, in the schema's shape, the result
 * shares with it what is the same in both.
 */
type PatchFunction = (old: KubeObject, isSettled: boolean) => KubeObject;

/**
 * What a patch makes of an object; the patch itself is checked when there is one.
 */
export function patchFunction(request: PatchRequest): PatchFunction {
  let patcher: Patcher | undefined;
  return (old, isSettled) => {
    // Not before: an object that is not there is what upstream tells first.
    patcher ??= preparePatch(request);
    const document = applyPatch(patcher, old);
    const object = acceptPatched(document, { patcher, request, settled: isSettled ? old : undefined });
    matchTarget(object, request.target);
    return object;
  };
}

/** @throws {StatusError} 400 for a patch of the wrong form, 413 for one with too many operations */
function preparePatch(request: PatchRequest): Patcher {
  try {
    const { value, duplicates } = decodeJson(request.bytes);
    return patcherOf(request, value, duplicates);
  } catch (error) {
    if (error instanceof DecodeError) throw undecodablePatch(error);
    if (error instanceof JsonPatchFormatError)
      throw badRequestError(`error decoding patch: ${error.message}`);
    if (error instanceof StrategicPatchError) throw badRequestError(error.message);
    if (error instanceof JsonPatchTooLongError) throw requestTooLargeError(error.message);
    throw refuseUnappliable(error);
  }
}

function patcherOf({ type, target }: PatchRequest, value: JsonValue, duplicates: readonly string[]): Patcher {
  if (type === 'json') return jsonPatcher(value, duplicates);
  const patch = requireObject(value);
  if (type === 'merge')
    return { apply: (document) => applyMergePatch(document, patch), strictErrors: duplicates };
  const patchType = target.resource.fields.patchType(target.version);
  return {
    apply: (document) => applyStrategicMergePatch(document, patch, patchType),
    strictErrors: duplicates,
  };
}

/** A number that no float64 can hold is told; of other mistakes upstream says no more. */
function undecodablePatch({ message }: DecodeError): StatusError {
  const isNumber = message.startsWith('json: cannot unmarshal number');
  return badRequestError(isNumber ? `error decoding patch: ${message}` : 'invalid JSON patch');
}

function requireObject(value: JsonValue): JsonObject {
  if (isObject(value)) return value;
  if (value === null) throw badRequestError('Invalid JSON Patch');
  throw badRequestError(
    `error decoding patch: json: cannot unmarshal ${goJsonKind(value)} into Go value of type map[string]interface {}`,
  );
}

function jsonPatcher(value: JsonValue, duplicates: readonly string[]): Patcher {
  const patch = parseJsonPatch(value);
  const apply = (document: KubeObject) => applyJsonPatch(document, patch);
  return { apply, strictErrors: [...duplicates.map(patchPrefix), ...patch.strictErrors] };
}

function patchPrefix(text: string): string {
  return `json patch ${text}`;
}

function applyPatch(patcher: Patcher, old: KubeObject): JsonValue {
  try {
    return patcher.apply(old);
  } catch (error) {
    if (error instanceof StrategicPatchError) throw badRequestError(error.message);
    // The document is left out of the text: it is too deep to be written, too.
    if (error instanceof JsonPatchTooDeepError) throw patchedTextError('', error.message);
    if (error instanceof JsonPatchTooMuchWorkError) throw requestTooLargeError(error.message);
    throw refuseUnappliable(error);
  }
}

/** Upstream loses the patch library's text on the way: the client gets no more than this. */
function refuseUnappliable(error: unknown): unknown {
  if (!(error instanceof JsonPatchApplyError)) return error;
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });
}

/** What a patched document is judged with. */
interface Patching {
  readonly patcher: Patcher;
  readonly request: PatchRequest;
  /** What was patched, where it is known to be in shape. */
  readonly settled: KubeObject | undefined;
}

/**
 * What a patch made must be an object of the kind, like a body that was sent.
 *
 * @throws {StatusError} 422 that shows the whole patched document
 */
function acceptPatched(document: JsonValue, patching: Patching): KubeObject {
  const { patcher, request, settled } = patching;
  const { target, options, context } = request;
  if (!isObject(document)) throw patchedError(document, `json: cannot unmarshal into a ${target.type.kind}`);
  const shown = showing(document, patching);
  requireVersion(document, request);
  keepEmptyManagedFields(document, target);
  const unknown = normalizePatched(document, shown, { target, settled });
  const errors = limitStrictErrors([...patcher.strictErrors, ...unknown]);
  reportStrict(errors, shown, options.fieldValidation, context);
  return document;
}

/**
 * The patched document for an error text, as it was before unknown fields went. What was patched is as it was where it
 * is settled, so that it can be patched once more; else the text is made now, before anything is dropped.
 */
function showing(document: KubeObject, { patcher, settled }: Patching): () => string {
  if (settled !== undefined) return () => encodeJson(applyPatch(patcher, settled)).toString();
  const text = encodeJson(document).toString();
  return () => text;
}

/** @throws {StatusError} 422 for what is no object of any kind, 500 and 400 for one of no version or of another */
function requireVersion(document: KubeObject, { target }: PatchRequest): void {
  const mistyped = kindMistake(document);
  if (mistyped !== undefined) throw patchedError(document, `${parseErrorPrefix}json: ${mistyped}`);
  const expected = formatGroupVersion(target.type.group, target.version.name);
  const apiVersion = ownString(document, 'apiVersion') ?? '';
  const isBuiltIn = target.type.isBuiltIn;
  if (ownString(document, 'kind') === undefined || (!isBuiltIn && ownString(document, 'kind') === '')) {
    throw patchedError(document, `Object 'Kind' is missing in '${encodeJson(document).toString()}'`);
  }
  if (isBuiltIn) {
    const why = otherKindText(document, { kind: target.type.kind, apiVersion: expected, isDefault: true });
    if (why !== undefined) throw patchedError(document, why);
  }
  if (apiVersion === expected) return;
  if (isBuiltIn) {
    throw badRequestError(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (parseGroupVersion(apiVersion) === undefined) {
    throw patchedError(document, `unexpected GroupVersion string: ${apiVersion}`);
  }
  if (apiVersion === '') {
    throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  }
}

function normalizePatched(
  document: KubeObject,
  shown: () => string,
  { target, settled }: { readonly target: ObjectTarget; readonly settled: KubeObject | undefined },
): string[] {
  const { type, version } = target;
  const said = type.isBuiltIn ? undefined : saidKind(document);
  const isForeign =
    said !== undefined &&
    (said.kind !== type.kind || said.group !== type.group || said.version !== version.name);
  try {
    return isForeign ? normalizeForeign(document, said, type) : normalizeStrictly(document, version, settled);
  } catch (error) {
    if (!(error instanceof MetadataTypeError)) throw error;
    throw patchedTextError(shown(), error.message);
  }
}

function reportStrict(
  errors: readonly string[],
  shown: () => string,
  fieldValidation: FieldValidation,
  context: RequestContext,
): void {
  if (errors.length === 0) return;
  if (fieldValidation === 'Strict') throw patchedTextError(shown(), strictErrorText(errors));
  if (fieldValidation === 'Warn') context.warnings.add(...errors);
}

function patchedError(document: JsonValue, why: string): StatusError {
  return patchedTextError(encodeJson(document).toString(), why);
}

function patchedTextError(shown: string, why: string): StatusError {
  return invalidError({ group: '', kind: '' }, '', [invalid('patch', shown, why)]);
}
