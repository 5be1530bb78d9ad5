import {
  DecodeError,
  type decodeJson,
  decodeJsonInSteps,
  encodeJson,
  kindMistake,
} from '../../codec/index.ts';
import { MetadataTypeError } from '../../schema/index.ts';
import {
  atOnce,
  badRequestError,
  type FieldValidation,
  formatGroupVersion,
  invalid,
  invalidError,
  goJsonKind,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  ownString,
  type PatchOptions,
  requestTooLargeError,
  StatusError,
  type Steps,
  internalError,
  parseGroupVersion,
} from '../../meta/index.ts';
import {
  limitStrictErrors,
  noVersionText,
  normalizeInSteps,
  nullVersionText,
  strictErrorText,
} from '../write/accept.ts';
import { normalizeForeign, saidKind } from '../write/foreign-kind.ts';
import { otherKindText, parseErrorPrefix } from '../request/body.ts';
import type { RequestContext } from '../request/context.ts';
import {
  applyJsonPatchInSteps,
  JsonPatchApplyError,
  JsonPatchFormatError,
  JsonPatchTooDeepError,
  JsonPatchTooLongError,
  JsonPatchTooMuchWorkError,
  parseJsonPatch,
  applyMergePatchInSteps,
  applyStrategicMergePatchInSteps,
  StrategicPatchError,
} from '../../patch/index.ts';
import { keepEmptyManagedFields } from '../write/managed-fields-reset.ts';
import { inSlices, type RegistryParts } from '../write/registry-parts.ts';
import type { ObjectTarget } from '../resource/target.ts';
import { changeObject, type WriteResult } from './change-object.ts';
import { matchTarget } from './match-target.ts';
import { patchedText } from './patched-text.ts';

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
  readonly apply: (document: KubeObject) => Steps<JsonValue>;
  readonly strictErrors: readonly string[];
}

function inOneStep(apply: (document: KubeObject) => JsonValue): Patcher['apply'] {
  return function* (document) {
    yield;
    return apply(document);
  };
}

/** PATCH: changes an object by a patch. Concurrent writers cause a retry, not a failure. */
export async function patchObject(parts: RegistryParts, request: PatchRequest): Promise<WriteResult> {
  const { target, options, context } = request;
  const bytes = request.bytes.length;
  const decoded = await inSlices(parts, bytes, decodePatch(request));
  const patched = patchFunction(request, decoded);
  return changeObject(parts, {
    target,
    options,
    context,
    transform: async (start, old) => {
      const isSettled = target.resource.strategy.sharesUnchanged === true;
      return inSlices(parts, bytes, patched(start, isSettled, old));
    },
  });
}

/**
 * The result of a patch. The object does not change if it is normalized: the result shares unchanged parts with it.
 * Error messages show the original, if an unchanged one is given.
 */
type PatchFunction = (old: KubeObject, isSettled: boolean, original?: KubeObject) => Steps<KubeObject>;

/** A decoded patch, or the error for a number that overflows in Go. */
type DecodedPatch = ReturnType<typeof decodeJson> | DecodeError;

/**
 * Decodes a patch. Invalid JSON is reported before any other error.
 *
 * @throws {StatusError} 400
 */
export function* decodePatch({ bytes }: Pick<PatchRequest, 'bytes'>): Steps<DecodedPatch> {
  try {
    return yield* decodeJsonInSteps(bytes);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (error.message.startsWith('json: cannot unmarshal number')) return error;
    throw badRequestError('invalid JSON patch');
  }
}

/** Applies a patch; its operations are checked on first use. */
export function patchFunction(request: PatchRequest, decoded: DecodedPatch): PatchFunction {
  let patcher: Patcher | undefined;
  return function* (old, isSettled, original = isSettled ? old : undefined) {
    // Not earlier: upstream reports a missing object first.
    patcher ??= preparePatch(request, decoded);
    yield;
    const document = yield* applyPatch(patcher, old);
    yield;
    const settled = isSettled ? old : undefined;
    const object = yield* acceptPatched(document, { patcher, request, settled, original });
    matchTarget(object, request.target);
    return object;
  };
}

/** @throws {StatusError} 400 for a patch of the wrong form, 413 for one with too many operations */
function preparePatch(request: PatchRequest, decoded: DecodedPatch): Patcher {
  if (decoded instanceof DecodeError) return undecodablePatch(decoded, request);
  try {
    return patcherOf(request, decoded.value, decoded.duplicates);
  } catch (error) {
    if (error instanceof JsonPatchFormatError)
      throw badRequestError(`${isStrict(request) ? 'error decoding patch: ' : ''}${error.message}`);
    if (error instanceof StrategicPatchError) throw badRequestError(error.message);
    if (error instanceof JsonPatchTooLongError) throw requestTooLargeError(error.message);
    throw refuseUnappliable(error);
  }
}

function patcherOf(
  { type, target, options }: PatchRequest,
  value: JsonValue,
  duplicates: readonly string[],
): Patcher {
  if (type === 'json') return jsonPatcher(value, duplicates, isStrict({ options }));
  if (type === 'merge' && !isStrict({ options }) && Array.isArray(value)) {
    return { apply: (document) => applyMergePatchInSteps(document, value), strictErrors: [] };
  }
  const patch = requireObject(value, options.fieldValidation);
  if (type === 'merge')
    return { apply: (document) => applyMergePatchInSteps(document, patch), strictErrors: duplicates };
  const patchType = target.resource.fields.patchType(target.version);
  return {
    apply: (document) => applyStrategicMergePatchInSteps(document, patch, patchType),
    strictErrors: duplicates,
  };
}

/** A number beyond float64 is reported for the patched document, because upstream does not decode the patch before. */
function undecodablePatch({ message }: DecodeError, { type, bytes, options }: PatchRequest): Patcher {
  if (isStrict({ options }) || type === 'strategic')
    throw badRequestError(`error decoding patch: ${message}`);
  const apply = inOneStep((old: KubeObject) => {
    throw patchedTextError(
      patchedText(old, { type, bytes }, () => old),
      message,
    );
  });
  return { apply, strictErrors: [] };
}

/**
 * If unknown fields are not reported, upstream does not decode a merge patch separately: its library's message is
 * used.
 */
function requireObject(value: JsonValue, fieldValidation: FieldValidation): JsonObject {
  if (isObject(value)) return value;
  if (value === null || fieldValidation === 'Ignore') throw badRequestError('Invalid JSON Patch');
  throw badRequestError(
    `error decoding patch: json: cannot unmarshal ${goJsonKind(value)} into Go value of type map[string]interface {}`,
  );
}

/** Whether unknown fields are reported: upstream then decodes the patch separately. */
function isStrict({ options }: Pick<PatchRequest, 'options'>): boolean {
  return options.fieldValidation !== 'Ignore';
}

function jsonPatcher(value: JsonValue, duplicates: readonly string[], strict: boolean): Patcher {
  const patch = parseJsonPatch(value, { isStrict: strict });
  const apply = (document: KubeObject) => applyJsonPatchInSteps(document, patch);
  return { apply, strictErrors: [...duplicates.map(patchPrefix), ...patch.strictErrors] };
}

function patchPrefix(text: string): string {
  return `json patch ${text}`;
}

function* applyPatch(patcher: Patcher, old: KubeObject): Steps<JsonValue> {
  try {
    return yield* patcher.apply(old);
  } catch (error) {
    if (error instanceof StrategicPatchError) throw badRequestError(error.message);
    // The message omits the document, which is too deep to be printed.
    if (error instanceof JsonPatchTooDeepError) throw patchedTextError('', error.message);
    if (error instanceof JsonPatchTooMuchWorkError) throw requestTooLargeError(error.message);
    throw refuseUnappliable(error);
  }
}

/** Upstream loses the patch library's message: the client gets only this. */
function refuseUnappliable(error: unknown): unknown {
  if (!(error instanceof JsonPatchApplyError)) return error;
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });
}

/** The inputs for checking a patched document. */
interface Patching {
  readonly patcher: Patcher;
  readonly request: PatchRequest;
  /** The original, if it is known to be normalized. */
  readonly settled: KubeObject | undefined;
  /** The original, unchanged. */
  readonly original: KubeObject | undefined;
}

/**
 * The result of a patch must be an object of the kind, like a request body.
 *
 * @throws {StatusError} 422 that prints the whole patched document
 */
function* acceptPatched(document: JsonValue, patching: Patching): Steps<KubeObject> {
  const { patcher, request, settled } = patching;
  const { target, options, context } = request;
  const shown = showing(document, patching);
  if (!isObject(document))
    throw patchedTextError(shown(), `${parseErrorPrefix}json: ${kindMistake(document)}`);
  requireVersion(document, shown, request);
  keepEmptyManagedFields(document, target);
  yield;
  const unknown = yield* normalizePatched(document, shown, { target, settled });
  yield;
  const errors = limitStrictErrors([...patcher.strictErrors, ...unknown]);
  reportStrict(errors, shown, options.fieldValidation, context);
  if (!target.type.isBuiltIn && (ownString(document, 'apiVersion') ?? '') === '')
    throw internalError(noVersionText);
  return document;
}

/**
 * The patched document for an error message, before unknown fields were pruned: the original is patched again. If it
 * is no longer available, the text is made now, before anything is dropped.
 */
function showing(document: JsonValue, { patcher, request, original }: Patching): () => string {
  if (original !== undefined)
    return () => patchedText(original, request, () => atOnce(applyPatch(patcher, original)));
  const text = encodeJson(document).toString();
  return () => text;
}

/**
 * @throws {StatusError} 422 for a value that is not an object of any kind, 500 and 400 for a missing or different
 * version
 */
function requireVersion(document: KubeObject, shown: () => string, { target }: PatchRequest): void {
  const mistyped = kindMistake(document);
  if (mistyped !== undefined) throw patchedTextError(shown(), `${parseErrorPrefix}json: ${mistyped}`);
  const expected = formatGroupVersion(target.type.group, target.version.name);
  const apiVersion = ownString(document, 'apiVersion') ?? '';
  const isBuiltIn = target.type.isBuiltIn;
  if (!isBuiltIn && parseGroupVersion(apiVersion) === undefined) {
    throw patchedTextError(shown(), `unexpected GroupVersion string: ${apiVersion}`);
  }
  if (ownString(document, 'kind') === undefined || (!isBuiltIn && ownString(document, 'kind') === '')) {
    throw patchedTextError(shown(), `Object 'Kind' is missing in '${shown()}'`);
  }
  if (isBuiltIn) {
    const why = otherKindText(document, { kind: target.type.kind, apiVersion: expected, isDefault: true });
    if (why !== undefined) throw patchedTextError(shown(), why);
  }
  if (apiVersion === expected) return;
  if (isBuiltIn) {
    throw badRequestError(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (own(document, 'apiVersion') === null) throw patchedTextError(shown(), nullVersionText);
}

function* normalizePatched(
  document: KubeObject,
  shown: () => string,
  { target, settled }: { readonly target: ObjectTarget; readonly settled: KubeObject | undefined },
): Steps<string[]> {
  const { type, version } = target;
  const said = type.isBuiltIn ? undefined : saidKind(document);
  const isForeign =
    said !== undefined &&
    (said.kind !== type.kind || said.group !== type.group || said.version !== version.name);
  try {
    if (isForeign) return normalizeForeign(document, said, type);
    return yield* normalizeInSteps(document, version, settled);
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

function patchedTextError(shown: string, why: string): StatusError {
  return invalidError({ group: '', kind: '' }, '', [invalid('patch', shown, why)]);
}
