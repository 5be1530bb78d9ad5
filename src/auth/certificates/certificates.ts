import { createHash, createPrivateKey, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate with its private key, both in PEM. */
export interface KeyPair {
  readonly certPem: string;
  readonly keyPem: string;
}

/** The certificates of a server and of its first client. */
export interface Certificates {
  /** Signs the other two, and client certificates. */
  readonly ca: KeyPair;
  readonly server: KeyPair;
  /** A client of the group system:masters. */
  readonly admin: KeyPair;
  /** The CAs of client certificates, if there are more than {@link ca}. */
  readonly clientCaPem?: string;
  /** The CA of the server's certificate, if it is not {@link ca}. */
  readonly serverCaPem?: string;
}

const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
/** The lifetime of user and server certificates. */
export const yearMs = 365 * 24 * 60 * 60 * 1000;
/** Tolerates clock skew: certificates are backdated by this much. */
export const backdateMs = 5 * 60 * 1000;

/** The subject and lifetime of a client certificate. */
interface ClientSubject {
  readonly name: string;
  readonly groups: readonly string[];
  readonly nowMs: number;
  readonly lifetimeMs: number;
}

/** Loading the library takes 100 ms, so it is loaded only when certificates are created. */
export async function loadX509() {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  return x509;
}

type X509 = Awaited<ReturnType<typeof loadX509>>;

interface Issuer {
  readonly subject: string;
  readonly keys: Pick<webcrypto.CryptoKeyPair, 'privateKey' | 'publicKey'>;
  readonly signingAlgorithm: SigningKey['signingAlgorithm'];
}

/**
 * Creates a CA, a server certificate for the given hosts and an admin client certificate: ECDSA on P-256, valid for ten
 * years (the CA) and one year (the others).
 *
 * @param hosts DNS names and IP addresses of the server
 */
export async function makeCertificates(hosts: readonly string[], nowMs: number): Promise<Certificates> {
  const x509 = await loadX509();
  const authority: Issuer = {
    subject: 'CN=ilk-ca',
    keys: await newKeys(),
    signingAlgorithm: algorithm,
  };
  const [ca, server, admin] = await Promise.all([
    authorityPair(x509, authority, nowMs),
    leafPair(x509, authority, { subject: 'CN=ilk', hosts, nowMs }),
    leafPair(x509, authority, { subject: 'CN=ilk-admin,O=system:masters', hosts: undefined, nowMs }),
  ]);
  return { ca, server, admin };
}

/** Creates a client certificate signed by a CA. @throws a system error if the key cannot be read */
export async function makeClientPair(authority: KeyPair, client: ClientSubject): Promise<KeyPair> {
  const x509 = await loadX509();
  const ca = new x509.X509Certificate(authority.certPem);
  const { privateKey, signingAlgorithm } = await signingKeyOf(authority.keyPem);
  const keys = { privateKey, publicKey: await ca.publicKey.export() };
  const subject = [{ CN: [client.name] }, ...client.groups.map((group) => ({ O: [group] }))];
  const { nowMs, lifetimeMs } = client;
  const leaf = { subject, hosts: undefined, nowMs, lifetimeMs };
  return leafPair(x509, { subject: ca.subject, keys, signingAlgorithm }, leaf);
}

/** A CA's private key in PEM. @throws a system error if it cannot be read */
export async function signingKeyOf(pem: string): Promise<SigningKey> {
  const key = createPrivateKey(pem);
  const der = key.export({ format: 'der', type: 'pkcs8' });
  const signingAlgorithm = key.asymmetricKeyType === 'rsa' ? rsa : algorithm;
  const privateKey = await webcrypto.subtle.importKey('pkcs8', der, signingAlgorithm, false, ['sign']);
  return { privateKey, signingAlgorithm };
}

interface SigningKey {
  readonly privateKey: webcrypto.CryptoKey;
  readonly signingAlgorithm: typeof algorithm | typeof rsa;
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function authorityPair(x509: X509, { subject, keys }: Issuer, nowMs: number): Promise<KeyPair> {
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: subject,
    keys,
    signingAlgorithm: algorithm,
    serialNumber: serialNumber(subject, nowMs),
    notBefore: new Date(nowMs - backdateMs),
    notAfter: new Date(nowMs + 10 * yearMs),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certPem: certificate.toString('pem'), keyPem: await privatePem(keys) };
}

interface Leaf {
  readonly subject: string | { [name: string]: string[] }[];
  /** Undefined for a client. */
  readonly hosts: readonly string[] | undefined;
  readonly nowMs: number;
  readonly lifetimeMs?: number;
}

async function leafPair(x509: X509, issuer: Issuer, leaf: Leaf): Promise<KeyPair> {
  const keys = await newKeys();
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
  const certificate = await x509.X509CertificateGenerator.create({
    subject: leaf.subject,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: issuer.signingAlgorithm,
    serialNumber: serialNumber(JSON.stringify(leaf.subject), leaf.nowMs),
    notBefore: new Date(leaf.nowMs - backdateMs),
    notAfter: new Date(leaf.nowMs + (leaf.lifetimeMs ?? yearMs)),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([leaf.hosts === undefined ? clientAuth : serverAuth]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.keys.publicKey),
      ...(leaf.hosts === undefined ? [] : [alternativeNames(x509, leaf.hosts)]),
    ],
  });
  return { certPem: certificate.toString('pem'), keyPem: await privatePem(keys) };
}

function alternativeNames(x509: X509, hosts: readonly string[]) {
  return new x509.SubjectAlternativeNameExtension(
    hosts.map((host) => ({ type: isIP(host) === 0 ? 'dns' : 'ip', value: host })),
  );
}

/** Unique for each certificate of a CA, and positive: the first hex digit is below eight. */
export function serialNumber(subject: string, nowMs: number): string {
  const random = Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex');
  const digest = createHash('sha256').update(`${subject}/${nowMs}/${random}`).digest('hex');
  return `1${digest.slice(0, 31)}`;
}

/**
 * `EC PRIVATE KEY` (RFC 5915), as Kubernetes' own tools write keys: Java's clients read a `PRIVATE KEY` block as RSA.
 */
async function privatePem(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return key.export({ format: 'pem', type: 'sec1' }).toString();
}
