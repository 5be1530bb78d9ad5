import { parseCertificateRequest } from './certificate-request.ts';
import { backdateMs, type KeyPair, loadX509, serialNumber, signingKeyOf, yearMs } from './certificates.ts';
import { type RequestedCertificate, signers } from './signers.ts';

/** The spec of a CertificateSigningRequest. */
export interface SigningSpec {
  readonly signerName: string;
  /** In PEM. */
  readonly request: string;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
}

/** A certificate in PEM, or the reason for the refusal. */
type SigningOutcome = { readonly certificate: string } | { readonly failure: string };

const minuteMs = 60_000;
const lifetimeMsMin = 10 * minuteMs;
/** Shorter lifetimes are not shortened by backdating. */
const shortLifetimeMs = 480 * minuteMs;

/**
 * Signs a request with a CA by the rules of the named signer; undefined for signers that are not ours.
 * Source: kubernetes, pkg/controller/certificates/signer, pkg/controller/certificates/authority.
 *
 * @throws {CertificateRequestError} if the request cannot be read
 * @throws {Error} where the authority has expired
 */
export async function signRequest(
  authority: KeyPair,
  spec: SigningSpec,
  nowMs: number,
): Promise<SigningOutcome | undefined> {
  const signer = signers.get(spec.signerName);
  if (signer === undefined) return undefined;
  const { organizations, commonName } = parseCertificateRequest(spec.request);
  const x509 = await loadX509();
  const request = new x509.Pkcs10CertificateRequest(spec.request);
  const names = alternativeNamesOf(x509, request);
  const { usages } = spec;
  const problem = signer({ organizations, commonName, usages, ...byType(names) });
  if (problem !== undefined) return { failure: problem };
  const ca = new x509.X509Certificate(authority.certPem);
  const { privateKey, signingAlgorithm } = await signingKeyOf(authority.keyPem);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: request.subjectName,
    issuer: ca.subjectName,
    publicKey: request.publicKey,
    signingKey: privateKey,
    signingAlgorithm,
    serialNumber: serialNumber(spec.request, nowMs),
    ...validity(spec.expirationSeconds, { nowMs, endMs: ca.notAfter.getTime() }),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      ...usageExtensions(x509, usages),
      await x509.AuthorityKeyIdentifierExtension.create(ca.publicKey),
      ...(names.length === 0
        ? []
        : [new x509.SubjectAlternativeNameExtension([...names], request.subject === '')]),
    ],
  });
  return { certificate: `${certificate.toString('pem').trimEnd()}\n` };
}

type X509 = Awaited<ReturnType<typeof loadX509>>;
type Names = InstanceType<X509['SubjectAlternativeNameExtension']>['names']['items'];

function alternativeNamesOf(x509: X509, request: InstanceType<X509['Pkcs10CertificateRequest']>): Names {
  const found = request.extensions.find((one) => one instanceof x509.SubjectAlternativeNameExtension);
  const kept: readonly string[] = ['dns', 'ip', 'email', 'url'];
  return found === undefined ? [] : found.names.items.filter(({ type }) => kept.includes(type));
}

function byType(
  names: Names,
): Pick<RequestedCertificate, 'dnsNames' | 'ipAddresses' | 'emailAddresses' | 'uris'> {
  const of = (wanted: string) => names.filter(({ type }) => type === wanted).map(({ value }) => value);
  return { dnsNames: of('dns'), ipAddresses: of('ip'), emailAddresses: of('email'), uris: of('url') };
}

/** The usages that a signer permits. */
function usageExtensions(x509: X509, usages: readonly string[]) {
  const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
  const has = (usage: string) => usages.includes(usage);
  const flags =
    (has('digital signature') ? digitalSignature : 0) | (has('key encipherment') ? keyEncipherment : 0);
  const purposes = [...(has('server auth') ? [serverAuth] : []), ...(has('client auth') ? [clientAuth] : [])];
  return [
    ...(flags === 0 ? [] : [new x509.KeyUsagesExtension(flags, true)]),
    new x509.ExtendedKeyUsageExtension(purposes),
  ];
}

/** A year or the requested duration, whichever is shorter; never beyond the expiry of the CA. */
function validity(
  seconds: number | undefined,
  { nowMs, endMs }: { readonly nowMs: number; readonly endMs: number },
): { readonly notBefore: Date; readonly notAfter: Date } {
  if (nowMs >= endMs) {
    throw new Error(`refusing to sign a certificate: its authority expired ${new Date(endMs).toISOString()}`);
  }
  const askedMs = seconds === undefined ? yearMs : seconds * 1000;
  const lifetimeMs = Math.min(Math.max(askedMs, lifetimeMsMin), yearMs);
  const until = nowMs + lifetimeMs - (lifetimeMs < shortLifetimeMs ? 0 : backdateMs);
  return { notBefore: new Date(nowMs - backdateMs), notAfter: new Date(Math.min(until, endMs)) };
}
