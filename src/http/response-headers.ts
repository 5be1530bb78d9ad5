import type { Warnings } from '../registry/index.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { headOf } from './methods.ts';
import type { Admission } from './overload/index.ts';
import { warningHeaders } from './warning-header.ts';

/** Adds headers to a response. */
export function withHeaders(response: HttpResponse, headers: Admission['headers']): HttpResponse {
  if (headers === undefined) return response;
  return {
    status: response.status,
    headers: Object.assign({}, headers, response.headers),
    body: response.body,
  };
}

interface Finishing {
  readonly http: HttpRequest;
  readonly warnings: Warnings;
  readonly auditId: string;
}

/** The headers of every response. */
export function finish(response: HttpResponse, { http, warnings, auditId }: Finishing): HttpResponse {
  const warning = warningHeaders(warnings.list());
  const common = { 'audit-id': auditId, 'cache-control': 'no-cache, private' };
  const headers = Object.assign(common, response.headers, warning.length === 0 ? undefined : { warning });
  const { status, body } = response;
  return http.method === 'HEAD' ? headOf({ status, headers, body }) : { status, headers, body };
}
