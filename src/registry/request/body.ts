import {
  decodeCbor,
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
  atOnce,
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

/** A request body: as it came, read whole and below the size limit, or a value that callers inside the process give. */
export type RequestBody =
  | { readonly bytes: Uint8Array; readonly format: BodyFormat }
  | { readonly value: JsonValue };

/** How many bytes a body has; 0 for a value. */
export function bytesOf(body: RequestBody): number {
  return 'bytes' in body ? body.bytes.length : 0;
}

/** What a body says, and the strict errors met on the way: `duplicate field "spec.x"`. */
interface DecodedBody {
  readonly value: JsonValue;
  readonly strictErrors: readonly string[];
}

/**
 * Decodes bytes in the format that the content type named.
 *
 * @throws {DecodeError} with Go's text.
 */
function* decodeBody(body: RequestBody, isLenientAt?: ExpectedKind['isLenientAt']): Steps<DecodedBody> {
  if ('value' in body) return { value: clone(body.value), strictErrors: [] };
  if (body.format === 'cbor') return { value: decodeCbor(body.bytes), strictErrors: [] };
  if (body.format === 'protobuf') return { value: decodeProtobuf(body.bytes), strictErrors: [] };
  const { value, duplicates } =
    body.format === 'yaml'
      ? yield* decodeYamlInSteps(body.bytes)
      : yield* decodeJsonInSteps(body.bytes, isLenientAt);
  return { value, strictErrors: duplicates };
}

/** The kind and the version that a request must be about. */
interface ExpectedKind {
  readonly kind: string;
  readonly apiVersion: string;
  /** The path says what a body is that does not say so itself: true for built-in kinds, as upstream has it. */
  readonly isDefault: boolean;
  /** False where a custom resource is decoded with `fieldValidation=Ignore`: upstream's texts differ. */
  readonly isStrict?: boolean;
  /** Where keys that stand there twice are no error. */
  readonly isLenientAt?: ((steps: readonly (string | number)[]) => boolean) | undefined;
}

/**
 * Decodes an object of a kind and checks that it says so. A custom resource of a wrong kind in the right group and
 * version passes: validation refuses it later with 422, as upstream does.
 *
 * @throws {StatusError} 400 with upstream's text for anything that is no such object.
 */
export function decodeObject(body: RequestBody, expected: ExpectedKind): DecodedObject {
  return atOnce(decodeObjectInSteps(body, expected));
}

/** What a body is about. */
interface DecodedObject {
  readonly object: KubeObject;
  readonly strictErrors: readonly string[];
}

/** {@link decodeObject}, in steps where the body is long. */
export function* decodeObjectInSteps(body: RequestBody, expected: ExpectedKind): Steps<DecodedObject> {
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

/** Typed clients leave out what their type says. Source: apimachinery, serializer/json gvkWithDefaults. */
function fillKind(value: JsonObject, { kind, apiVersion }: ExpectedKind): void {
  if ((ownString(value, 'kind') ?? '') === '') put(value, 'kind', kind);
  if ((ownString(value, 'apiVersion') ?? '') === '') put(value, 'apiVersion', apiVersion);
}

/** What Go's scheme says of an object of another kind than its path is about. */
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

/** What stands before the text of a JSON mistake. */
export const parseErrorPrefix = "couldn't get version/kind; json parse error: ";

/**
 * Decodes the options that a DELETE has in its body.
 *
 * @throws {StatusError} 400 with Go's text
 */
export function decodeOptions(body: RequestBody): JsonValue {
  try {
    return atOnce(decodeBody(body)).value;
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
    // The kind has been read by then.
    if (isJson(body) && error.message.startsWith('json: cannot unmarshal number')) {
      throw unhandled(undefined, expected, error.message);
    }
    throw unrecognized(body, expected, `${prefix}${error.message}`);
  }
}

/** @throws {StatusError} 400 for an apiVersion that is none */
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
  // Of a custom resource, strict errors come first.
  if (!expected.isDefault && expected.isStrict !== undefined) return;
  throw badRequestError(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`,
  );
}

const isJson = (body: RequestBody) => 'format' in body && body.format === 'json';

/** An object of the kind that its path is about, or of the version that it says, cannot be decoded. */
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

/** The start of a body for an error text: as text where it looks like JSON, in hex otherwise. */
function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, summaryBytesMax);
  const text = start[0] === 0x7b ? start.toString() : start.toString('hex');
  return bytes.length > summaryBytesMax ? `${text} ...` : text;
}
