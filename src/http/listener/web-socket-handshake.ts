import type { IncomingMessage } from 'node:http';
import { headerText } from './node-request.ts';

/**
 * Browsers cannot set headers of WebSockets, so a token may be sent as a subprotocol. Source: apiserver,
 * authentication/request/websocket.
 */
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.';

const keyForm = /^[+/0-9A-Za-z]{22}==$/;
const tokenForm = /^[-_0-9A-Za-z]+$/;

/** A GET request for an upgrade to a WebSocket. */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  const connection = headers.connection ?? '';
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    connection.split(',').some((word) => word.trim().toLowerCase() === 'upgrade')
  );
}

/** The error in a handshake, with the status code; undefined for a valid one. Source: RFC 6455, 4.2.1. */
export function handshakeProblem(
  request: IncomingMessage,
): { readonly code: 400 | 403; readonly text: string } | undefined {
  const { headers } = request;
  if (headers['sec-websocket-version'] !== '13')
    return { code: 400, text: 'missing or bad WebSocket Version' };
  if (!keyForm.test(headers['sec-websocket-key'] ?? ''))
    return { code: 400, text: 'missing or bad WebSocket Key' };
  const isForeign = headers.origin !== undefined && !isOfHost(headers.origin, headers.host ?? '');
  // Browsers let any page open WebSockets with the user's client certificates; a page does not know a token.
  if (!isForeign || bearerOf(request) !== undefined) return undefined;
  return { code: 403, text: `WebSockets of pages of ${headers.origin} need a token` };
}

function isOfHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** The `Authorization` value: the header itself, or the token among the subprotocols. */
export function bearerOf({ headers }: IncomingMessage): string | undefined {
  if (headers.authorization !== undefined) return headers.authorization;
  const protocols = protocolsOf(headerText(headers['sec-websocket-protocol']) ?? '');
  const tokens = protocols.filter((protocol) => protocol.startsWith(tokenProtocol));
  const [token = ''] = tokens;
  const encoded = token.slice(tokenProtocol.length);
  if (tokens.length !== 1 || protocols.length < 2 || !tokenForm.test(encoded)) return undefined;
  return `Bearer ${Buffer.from(encoded, 'base64url').toString()}`;
}

/** The negotiated subprotocol: the first that is not a token. The frames are the same for all. */
export function chosenProtocol(offered: Iterable<string>): string | undefined {
  return [...offered].find((protocol) => !protocol.startsWith(tokenProtocol));
}

function protocolsOf(header: string): string[] {
  return header.split(',').map((word) => word.trim());
}
