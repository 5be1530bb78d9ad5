import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../auth/index.ts';

/** The client certificate of a connection, if any. Reading it is slow, so call it once. */
export function readClientCertificate(socket: TLSSocket): ClientCertificate | undefined {
  const certificate: Partial<DetailedPeerCertificate> = socket.getPeerCertificate(true);
  const { subject, fingerprint256, valid_to: end } = certificate;
  if (fingerprint256 === undefined) return undefined;
  const organizations: string | string[] | undefined = subject?.O;
  const fault = socket.authorized ? {} : { fault: faultOf(socket, certificate) };
  return Object.freeze({
    commonName: firstText(subject?.CN),
    organizations: organizations === undefined ? [] : [organizations].flat(),
    fingerprint: plain(fingerprint256),
    chain: chainOf(certificate),
    expiresAtMs: Date.parse(end ?? ''),
    ...fault,
  });
}

const plain = (fingerprint: string) => fingerprint.replaceAll(':', '').toLowerCase();

/** Node links the issuer of each certificate; a root is its own issuer. */
function chainOf(leaf: Partial<DetailedPeerCertificate>): string[] {
  const chain: string[] = [];
  let at: Partial<DetailedPeerCertificate> | undefined = leaf;
  while (at?.fingerprint256 !== undefined) {
    const fingerprint = plain(at.fingerprint256);
    if (chain.includes(fingerprint)) break;
    chain.push(fingerprint);
    at = at.issuerCertificate;
  }
  return chain;
}

/** Node provides the error code, although its types declare an Error. */
function faultOf(socket: TLSSocket, { serialNumber = '' }: Partial<DetailedPeerCertificate>): string {
  return `verifying certificate SN=${serialNumber} failed: ${String(socket.authorizationError)}`;
}

function firstText(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
