import { encodeJson } from '../codec/index.ts';
import { type JsonObject, limits, methodNotSupportedError, notFoundError } from '../meta/index.ts';
import type { ConsoleRequest, ConsoleResponse } from './console-request.ts';
import { RecentTexts } from './recent-texts.ts';

/** The server's own data sources. */
export interface ActivityFacts {
  /** `ServerStatus` without its kind; see docs/console.md. */
  readonly status: () => Promise<JsonObject>;
  /** False if the server writes no audit log. */
  readonly isAudited: boolean;
  /** False if the server does not record slow requests. */
  readonly notesSlowRequests: boolean;
}

const root = '/ilk/v1/server';
const resource = { group: 'ilk', resource: 'server' };

/** The recent slow requests and audit events of a server, and its configuration, for users with access to the paths. */
export class Activity {
  /** As JSON, each with a `time`. */
  readonly slowRequests = new RecentTexts({
    count: limits.recentSlowRequestsMax,
    chars: limits.recentTextCharsMax,
  });
  /** Events of `audit.k8s.io/v1`, as JSON. */
  readonly auditEvents = new RecentTexts({
    count: limits.recentAuditEventsMax,
    chars: limits.recentTextCharsMax,
  });

  /**
   * Serves `GET /ilk/v1/server`, `/ilk/v1/server/slow-requests` and `/ilk/v1/server/audit-events`; undefined for other
   * paths.
   *
   * @throws {StatusError} 404 for data that the server does not keep, 405
   */
  async respond(
    { path, method }: ConsoleRequest,
    facts: ActivityFacts,
  ): Promise<ConsoleResponse | undefined> {
    if (path !== root && !path.startsWith(`${root}/`)) return undefined;
    if (method !== 'GET') throw methodNotSupportedError(resource, method.toLowerCase());
    const name = path.slice(root.length + 1);
    if (name === '') {
      const status = { kind: 'ServerStatus', apiVersion: 'ilk/v1', ...(await facts.status()) };
      return json(encodeJson(status));
    }
    if (name === 'slow-requests' && facts.notesSlowRequests)
      return json(list('SlowRequestList', this.slowRequests));
    if (name === 'audit-events' && facts.isAudited) return json(list('AuditEventList', this.auditEvents));
    throw notFoundError(resource, name);
  }
}

/** The strings are already JSON. */
function list(kind: string, { texts, total }: RecentTexts): Uint8Array {
  return Buffer.from(
    `{"kind":"${kind}","apiVersion":"ilk/v1","total":${total},"items":[${texts.join(',')}]}`,
  );
}

function json(body: Uint8Array): ConsoleResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body,
  };
}
