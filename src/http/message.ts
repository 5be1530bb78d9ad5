import type { ClientCertificate, HeaderLines } from '../auth/index.ts';
import type { KubeObject, TrackLayer, UserInfo } from '../meta/index.ts';
import type { FiniteBody } from './body.ts';
import type { AnswerHold } from './overload/index.ts';

/** A request, independent of its transport: a socket or `server.fetch`. */
export interface HttpRequest {
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The query as sent, without its question mark. */
  readonly search?: string | undefined;
  /** The client's address, if the request came over a socket. */
  readonly remoteAddress?: string | undefined;
  /** Adds an annotation to the audit event of the request, if it is audited. */
  readonly annotate?: (key: string, value: string) => void;
  /** Records the duration of a part of the server, if the request is audited. */
  readonly track?: TrackLayer;
  /** Called with the decoded object of a create, if the request is audited. */
  readonly onObject?: ((object: KubeObject) => void) | undefined;
  /** A header by its lower-case name; repeated headers are joined by a comma. */
  header(name: string): string | undefined;
  /** The headers whose lower-case name has the prefix, in order; repeated headers stay separate. */
  headersFrom(prefix: string): HeaderLines;
  /** The whole body, which can be read once. @throws {StatusError} 413 above the limit */
  body(): Promise<Uint8Array>;
  /** The client certificate, if the transport has one; the same object for all requests of a connection. */
  readonly certificate: ClientCertificate | undefined;
  /** Reports the authenticated user to the transport: their connections are kept longer than anonymous ones. */
  readonly onUser?: (user: UserInfo) => void;
  /** Reports to the transport that the response is a page, which needs no authentication. */
  readonly onPage?: () => void;
  /** Set by in-process callers, which need no credentials. */
  readonly trustedUser?: UserInfo | undefined;
  /** Accounts for the buffered response; omitted if the caller does not buffer. */
  readonly hold?: AnswerHold | undefined;
  /** True if a watch responds with status 101, and each chunk is a message: a WebSocket. */
  readonly takesMessages?: boolean | undefined;
  /**
   * Aborted when the client disconnects or the request times out. Created on first use: most requests finish before.
   */
  readonly signal: AbortSignal;
  /** Aborts the signal after a timeout. */
  readonly expire?: () => void;
}

/** A response, independent of its transport. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Whole, in consecutive chunks, or a stream that ends with the iteration. */
  readonly body: FiniteBody | AsyncIterable<Uint8Array>;
}

/**
 * Waits until the work on a request may start, together with others that arrived with it; false if its client has
 * disconnected. Users take turns.
 */
export type BeginWork = (user: string) => Promise<boolean>;

/** Handles requests. */
export interface RequestHandler {
  /**
   * @param begin called when the request has nothing left to wait for
   * @throws {ConnectionDropped} to close the connection without a response; nothing else
   */
  handle(request: HttpRequest, begin?: BeginWork): Promise<HttpResponse>;
}

/** A plain text response, as upstream gives outside of the API. */
export function plainText(status: number, text: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: Buffer.from(text),
  };
}

/** The response for unknown paths. */
export function pageNotFound(): HttpResponse {
  return plainText(404, '404 page not found\n');
}

/** True for a streaming body. */
export function isStream(body: HttpResponse['body']): body is AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in body;
}
