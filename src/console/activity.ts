import { encodeJson } from '../codec/index.ts';
import { type JsonObject, limits, methodNotSupportedError, notFoundError } from '../meta/index.ts';
import type { ConsoleRequest, ConsoleResponse } from './console-request.ts';
import { RecentTexts } from './recent-texts.ts';

/** What a server tells about itself. */
export interface ActivityFacts {
  /** `ServerStatus` without its kind; see docs/console.md. */
  readonly status: () => Promise<JsonObject>;
  /** False if the server writes no audit log. */
  readonly isAudited: boolean;
  /** False if the server notes no slow requests. */
  readonly notesSlowRequests: boolean;
}

const root = '/ilk/v1/server';
const resource = { group: 'ilk', resource: 'server' };

/** The recent slow requests and audit events of a server, and what it is made of: for whoever may use the paths. */
export class Activity {
  /** As JSON, each with its `time`. */
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
   * Answers `GET /ilk/v1/server`, `/ilk/v1/server/slow-requests` and `/ilk/v1/server/audit-events`; undefined for other paths.
   *
   * @throws {StatusError} 404 for what the server does not keep, 405
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

/** The texts are JSON already. */
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
