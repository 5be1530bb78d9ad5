import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { CertificateNameError } from './transport-text.ts';

/**
 * Checks that a certificate is valid for a host, by its subject alternative names only: the common name is ignored, as
 * in Go. Returns the error that aborts the handshake.
 */
export function checkServerName(host: string, cert: PeerCertificate): Error | undefined {
  const names = alternativeNames(cert.subjectaltname ?? '');
  if (cert.subjectaltname === undefined) {
    const instead = 'certificate relies on legacy Common Name field, use SANs instead';
    return new CertificateNameError(isIP(host) === 0 ? instead : withoutAddresses(host));
  }
  if (checkServerIdentity(host, withoutCommonName(cert)) === undefined) return undefined;
  if (isIP(host) !== 0) {
    const shown = names.get('IP Address') ?? [];
    return new CertificateNameError(
      shown.length === 0
        ? withoutAddresses(host)
        : `certificate is valid for ${shown.join(', ')}, not ${host}`,
    );
  }
  const shown = names.get('DNS') ?? [];
  return new CertificateNameError(
    shown.length === 0
      ? `certificate is not valid for any names, but wanted to match ${host}`
      : `certificate is valid for ${shown.join(', ')}, not ${host}`,
  );
}

/** Node falls back to the common name if a certificate has only IP addresses. */
function withoutCommonName(cert: PeerCertificate): PeerCertificate {
  return { ...cert, subject: { ...cert.subject, CN: '' } };
}

function withoutAddresses(host: string): string {
  return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
}

/** Parses `DNS:a.b, IP Address:127.0.0.1` into names and addresses. */
function alternativeNames(text: string): ReadonlyMap<string, string[]> {
  const names = new Map<string, string[]>();
  for (const item of text.split(', ')) {
    const colon = item.indexOf(':');
    const kind = item.slice(0, colon);
    names.set(kind, [...(names.get(kind) ?? []), item.slice(colon + 1)]);
  }
  return names;
}
