import type { ClientCertificate, HeaderLines } from '../auth/index.ts';
import type { TrackLayer, UserInfo } from '../meta/index.ts';
import type { FiniteBody } from './body.ts';
import type { AnswerHold } from './overload/index.ts';

/** A request without its transport: requests from sockets and from `server.fetch` look the same. */
export interface HttpRequest {
  readonly method: string;
  /** As it was sent: still percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The query as it was sent, without its question mark. */
  readonly search?: string | undefined;
  /** The address that the request came from, where it came over a socket. */
  readonly remoteAddress?: string | undefined;
  /** Adds an annotation to the audit event of the request, where it has one. */
  readonly annotate?: (key: string, value: string) => void;
  /** Counts how long parts of the server take, where the request is audited. */
  readonly track?: TrackLayer;
  /** A header by its lower-case name; several of the same name are joined by a comma. */
  header(name: string): string | undefined;
  /** The headers whose lower-case name begins so, in their order; several of the same name stay apart. */
  headersFrom(prefix: string): HeaderLines;
  /** The whole body, which is read once. @throws {StatusError} 413 above the limit */
  body(): Promise<Uint8Array>;
  /** The client certificate, where the transport has verified one; the same object for all requests of a connection. */
  readonly certificate: ClientCertificate | undefined;
  /** Tells the transport the authenticated user: connections of users are kept longer than anonymous ones. */
  readonly onUser?: (user: UserInfo) => void;
  /** Tells the transport that the answer is a page, for which nobody needs to be known. */
  readonly onPage?: () => void;
  /** Set by callers inside the process, which need no credentials. */
  readonly trustedUser?: UserInfo | undefined;
  /** Counts what the answer holds until it is read; left out where nobody is waited for. */
  readonly hold?: AnswerHold | undefined;
  /** True where a watch answers with status 101, and each piece of its body is sent as a message of its own: a WebSocket. */
  readonly takesMessages?: boolean | undefined;
  /** Aborted when the client is gone, or the time of the request is over. Made when it is first read: most are answered before. */
  readonly signal: AbortSignal;
  /** Aborts the signal: its time is over. */
  readonly expire?: () => void;
}

/** An answer without its transport. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Whole, in pieces that follow each other, or as a stream that ends when the iteration ends. */
  readonly body: FiniteBody | AsyncIterable<Uint8Array>;
}

/**
 * Waits until the work on a request may begin, together with others that arrived with it; false where its client has gone.
 * Users take turns.
 */
export type BeginWork = (user: string) => Promise<boolean>;

/** Answers requests. */
export interface RequestHandler {
  /**
   * @param begin called once the request need not wait for anything else
   * @throws {ConnectionDropped} to end the connection without an answer, and nothing else
   */
  handle(request: HttpRequest, begin?: BeginWork): Promise<HttpResponse>;
}

/** An answer of plain text, as upstream gives it outside the API proper. */
export function plainText(status: number, text: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: Buffer.from(text),
  };
}

/** What nothing is served under. */
export function pageNotFound(): HttpResponse {
  return plainText(404, '404 page not found\n');
}

/** True for a body that streams. */
export function isStream(body: HttpResponse['body']): body is AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in body;
}
