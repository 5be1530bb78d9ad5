import type { ResourceAttributes } from '../auth/index.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownObject,
  ownString,
  put,
  type UserInfo,
} from '../meta/index.ts';
import type { AuditLevel, AuditStage } from './policy.ts';

/** What is known of a request so far. */
export interface AuditFacts {
  readonly auditId: string;
  readonly level: AuditLevel;
  readonly omitManagedFields: boolean;
  readonly requestUri: string;
  readonly verb: string;
  /** Nobody where the request failed to say who sends it. */
  readonly user: UserInfo | undefined;
  readonly impersonated?: UserInfo;
  /** The verb of constrained impersonation that let it pass. */
  readonly constraint?: string;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly resource: ResourceAttributes | undefined;
  readonly receivedMs: number;
  /** The body of the request, decoded. */
  readonly request?: JsonValue;
  readonly status?: JsonObject;
  readonly response?: JsonValue;
  readonly annotations: ReadonlyMap<string, string>;
}

const userAgentCharsMax = 1024;

/** An event of `audit.k8s.io/v1`, in the order of upstream's fields. Source: apiserver, audit/request.go. */
export function eventText(facts: AuditFacts, stage: AuditStage, nowMs: number): string {
  const { level, userAgent, annotations, impersonated, constraint } = facts;
  const [request, response] = [shown(facts, facts.request), shown(facts, facts.response)];
  const event: JsonObject = {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level,
    auditID: facts.auditId,
    stage,
    requestURI: facts.requestUri,
    verb: facts.verb,
    user: userOf(facts.user),
    ...(impersonated && { impersonatedUser: userOf(impersonated) }),
    ...(constraint && { authenticationMetadata: { impersonationConstraint: constraint } }),
    ...(facts.sourceIps.length > 0 && { sourceIPs: [...facts.sourceIps] }),
    ...(userAgent !== '' && { userAgent: cut(userAgent) }),
    ...objectRef(facts),
    ...(facts.status && { responseStatus: facts.status }),
    ...(request !== undefined && level !== 'Metadata' && { requestObject: request }),
    ...(response !== undefined && level === 'RequestResponse' && { responseObject: response }),
    requestReceivedTimestamp: microTime(facts.receivedMs),
    stageTimestamp: microTime(nowMs),
    ...(annotations.size > 0 && { annotations: annotationsOf(annotations) }),
  };
  return JSON.stringify(event);
}

function annotationsOf(annotations: ReadonlyMap<string, string>): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of [...annotations].sort(([a], [b]) => (a < b ? -1 : 1))) put(object, key, value);
  return object;
}

function userOf(user: UserInfo | undefined): JsonObject {
  if (user === undefined) return {};
  const { name, uid = '', groups, extra = new Map<string, readonly string[]>() } = user;
  const listed: JsonObject = {};
  for (const [key, values] of [...extra].sort(([a], [b]) => (a < b ? -1 : 1))) put(listed, key, [...values]);
  return {
    username: name,
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(extra.size > 0 && { extra: listed }),
  };
}

/** What the URL does not say, the object does. */
function objectRef({ resource, request }: AuditFacts): { objectRef?: JsonObject } {
  if (resource === undefined) return {};
  const metadata = (isObject(request) && ownObject(request, 'metadata')) || {};
  const known = (own: string, key: string) => (own === '' ? (ownString(metadata, key) ?? '') : own);
  const parts = {
    resource: resource.resource,
    namespace: known(resource.namespace, 'namespace'),
    name: known(resource.name, 'name'),
    uid: ownString(metadata, 'uid') ?? '',
    apiGroup: resource.group,
    apiVersion: resource.version,
    resourceVersion: ownString(metadata, 'resourceVersion') ?? '',
    subresource: resource.subresource,
  };
  return { objectRef: Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== '')) };
}

/** An object or a list without its managed fields, where the policy leaves them out. */
function shown({ omitManagedFields }: AuditFacts, value: JsonValue | undefined): JsonValue | undefined {
  return omitManagedFields && isObject(value) ? withoutManagedFields(value) : value;
}

function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = ownObject(object, 'metadata');
  const [items, rows] = [ownList(object, 'items'), ownList(object, 'rows')];
  const each = (list: readonly JsonValue[]) =>
    list.map((one) => (isObject(one) ? withoutManagedFields(one) : one));
  const inner = own(object, 'object');
  const { managedFields: _, ...kept } = metadata ?? {};
  return {
    ...object,
    ...(metadata && { metadata: kept }),
    ...(items && { items: each(items) }),
    ...(rows && { rows: each(rows) }),
    ...(isObject(inner) && { object: withoutManagedFields(inner) }),
  };
}

function cut(text: string): string {
  return text.length > userAgentCharsMax ? `${text.slice(0, userAgentCharsMax)}...TRUNCATED` : text;
}

/** A moment with microseconds, of which the clock knows thousands. */
function microTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`;
}
