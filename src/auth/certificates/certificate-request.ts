import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readPem } from '../../meta/index.ts';

/** The parts of a PKCS #10 certificate signing request that Kubernetes reads. */
interface CertificateRequest {
  /** The signed part, as DER. */
  readonly signed: Buffer;
  /** The organizations of the subject: the user's groups. */
  readonly organizations: readonly string[];
  /** The common name of the subject: the user's name. */
  readonly commonName: string;
  readonly publicKey: KeyObject;
  /** The object identifier of the algorithm, in hex digits. */
  readonly algorithm: string;
  readonly signature: Buffer;
}

/** The text is not a certificate signing request; the message is upstream's. */
export class CertificateRequestError extends Error {
  override readonly name = 'CertificateRequestError';
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** Includes tag and length. */
  readonly whole: Buffer;
}

const tags = { sequence: 0x30, set: 0x31, bits: 0x03, oid: 0x06, integer: 0x02 } as const;
const malformed = 'x509: malformed certificate request';
const organizationOid = '55040a';
const commonNameOid = '550403';

/**
 * Reads the first PEM block of the text as a request. Source: kubernetes, pkg/apis/certificates/helpers.go; RFC 2986.
 *
 * @throws {CertificateRequestError} if the text is not a request
 */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const [block] = readPem(pem).blocks;
  if (block?.type !== 'CERTIFICATE REQUEST') {
    throw new CertificateRequestError('PEM block type must be CERTIFICATE REQUEST');
  }
  const [outer] = elementsOf(block.der);
  const [info, algorithm, bits] = partsOf(outer, tags.sequence);
  const [version, subject, key] = partsOf(info, tags.sequence);
  if (info === undefined || version?.tag !== tags.integer || key?.tag !== tags.sequence) throw broken();
  const [oid] = partsOf(algorithm, tags.sequence);
  if (oid?.tag !== tags.oid || bits?.tag !== tags.bits) throw broken();
  const names = namesOf(subject);
  return {
    signed: info.whole,
    organizations: names.filter(([type]) => type === organizationOid).map(([, value]) => value),
    commonName: names.findLast(([type]) => type === commonNameOid)?.[1] ?? '',
    publicKey: readKey(key.whole),
    algorithm: oid.content.toString('hex'),
    // The first byte is the number of unused bits, which is zero.
    signature: bits.content.subarray(1),
  };
}

interface SignatureAlgorithm {
  readonly hash: string | undefined;
  readonly keyType: string;
  readonly failure: string;
}

const rsa = (hash: string): SignatureAlgorithm => ({
  hash,
  keyType: 'rsa',
  failure: 'crypto/rsa: verification error',
});
const ecdsa = (hash: string): SignatureAlgorithm => ({
  hash,
  keyType: 'ec',
  failure: 'x509: ECDSA verification failure',
});

/** By object identifier: the algorithms that Go's crypto/x509 verifies. */
const algorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ['2a864886f70d010105', rsa('sha1')],
  ['2a864886f70d01010b', rsa('sha256')],
  ['2a864886f70d01010c', rsa('sha384')],
  ['2a864886f70d01010d', rsa('sha512')],
  ['2a8648ce3d0401', ecdsa('sha1')],
  ['2a8648ce3d040302', ecdsa('sha256')],
  ['2a8648ce3d040303', ecdsa('sha384')],
  ['2a8648ce3d040304', ecdsa('sha512')],
  ['2b6570', { hash: undefined, keyType: 'ed25519', failure: 'x509: Ed25519 verification failure' }],
]);

/** Why the signature does not match the request's key; undefined if it does. */
export function signatureProblem(request: CertificateRequest): string | undefined {
  const { publicKey, signed, signature } = request;
  const found = algorithms.get(request.algorithm);
  if (found === undefined || publicKey.asymmetricKeyType !== found.keyType) {
    return 'x509: cannot verify signature: algorithm unimplemented';
  }
  return verify(found.hash, signed, publicKey, signature) ? undefined : found.failure;
}

function broken(): CertificateRequestError {
  return new CertificateRequestError(malformed);
}

function partsOf(element: Element | undefined, tag: number): Element[] {
  if (element?.tag !== tag) throw broken();
  return elementsOf(element.content);
}

/** The elements of a DER sequence; their contents are not read. */
function elementsOf(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { header, length } = readLength(bytes, at + 1);
    const start = at + 1 + header;
    const end = start + length;
    if (end > bytes.length) throw broken();
    const whole = bytes.subarray(at, end);
    elements.push({ tag: bytes[at] ?? 0, content: bytes.subarray(start, end), whole });
    at = end;
  }
  return elements;
}

const longLengthBytesMax = 4;

function readLength(bytes: Buffer, at: number): { readonly header: number; readonly length: number } {
  const first = bytes[at] ?? 0xff;
  if (first < 0x80) return { header: 1, length: first };
  const count = first & 0x7f;
  if (count === 0 || count > longLengthBytesMax || at + count >= bytes.length) throw broken();
  return { header: 1 + count, length: bytes.readUIntBE(at + 1, count) };
}

function namesOf(subject: Element | undefined): (readonly [type: string, value: string])[] {
  return partsOf(subject, tags.sequence)
    .flatMap((set) => partsOf(set, tags.set))
    .map((attribute) => {
      const [type, value] = partsOf(attribute, tags.sequence);
      if (type === undefined || value === undefined) throw broken();
      return [type.content.toString('hex'), value.content.toString('utf8')] as const;
    });
}

function readKey(der: Buffer): KeyObject {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    // OpenSSL's error messages differ from Go's.
    throw broken();
  }
}
