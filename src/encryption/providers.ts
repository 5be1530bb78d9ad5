import {
  type FieldError,
  type FieldPath,
  invalid,
  isObject,
  type JsonObject,
  own,
  ownList,
  ownString,
  required,
} from '../meta/index.ts';
import { aesCbc } from './ciphers/aes-cbc.ts';
import { aesGcm } from './ciphers/aes-gcm.ts';
import { secretbox } from './ciphers/secretbox.ts';
import { identity } from './identity.ts';
import type { KeyService } from './kms/key-service.ts';
import { type KmsConfiguration, kmsErrors, readKms, timeoutText } from './kms/kms-configuration.ts';
import { prefixed, type PrefixedTransformer } from './prefixed.ts';
import type { Cipher } from './transformer.ts';

interface CipherKind {
  readonly make: (secret: Uint8Array) => Cipher;
  readonly secretBytes: readonly number[];
  /** As upstream's error names the provider. */
  readonly family: string;
}

/** The providers with keys, by their names in the file; the stored prefixes also contain the names. */
const cipherKinds: ReadonlyMap<string, CipherKind> = new Map([
  ['aesgcm', { make: aesGcm, secretBytes: [16, 24, 32], family: 'AES' }],
  ['aescbc', { make: aesCbc, secretBytes: [16, 24, 32], family: 'AES' }],
  ['secretbox', { make: secretbox, secretBytes: [32], family: 'Secretbox' }],
]);

/** Upstream's field order of a provider. */
const providerNames = ['aesgcm', 'aescbc', 'secretbox', 'identity', 'kms'];
/** The Go names of the same fields, with which upstream prints a provider. */
const goNames = ['AESGCM', 'AESCBC', 'Secretbox', 'Identity', 'KMS'];

/** The context of a configuration's providers. */
export interface ReadProviders {
  readonly errors: FieldError[];
  /** The plugin names so far. */
  readonly kmsNames: Set<string>;
  readonly makeKeyService: (configuration: KmsConfiguration) => KeyService;
}

/** One provider of a configuration. */
export interface Provider {
  readonly transformer: PrefixedTransformer;
  /** Its KMS plugin, if any. */
  readonly service?: KeyService;
  /** True for KMS v1, which is refused. */
  readonly isKmsV1?: boolean;
}

const plain: PrefixedTransformer = { prefix: Buffer.alloc(0), transformer: identity };

/**
 * Parses one element of `providers`; undefined if it reported errors.
 *
 * Source: apiserver, apis/apiserver/validation/validation_encryption.go.
 */
export function readProvider(
  provider: JsonObject,
  path: FieldPath,
  { errors, kmsNames, makeKeyService }: ReadProviders,
): Provider | undefined {
  const given = providerNames.filter((name) => (own(provider, name) ?? null) !== null);
  const [name] = given;
  const kms = given.includes('kms') ? kmsOf(provider, path, errors) : undefined;
  if (name === undefined || given.length > 1) {
    const detail =
      name === undefined
        ? 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
        : 'more than one provider specified in a single element, should split into different list elements';
    errors.push({ ...invalid(path, null, detail), valueText: goText(given, kms) });
  }
  if (kms !== undefined) {
    errors.push(...kmsErrors(kms, path.child('kms'), kmsNames));
    kmsNames.add(kms.name);
    if (kms.apiVersion === 'v1') return { transformer: plain, isKmsV1: true };
    const service = makeKeyService(kms);
    return { transformer: service.provider, service };
  }
  const cipherName = given.find((one) => cipherKinds.has(one)) ?? '';
  const cipher = cipherKinds.get(cipherName);
  if (cipher === undefined) return name === 'identity' ? { transformer: plain } : undefined;
  const transformer = keyedProvider(provider, { name: cipherName, cipher, path, errors });
  return transformer && { transformer };
}

function kmsOf(provider: JsonObject, path: FieldPath, errors: FieldError[]): KmsConfiguration {
  const given = own(provider, 'kms');
  return readKms(isObject(given) ? given : {}, path.child('kms'), errors);
}

/** A provider as upstream prints it, except that keys are omitted. */
function goText(given: readonly string[], kms: KmsConfiguration | undefined): string {
  const fields = goNames.map((goName) => {
    const name = goName.toLowerCase();
    const content = cipherKinds.has(name) ? '{"Keys":[]}' : name === 'kms' && kms ? goKms(kms) : '{}';
    return `${JSON.stringify(goName)}:${given.includes(name) ? content : 'null'}`;
  });
  return `{${fields.join(',')}}`;
}

function goKms(kms: KmsConfiguration): string {
  const { apiVersion: APIVersion, name: Name, cacheSize: CacheSize = null, endpoint: Endpoint } = kms;
  return JSON.stringify({ APIVersion, Name, CacheSize, Endpoint, Timeout: timeoutText(kms) });
}

interface KeyedProvider {
  readonly name: string;
  readonly cipher: CipherKind;
  readonly path: FieldPath;
  readonly errors: FieldError[];
}

function keyedProvider(
  provider: JsonObject,
  { name, cipher, path, errors }: KeyedProvider,
): PrefixedTransformer | undefined {
  const configured = own(provider, name);
  const keysPath = path.child(name).child('keys');
  const keys = (isObject(configured) ? ownList(configured, 'keys') : undefined) ?? [];
  if (keys.length === 0) errors.push(required(keysPath, 'at least one keys is required'));
  const read = keys.flatMap((key, index) => {
    const found = readKey(isObject(key) ? key : {}, keysPath.index(index), { cipher, errors });
    return found === undefined ? [] : [found];
  });
  const [first, ...more] = read;
  if (first === undefined) return undefined;
  const otherwise = `no matching key was found for the provided ${cipher.family} transformer`;
  return {
    prefix: Buffer.from(`k8s:enc:${name}:v1:`),
    transformer: prefixed([first, ...more], otherwise),
  };
}

function readKey(
  key: JsonObject,
  path: FieldPath,
  { cipher, errors }: Pick<KeyedProvider, 'cipher' | 'errors'>,
): PrefixedTransformer | undefined {
  const [name, text] = [ownString(key, 'name') ?? '', ownString(key, 'secret') ?? ''];
  if (name === '') errors.push(required(path.child('name'), 'name is a mandatory field for a key'));
  if (text === '') {
    errors.push(required(path.child('secret'), 'secret is a mandatory field for a key'));
    return undefined;
  }
  const secret = decodeBase64(text);
  if (secret === undefined) {
    errors.push(invalid(path.child('secret'), 'REDACTED', 'secrets must be base64 encoded'));
    return undefined;
  }
  if (!cipher.secretBytes.includes(secret.length)) {
    const expected = `[${cipher.secretBytes.join(' ')}]`;
    const detail = `secret is not of the expected length, got ${secret.length}, expected one of ${expected}`;
    errors.push(invalid(path.child('secret'), 'REDACTED', detail));
    return undefined;
  }
  return { prefix: Buffer.from(`${name}:`), transformer: ofCipher(cipher.make(secret)) };
}

const ofCipher = (cipher: Cipher) => ({
  read: (stored: Uint8Array, key: string) => ({ value: cipher.decrypt(stored, key), stale: false }),
  write: (value: Uint8Array, key: string) => cipher.encrypt(value, key),
});

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Like Go's standard encoding: line breaks may be anywhere, padding is required. */
function decodeBase64(text: string): Buffer | undefined {
  const joined = text.replaceAll(/[\r\n]/g, '');
  return base64.test(joined) ? Buffer.from(joined, 'base64') : undefined;
}
