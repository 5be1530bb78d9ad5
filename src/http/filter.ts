import type { UserInfo } from '../meta/index.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import type { ResourcePath } from './request-info.ts';
import type { Verb } from './resource-handler.ts';

/** A request that got past authentication and authorization. */
export interface KnownRequest {
  readonly http: HttpRequest;
  readonly user: UserInfo;
  /** Undefined for a path outside of `/api` and `/apis`; without a resource for the lists of resources there. */
  readonly path: ResourcePath | undefined;
  /** Undefined where the path names no resource, and for a method that it does not have. */
  readonly verb: Verb | undefined;
}

/**
 * Wraps the handling of a request: it answers itself, or continues with `next`, and may act before and after. A
 * `StatusError` that it throws becomes the response.
 *
 * @throws {ConnectionDropped} to end the connection without an answer
 */
export type RequestFilter = (
  request: KnownRequest,
  next: () => Promise<HttpResponse>,
) => Promise<HttpResponse>;

/**
 * Instead of an answer, or in the middle of one that streams: the client sees its connection break. Over HTTP/2, where
 * requests share a connection, only the stream of this one is reset.
 */
export class ConnectionDropped extends Error {
  override readonly name = 'ConnectionDropped';

  constructor() {
    super('the connection was dropped');
  }
}

/** The filters as one, the first outermost. */
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
