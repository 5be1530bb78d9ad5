import { encodeJson } from '../codec/index.ts';
import {
  type Clock,
  type JsonObject,
  limits,
  methodNotSupportedError,
  notFoundError,
} from '../meta/index.ts';
import type { ConsoleRequest, ConsoleResponse } from './console-request.ts';
import { RecentTexts, type RecentTextList } from './recent-texts.ts';

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

/** How much of each is kept. */
const kept = Object.freeze({
  slowRequests: { count: limits.recentSlowRequestsMax, chars: limits.recentTextCharsMax },
  auditEvents: { count: limits.recentAuditEventsMax, chars: limits.recentTextCharsMax },
});

/** The lists of all threads of the server. */
export type GatherRecent = (name: 'slowRequests' | 'auditEvents') => Promise<readonly RecentTextList[]>;

/** The recent slow requests and audit events of a server, and its configuration, for users with access to the paths. */
export class Activity {
  /** As JSON, each with a `time`. */
  readonly slowRequests = new RecentTexts(kept.slowRequests);
  /** Events of `audit.k8s.io/v1`, as JSON. */
  readonly auditEvents = new RecentTexts(kept.auditEvents);
  readonly #clock: Clock;
  readonly #gather: GatherRecent;

  constructor(clock: Clock, gather?: GatherRecent) {
    this.#clock = clock;
    this.#gather = gather ?? (async (name) => [this[name].list()]);
  }

  /** Keeps a text of this thread. */
  note(name: 'slowRequests' | 'auditEvents', text: string): void {
    this[name].add(text, this.#clock.now());
  }

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
      return json(listText('SlowRequestList', merged(await this.#gather('slowRequests'), kept.slowRequests)));
    if (name === 'audit-events' && facts.isAudited)
      return json(listText('AuditEventList', merged(await this.#gather('auditEvents'), kept.auditEvents)));
    throw notFoundError(resource, name);
  }
}

/** One list of those of all threads, by time, with the same bound. */
function merged(lists: readonly RecentTextList[], { count }: { readonly count: number }): RecentTextList {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  const texts = lists.flatMap((list) => list.texts).sort((one, other) => one.atMs - other.atMs);
  return { texts: texts.slice(-count), total: lists.reduce((sum, { total }) => sum + total, 0) };
}

/** The strings are already JSON. */
function listText(kind: string, { texts, total }: RecentTextList): Uint8Array {
  const items = texts.map(({ text }) => text).join(',');
  return Buffer.from(`{"kind":"${kind}","apiVersion":"ilk/v1","total":${total},"items":[${items}]}`);
}

function json(body: Uint8Array): ConsoleResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body,
  };
}
