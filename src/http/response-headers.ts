import type { FlowHeaders } from '../flowcontrol/index.ts';
import type { Warnings } from '../registry/index.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { headOf } from './methods.ts';
import { warningHeaders } from './warning-header.ts';

interface Finishing {
  readonly http: HttpRequest;
  readonly warnings: Warnings;
  readonly auditId: string;
  /** Undefined without priority and fairness, and for requests that did not reach it. */
  readonly flowHeaders: FlowHeaders | undefined;
}

/** The headers of every response. */
export function finish(
  response: HttpResponse,
  { http, warnings, auditId, flowHeaders }: Finishing,
): HttpResponse {
  const warning = warningHeaders(warnings.list());
  const common = { ...flowHeaders, 'audit-id': auditId, 'cache-control': 'no-cache, private' };
  const headers = Object.assign(common, response.headers, warning.length === 0 ? undefined : { warning });
  const { status, body } = response;
  return http.method === 'HEAD' ? headOf({ status, headers, body }) : { status, headers, body };
}
