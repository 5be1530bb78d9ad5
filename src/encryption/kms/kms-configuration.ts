import {
  type FieldError,
  type FieldPath,
  goDuration,
  goQuote,
  invalid,
  type JsonObject,
  own,
  ownString,
  parseGoDuration,
  required,
} from '../../meta/index.ts';

/** A `kms` provider of an EncryptionConfiguration, with its defaults. */
export interface KmsConfiguration {
  readonly apiVersion: string;
  readonly name: string;
  readonly endpoint: string;
  readonly timeoutMs: number;
  readonly cacheSize: number | undefined;
}

const defaultTimeoutMs = 3_000;
const defaultCacheSize = 1_000;

/** Source: apiserver, apis/apiserver/v1/defaults.go. */
export function readKms(kms: JsonObject, path: FieldPath, errors: FieldError[]): KmsConfiguration {
  const apiVersion = ownString(kms, 'apiVersion') || 'v1';
  const cacheSize = own(kms, 'cachesize');
  return {
    apiVersion,
    name: ownString(kms, 'name') ?? '',
    endpoint: ownString(kms, 'endpoint') ?? '',
    timeoutMs: timeoutOf(kms, path.child('timeout'), errors),
    cacheSize: typeof cacheSize === 'number' ? cacheSize : apiVersion === 'v1' ? defaultCacheSize : undefined,
  };
}

function timeoutOf(kms: JsonObject, path: FieldPath, errors: FieldError[]): number {
  const given = own(kms, 'timeout') ?? null;
  if (given === null) return defaultTimeoutMs;
  const read = typeof given === 'string' ? parseGoDuration(given) : 'want a string: 3s';
  if (typeof read === 'number') return read;
  errors.push(invalid(path, given, read));
  return defaultTimeoutMs;
}

/**
 * @param names the names of the providers before this one
 *
 * Source: apiserver, apis/apiserver/validation/validation_encryption.go.
 */
export function kmsErrors(
  kms: KmsConfiguration,
  path: FieldPath,
  names: ReadonlySet<string>,
): readonly FieldError[] {
  const errors = [...nameErrors(kms, path.child('name'), names)];
  if (kms.timeoutMs <= 0) {
    const detail = 'timeout should be a positive value';
    errors.push(invalid(path.child('timeout'), timeoutText(kms), detail));
  }
  const endpoint = endpointFault(kms.endpoint);
  if (endpoint !== undefined) errors.push(invalid(path.child('endpoint'), kms.endpoint, endpoint));
  const cache = cacheFault(kms);
  if (cache !== undefined) errors.push(invalid(path.child('cachesize'), kms.cacheSize ?? null, cache));
  if (kms.apiVersion !== 'v1' && kms.apiVersion !== 'v2') {
    const detail = 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported';
    errors.push(invalid(path.child('apiVersion'), kms.apiVersion, detail));
  }
  return errors;
}

/** The timeout as Go prints it, also a negative one. */
export const timeoutText = ({ timeoutMs }: KmsConfiguration): string =>
  timeoutMs < 0 ? `-${goDuration(-timeoutMs)}` : goDuration(timeoutMs);

function* nameErrors(
  { name, apiVersion }: KmsConfiguration,
  path: FieldPath,
  names: ReadonlySet<string>,
): Generator<FieldError> {
  if (name === '') yield required(path, 'name is a mandatory field for a provider');
  if (apiVersion === 'v1') return;
  if (name.includes(':'))
    yield invalid(path, name, `invalid KMS provider name ${name}, must not contain ':'`);
  if (names.has(name)) yield invalid(path, name, `duplicate KMS provider name ${name}, names must be unique`);
}

function cacheFault({ apiVersion, cacheSize }: KmsConfiguration): string | undefined {
  if (apiVersion !== 'v1') return cacheSize === undefined ? undefined : 'cachesize is not supported in v2';
  return cacheSize === 0 ? 'cachesize should be a positive value, or negative to disable' : undefined;
}

const schemeForm = /^([a-z][a-z0-9+.-]*):/i;

function endpointFault(endpoint: string): string | undefined {
  if (endpoint === '') return 'endpoint is a mandatory field for a kms';
  const broken = urlFault(endpoint);
  if (broken !== undefined)
    return `invalid endpoint for kms provider, error: parse ${goQuote(endpoint)}: ${broken}`;
  const scheme = schemeForm.exec(endpoint)?.[1]?.toLowerCase() ?? '';
  return scheme === 'unix'
    ? undefined
    : `unsupported scheme ${goQuote(scheme)} for KMS provider, only unix is supported`;
}

/** Go's error for a URL that cannot be parsed; other errors appear when the socket is opened. */
function urlFault(url: string): string | undefined {
  if (url.startsWith(':')) return 'missing protocol scheme';
  const wrong = /%(?![0-9a-f]{2}).{0,2}/i.exec(url)?.[0];
  return wrong === undefined ? undefined : `invalid URL escape ${goQuote(wrong)}`;
}

/** A valid endpoint as a gRPC target: `unix:///run/kms.sock`, or `/@name` for an abstract socket. */
export function socketAddress(endpoint: string): string {
  const rest = endpoint.replace(schemeForm, '').replace(/[?#].*$/s, '');
  const path = decodeURIComponent(rest.startsWith('//') ? rest.replace(/^\/\/[^/]*/, '') : rest);
  return path.startsWith('/@') ? `unix-abstract:${path.slice(2)}` : `unix:${path}`;
}
