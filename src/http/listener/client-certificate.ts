import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../auth/index.ts';

/** The client certificate of a connection, if it has one that was verified. Reading it takes long: once is enough. */
export function readClientCertificate(socket: TLSSocket): ClientCertificate | undefined {
  if (!socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  const organizations: string | string[] | undefined = subject?.O;
  return Object.freeze({
    commonName: firstText(subject?.CN),
    organizations: organizations === undefined ? [] : [organizations].flat(),
  });
}

function firstText(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
