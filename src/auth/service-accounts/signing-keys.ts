import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** The signatures that tokens of service accounts may have. */
type SigningAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** A key that signatures are checked with. */
interface VerifyingKey {
  /** As upstream names keys: a digest of the public key, so that the same key has the same name everywhere. */
  readonly id: string;
  readonly algorithm: SigningAlgorithm;
  readonly publicKey: KeyObject;
}

/** A key that signs, too. */
export interface SigningKey extends VerifyingKey {
  readonly privateKey: KeyObject;
}

/** The keys of the tokens of service accounts. Keys may come and go while a server runs. */
export interface SigningKeys {
  /** The key that new tokens are signed with. */
  signer(): Promise<SigningKey>;
  /** Every key whose tokens count. */
  all(): Promise<readonly VerifyingKey[]>;
}

/** Reads a private key. @throws {Error} for what is none, and for keys of other kinds than RSA and the NIST curves */
export function readSigningKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  return Object.freeze({ ...verifyingKey(createPublicKey(privateKey)), privateKey });
}

/** Reads the public keys of a PEM file, which may hold private ones, too. @throws as {@link readSigningKey} */
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

/** A new key: RSA, as some who check tokens of service accounts know nothing else. */
export async function makeSigningKeyPem(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** One key, made when it is first needed, that goes with its process. */
export function passingKeys(): SigningKeys {
  let made: Promise<SigningKey> | undefined;
  const signer = () => (made ??= makeSigningKeyPem().then(readSigningKey));
  return { signer, all: async () => [await signer()] };
}

/** Keys that stay as they are: one signs, and others are good, too. */
export function givenKeys(signing: SigningKey, others: readonly VerifyingKey[]): SigningKeys {
  const all = [signing, ...others.filter(({ id }) => id !== signing.id)];
  return { signer: async () => signing, all: async () => all };
}
