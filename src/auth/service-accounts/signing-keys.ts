import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** The signature algorithms of service account tokens. */
type SigningAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** A key that verifies signatures. */
interface VerifyingKey {
  /** Computed like upstream's: a digest of the public key, so that the ID is the same everywhere. */
  readonly id: string;
  readonly algorithm: SigningAlgorithm;
  readonly publicKey: KeyObject;
}

/** A key that can also sign. */
export interface SigningKey extends VerifyingKey {
  readonly privateKey: KeyObject;
}

/** The keys of service account tokens. Keys may be added and removed at run time. */
export interface SigningKeys {
  /** The key that new tokens are signed with. */
  signer(): Promise<SigningKey>;
  /** Every key whose tokens are valid. */
  all(): Promise<readonly VerifyingKey[]>;
}

/** Reads a private key. @throws {Error} unless it is an RSA key or on a NIST curve */
export function readSigningKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  return Object.freeze({ ...verifyingKey(createPublicKey(privateKey)), privateKey });
}

/** Reads the public keys of a PEM file, which may also contain private ones. @throws as {@link readSigningKey} */
export function readVerifyingKeys(pem: string): VerifyingKey[] {
  const blocks = pem.match(/-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----/g) ?? [];
  const keys = blocks.filter((block) => !block.includes('PARAMETERS'));
  if (keys.length === 0) throw new Error('there is no key in it');
  return keys.map((block) => verifyingKey(createPublicKey(block)));
}

/** Source: kubernetes, pkg/serviceaccount/jwt.go, keyIDFromPublicKey. */
function verifyingKey(publicKey: KeyObject): VerifyingKey {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const id = createHash('sha256').update(der).digest('base64url');
  return Object.freeze({ id, algorithm: algorithmOf(publicKey), publicKey });
}

const curves: ReadonlyMap<string | undefined, SigningAlgorithm> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SigningAlgorithm {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = curves.get(asymmetricKeyDetails?.namedCurve);
  if (algorithm === undefined) throw new Error('want a key of RSA, or of the curves P-256, P-384, P-521');
  return algorithm;
}

/** Creates an RSA key: some verifiers of service account tokens support nothing else. */
export async function makeSigningKeyPem(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** One key, created on first use and kept in memory only. */
export function passingKeys(): SigningKeys {
  let made: Promise<SigningKey> | undefined;
  const signer = () => (made ??= makeSigningKeyPem().then(readSigningKey));
  return { signer, all: async () => [await signer()] };
}

/** A fixed set of keys: one signs, all verify. */
export function givenKeys(signing: SigningKey, others: readonly VerifyingKey[]): SigningKeys {
  const all = [signing, ...others.filter(({ id }) => id !== signing.id)];
  return { signer: async () => signing, all: async () => all };
}
