import {
  type FieldError,
  type FieldPath,
  forbidden,
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
import { prefixed, type PrefixedTransformer } from './prefixed.ts';
import type { Cipher } from './transformer.ts';

interface CipherKind {
  readonly make: (secret: Uint8Array) => Cipher;
  readonly secretBytes: readonly number[];
  /** As upstream's error names the provider. */
  readonly family: string;
}

/** The providers that have keys, by their names in the file; the names are in the stored prefixes, too. */
const cipherKinds: ReadonlyMap<string, CipherKind> = new Map([
  ['aesgcm', { make: aesGcm, secretBytes: [16, 24, 32], family: 'AES' }],
  ['aescbc', { make: aesCbc, secretBytes: [16, 24, 32], family: 'AES' }],
  ['secretbox', { make: secretbox, secretBytes: [32], family: 'Secretbox' }],
]);

/** In the order in which upstream writes the fields of a provider. */
const providerNames = ['aesgcm', 'aescbc', 'secretbox', 'identity', 'kms'];
/** The names of the same fields in Go, by which upstream prints a provider. */
const goNames = ['AESGCM', 'AESCBC', 'Secretbox', 'Identity', 'KMS'];

/**
 * One element of `providers`; undefined where errors were added.
 *
 * Source: apiserver, apis/apiserver/validation/validation_encryption.go.
 */
export function readProvider(
  provider: JsonObject,
  path: FieldPath,
  errors: FieldError[],
): PrefixedTransformer | undefined {
  const given = providerNames.filter((name) => (own(provider, name) ?? null) !== null);
  const [name] = given;
  if (name === undefined || given.length > 1) {
    const detail =
      name === undefined
        ? 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
        : 'more than one provider specified in a single element, should split into different list elements';
    errors.push({ ...invalid(path, null, detail), valueText: goText(given) });
  }
  const cipher = given.map((one) => cipherKinds.get(one)).find((one) => one !== undefined);
  if (given.includes('kms')) {
    errors.push(forbidden(path.child('kms'), 'key management services are not supported'));
    return undefined;
  }
  if (cipher !== undefined) {
    const cipherName = given.find((one) => cipherKinds.has(one)) ?? '';
    return keyedProvider(provider, { name: cipherName, cipher, path, errors });
  }
  return name === 'identity' ? { prefix: Buffer.alloc(0), transformer: identity } : undefined;
}

/** A provider as upstream prints it, without the keys: upstream shows them. */
function goText(given: readonly string[]): string {
  const fields = goNames.map((goName) => {
    const isGiven = given.includes(goName.toLowerCase());
    const isKeyed = cipherKinds.has(goName.toLowerCase());
    return `${JSON.stringify(goName)}:${isGiven ? (isKeyed ? '{"Keys":[]}' : '{}') : 'null'}`;
  });
  return `{${fields.join(',')}}`;
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

/** As Go's standard encoding: line breaks may stand anywhere, padding must be there. */
function decodeBase64(text: string): Buffer | undefined {
  const joined = text.replaceAll(/[\r\n]/g, '');
  return base64.test(joined) ? Buffer.from(joined, 'base64') : undefined;
}
