import type { UserInfo } from '../meta/index.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import type { ResourcePath } from './request-info.ts';
import type { Verb } from './resource-handler.ts';

/** An authenticated and authorized request. */
export interface KnownRequest {
  readonly http: HttpRequest;
  readonly user: UserInfo;
  /** Undefined for a path outside of `/api` and `/apis`; without a resource for the discovery paths below them. */
  readonly path: ResourcePath | undefined;
  /** Undefined for a non-resource path, and for an unsupported method. */
  readonly verb: Verb | undefined;
}

/**
 * Wraps the handling of a request: it responds itself or calls `next`, and may act before and after. A thrown
 * `StatusError` becomes the response.
 *
 * @throws {ConnectionDropped} to close the connection without a response
 */
export type RequestFilter = (
  request: KnownRequest,
  next: () => Promise<HttpResponse>,
) => Promise<HttpResponse>;

/**
 * Thrown instead of a response, or during a stream: the client's connection breaks. In HTTP/2, only the stream of this
 * request is reset.
 */
export class ConnectionDropped extends Error {
  override readonly name = 'ConnectionDropped';

  constructor() {
    super('the connection was dropped');
  }
}

/** Combines filters; the first is the outermost. */
export function chain(
  filters: readonly RequestFilter[],
  request: KnownRequest,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return filters.reduceRight<() => Promise<HttpResponse>>(
    (next, filter) => () => filter(request, next),
    work,
  )();
}
