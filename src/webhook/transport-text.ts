import type { PeerCertificate } from 'node:tls';
import { formatTime, goQuote } from '../meta/index.ts';

/** A timeout, before or after the response head. */
export class TimeIsUpError extends Error {}

/** A response larger than the limit. */
export class TooLargeError extends Error {}

/** A valid certificate for another host; the message is Go's. */
export class CertificateNameError extends Error {}

const unknownAuthority: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const systemTexts: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset by peer'],
  ['EHOSTUNREACH', 'no route to host'],
  ['ENETUNREACH', 'network is unreachable'],
  ['ETIMEDOUT', 'connection timed out'],
  ['EPIPE', 'broken pipe'],
]);

/** Node's error for a failed call. */
interface SystemError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  /** Of several addresses, the first one is named, as in Go. */
  readonly errors?: readonly SystemError[];
  readonly cert?: PeerCertificate;
  readonly rawPacket?: Buffer;
}

/** The message of Go's HTTP client for a connection or call that failed before the response head. */
export function transportText(error: Error): string {
  if (error instanceof TimeIsUpError) {
    if (error.message !== '') return error.message;
    return 'net/http: request canceled (Client.Timeout exceeded while awaiting headers)';
  }
  if (error instanceof CertificateNameError) return unverified(error.message);
  const failure: SystemError = error;
  const first = failure.errors?.[0];
  if (first !== undefined) return transportText(first);
  return tlsText(failure) ?? networkText(failure) ?? error.message;
}

/** The message for a truncated response. */
export function bodyText(error: Error): string {
  if (error instanceof TooLargeError) return error.message;
  const why =
    error instanceof TimeIsUpError
      ? error.message ||
        'net/http: request canceled (Client.Timeout or context cancellation while reading body)'
      : 'unexpected EOF';
  return `unexpected error when reading response body. Please retry. Original error: ${why}`;
}

function unverified(why: string): string {
  return `tls: failed to verify certificate: x509: ${why}`;
}

function tlsText({ code = '', cert, message }: SystemError): string | undefined {
  if (unknownAuthority.has(code)) return unverified('certificate signed by unknown authority');
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return unverified(expiryText(code, cert));
  // `...:SSL routines:ssl3_get_record:wrong version number:...`
  const [, reason] = /SSL routines:[^:]*:([^:]*)/.exec(message) ?? [];
  if (reason === undefined) return undefined;
  const isHttp = reason === 'wrong version number' || reason === 'packet length too long';
  return isHttp ? 'http: server gave HTTP response to HTTPS client' : `remote error: tls: ${reason}`;
}

function expiryText(code: string, cert: PeerCertificate | undefined): string {
  const now = formatTime(Date.now());
  const [relation, edge] =
    code === 'CERT_HAS_EXPIRED'
      ? (['after', cert?.valid_to] as const)
      : (['before', cert?.valid_from] as const);
  const compared =
    edge === undefined ? '' : `: current time ${now} is ${relation} ${formatTime(Date.parse(edge))}`;
  return `certificate has expired or is not yet valid${compared}`;
}

function networkText(failure: SystemError): string | undefined {
  const { code = '', syscall = '', address = '', port = 0, hostname = '', rawPacket } = failure;
  if (syscall === 'getaddrinfo') {
    return `dial tcp: lookup ${hostname}: ${code === 'ENOTFOUND' ? 'no such host' : 'server misbehaving'}`;
  }
  if (code.startsWith('HPE_')) return malformedText(rawPacket);
  const text = systemTexts.get(code);
  if (syscall === 'connect') {
    return `dial tcp ${address.includes(':') ? `[${address}]` : address}:${port}: connect: ${text ?? code}`;
  }
  // A connection that closes cleanly without a response has no system call error.
  if (code === 'ECONNRESET' && syscall === '') return 'EOF';
  return text === undefined ? undefined : `${syscall} tcp: ${syscall}: ${text}`;
}

function malformedText(rawPacket: Buffer | undefined): string {
  const [line = ''] = (rawPacket ?? Buffer.alloc(0)).toString('latin1').split(/\r?\n/, 1);
  return `net/http: HTTP/1.x transport connection broken: malformed HTTP response ${goQuote(line)}`;
}
