import {
  decodeCbor,
  type Decoded,
  DecodeError,
  decodeJsonInSteps,
  decodeProtobuf,
  decodeYamlInSteps,
  encodeJson,
  encodeJsonAsWritten,
  kindMistake,
  messageOf,
} from '../../codec/index.ts';
import {
  badRequestError,
  clone,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  ownString,
  parseGroupVersion,
  put,
  type Steps,
} from '../../meta/index.ts';

export type BodyFormat = 'json' | 'yaml' | 'protobuf' | 'cbor';

/** A request body: its bytes, complete and within the size limit, or a value from a caller inside the process. */
export type RequestBody =
  | {
      readonly bytes: Uint8Array;
      readonly format: BodyFormat;
      /** What the bytes were decoded to before; throws the DecodeError. See `decode-ahead.ts`. */
      readonly decoded?: () => Decoded;
    }
  | { readonly value: JsonValue };

/** The size of a body in bytes; 0 for a value. */
export function bytesOf(body: RequestBody): number {
  return 'bytes' in body ? body.bytes.length : 0;
}

/** A decoded body and its strict errors: `duplicate field "spec.x"`. */
interface DecodedBody {
  readonly value: JsonValue;
  readonly strictErrors: readonly string[];
}

/**
 * Decodes bytes in the format of the content type.
 *
 * @throws {DecodeError} with Go's message.
 */
function* decodeBody(body: RequestBody, isLenientAt?: ExpectedKind['isLenientAt']): Steps<DecodedBody> {
  if ('value' in body) return { value: clone(body.value), strictErrors: [] };
  if (body.format === 'cbor') return { value: decodeCbor(body.bytes), strictErrors: [] };
  if (body.format === 'protobuf') return { value: decodeProtobuf(body.bytes), strictErrors: [] };
  const { value, duplicates } =
    body.decoded !== undefined
      ? body.decoded()
      : body.format === 'yaml'
        ? yield* decodeYamlInSteps(body.bytes)
        : yield* decodeJsonInSteps(body.bytes, isLenientAt);
  return { value, strictErrors: duplicates };
}

/** The expected kind and version of a request. */
export interface ExpectedKind {
  readonly kind: string;
  readonly apiVersion: string;
  /** True if kind and version may be missing, because the path implies them: for built-in kinds, as upstream. */
  readonly isDefault: boolean;
  /** False for a custom resource with `fieldValidation=Ignore`: upstream's messages differ. */
  readonly isStrict?: boolean;
  /** Where duplicate keys are allowed. */
  readonly isLenientAt?: ((steps: readonly (string | number)[]) => boolean) | undefined;
}

/** A decoded object and its strict errors. */
export interface DecodedObject {
  readonly object: KubeObject;
  readonly strictErrors: readonly string[];
}

/**
 * Decodes an object and checks its kind, in steps. A custom resource of a wrong kind in the right group and version passes:
 * validation refuses it later with 422, as upstream does.
 *
 * @throws {StatusError} 400 with upstream's message for anything else.
 */
export function* decodeObject(body: RequestBody, expected: ExpectedKind): Steps<DecodedObject> {
  const { value, strictErrors } = yield* decodeOrRefuse(body, expected);
  const mistyped = kindMistake(value);
  if (mistyped !== undefined) throw unrecognized(body, expected, `${parseErrorPrefix}json: ${mistyped}`);
  if (isObject(value) && expected.isDefault) fillKind(value, expected);
  if (isObject(value) && expected.isStrict !== undefined && !expected.isDefault)
    refuseVersion(value, body, expected);
  if (!isObject(value) || (ownString(value, 'kind') ?? '') === '') {
    const missingIn = (bytes: Buffer) => `Object 'Kind' is missing in '${bytes.toString()}'`;
    if (expected.isStrict === false) {
      throw unhandled(value, expected, missingIn(isJson(body) ? textOf(body) : encodeJson(value)));
    }
    throw unrecognized(body, expected, missingIn(textOf(body)));
  }
  if (expected.isDefault) refuseOtherKind(value, expected);
  checkApiVersion(value, body, expected);
  return { object: value, strictErrors };
}

/** Typed clients omit kind and apiVersion. Source: apimachinery, serializer/json gvkWithDefaults. */
function fillKind(value: JsonObject, { kind, apiVersion }: ExpectedKind): void {
  if ((ownString(value, 'kind') ?? '') === '') put(value, 'kind', kind);
  if ((ownString(value, 'apiVersion') ?? '') === '') put(value, 'apiVersion', apiVersion);
}

/** The message of Go's scheme for an object of another kind than its path. */
export function otherKindText(value: JsonObject, expected: ExpectedKind): string | undefined {
  const [kind, apiVersion] = [ownString(value, 'kind') ?? '', ownString(value, 'apiVersion') ?? ''];
  const found = parseGroupVersion(apiVersion);
  if (found === undefined || (kind === expected.kind && apiVersion === expected.apiVersion)) return undefined;
  if (messageOf(apiVersion, kind) === undefined) {
    return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`;
  }
  const [group = ''] = (parseGroupVersion(expected.apiVersion)?.group ?? '').split('.');
  const wanted = `${group === '' ? 'core' : group}.${expected.kind}`;
  return `converting (${found.version}.${kind}) to (${wanted}): unknown conversion`;
}

function refuseOtherKind(value: JsonObject, expected: ExpectedKind): void {
  const why = otherKindText(value, expected);
  if (why === undefined) return;
  const version = parseGroupVersion(ownString(value, 'apiVersion') ?? '')?.version ?? '';
  const what = `${ownString(value, 'kind') ?? ''} in version "${version}"`;
  throw badRequestError(`${what} cannot be handled as a ${expected.kind}: ${why}`);
}

/** The prefix of a JSON error message. */
export const parseErrorPrefix = "couldn't get version/kind; json parse error: ";

/**
 * Decodes the options in the body of a DELETE, in steps.
 *
 * @throws {StatusError} 400 with Go's message
 */
export function* decodeOptions(body: RequestBody): Steps<JsonValue> {
  try {
    const { value } = yield* decodeBody(body);
    return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const prefix = 'format' in body && body.format === 'json' ? parseErrorPrefix : '';
    throw badRequestError(`${prefix}${error.message}`);
  }
}

function* decodeOrRefuse(body: RequestBody, expected: ExpectedKind): Steps<DecodedBody> {
  try {
    return yield* decodeBody(body, expected.isLenientAt);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const prefix = isJson(body) ? parseErrorPrefix : '';
    // The kind has been decoded by then.
    if (isJson(body) && error.message.startsWith('json: cannot unmarshal number')) {
      throw unhandled(undefined, expected, error.message);
    }
    throw unrecognized(body, expected, `${prefix}${error.message}`);
  }
}

/** @throws {StatusError} 400 for an invalid apiVersion */
function refuseVersion(value: JsonObject, body: RequestBody, expected: ExpectedKind): void {
  const apiVersion = ownString(value, 'apiVersion') ?? '';
  if (parseGroupVersion(apiVersion) === undefined) {
    throw unrecognized(body, expected, `unexpected GroupVersion string: ${apiVersion}`);
  }
}

function checkApiVersion(value: JsonObject, body: RequestBody, expected: ExpectedKind): void {
  const apiVersion = ownString(value, 'apiVersion') ?? '';
  if (apiVersion === expected.apiVersion) return;
  if (parseGroupVersion(apiVersion) === undefined) {
    throw unrecognized(body, expected, `unexpected GroupVersion string: ${apiVersion}`);
  }
  // For a custom resource, strict errors come first.
  if (!expected.isDefault && expected.isStrict !== undefined) return;
  throw badRequestError(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`,
  );
}

const isJson = (body: RequestBody) => 'format' in body && body.format === 'json';

/** An object of the path's kind, or of its own version, cannot be decoded. */
function unhandled(value: JsonValue | undefined, expected: ExpectedKind, why: string) {
  const apiVersion = (isObject(value) ? ownString(value, 'apiVersion') : undefined) || expected.apiVersion;
  const version = parseGroupVersion(apiVersion)?.version ?? '';
  return badRequestError(
    `${expected.kind} in version "${version}" cannot be handled as a ${expected.kind}: ${why}`,
  );
}

function unrecognized(body: RequestBody, expected: ExpectedKind, why: string) {
  const what = `the object provided is unrecognized (must be of type ${expected.kind})`;
  return badRequestError(`${what}: ${why} (${summary(textOf(body))})`);
}

function textOf(body: RequestBody): Buffer {
  return Buffer.from('value' in body ? encodeJsonAsWritten(body.value) : body.bytes);
}

const summaryBytesMax = 30;

/** The start of a body for an error message: as text if it looks like JSON, otherwise in hex. */
function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, summaryBytesMax);
  const text = start[0] === 0x7b ? start.toString() : start.toString('hex');
  return bytes.length > summaryBytesMax ? `${text} ...` : text;
}
