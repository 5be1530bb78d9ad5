import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../auth/index.ts';

/** The client certificate of a connection, if it has one. Reading it takes long: once is enough. */
export function readClientCertificate(socket: TLSSocket): ClientCertificate | undefined {
  const certificate: Partial<PeerCertificate> = socket.getPeerCertificate();
  const { subject, fingerprint256, valid_to: end } = certificate;
  if (fingerprint256 === undefined) return undefined;
  const organizations: string | string[] | undefined = subject?.O;
  const fault = socket.authorized ? {} : { fault: faultOf(socket, certificate) };
  return Object.freeze({
    commonName: firstText(subject?.CN),
    organizations: organizations === undefined ? [] : [organizations].flat(),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    expiresAtMs: Date.parse(end ?? ''),
    ...fault,
  });
}

/** Node has the code of the failure in place of the error that its types name. */
function faultOf(socket: TLSSocket, { serialNumber = '' }: Partial<PeerCertificate>): string {
  return `verifying certificate SN=${serialNumber} failed: ${String(socket.authorizationError)}`;
}

function firstText(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
