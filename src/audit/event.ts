import type { ResourceAttributes } from '../auth/index.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownObject,
  ownString,
  type UserInfo,
} from '../meta/index.ts';
import type { AuditLevel, AuditStage } from './policy.ts';

/** The known facts of a request. */
export interface AuditFacts {
  readonly auditId: string;
  readonly level: AuditLevel;
  readonly omitManagedFields: boolean;
  readonly requestUri: string;
  readonly verb: string;
  /** Undefined if authentication failed. */
  readonly user: UserInfo | undefined;
  readonly impersonated?: UserInfo;
  /** The verb of constrained impersonation that allowed it. */
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

/**
 * The events of one request, as `audit.k8s.io/v1`, with upstream's field order. Most requests have two events: their
 * JSON is written directly, and the common part once. Source: apiserver, audit/request.go.
 */
export class EventTexts {
  readonly #head: string;
  readonly #request: string;
  readonly #sender: string;
  readonly #receivedMs: number;
  readonly #received: string;

  constructor({ level, auditId, requestUri, verb, sourceIps, userAgent, receivedMs }: AuditFacts) {
    this.#head = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"${level}","auditID":${json(auditId)},"stage":"`;
    this.#request = `","requestURI":${json(requestUri)},"verb":${json(verb)}`;
    const ips = sourceIps.length > 0 ? `,"sourceIPs":${json([...sourceIps])}` : '';
    this.#sender = userAgent === '' ? ips : `${ips},"userAgent":${json(cut(userAgent))}`;
    this.#receivedMs = receivedMs;
    this.#received = microTime(receivedMs);
  }

  text(facts: AuditFacts, stage: AuditStage, nowMs: number): string {
    const now = nowMs === this.#receivedMs ? this.#received : microTime(nowMs);
    const times = `,"requestReceivedTimestamp":"${this.#received}","stageTimestamp":"${now}"`;
    const about = `${usersText(facts)}${this.#sender}${objectRefText(facts)}${objectsText(facts)}`;
    return `${this.#head}${stage}${this.#request}${about}${times}${annotationsText(facts.annotations)}}`;
  }
}

const json = (value: JsonValue): string => JSON.stringify(value);

function usersText({ user, impersonated, constraint }: AuditFacts): string {
  let text = `,"user":${userText(user)}`;
  if (impersonated !== undefined) text += `,"impersonatedUser":${userText(impersonated)}`;
  if (constraint !== undefined)
    text += `,"authenticationMetadata":{"impersonationConstraint":${json(constraint)}}`;
  return text;
}

/** The objects of the request and the response, as the level requires. */
function objectsText(facts: AuditFacts): string {
  const { level, status } = facts;
  let text = status === undefined ? '' : `,"responseStatus":${json(status)}`;
  if (level === 'Metadata') return text;
  const [request, response] = [shown(facts, facts.request), shown(facts, facts.response)];
  if (request !== undefined) text += `,"requestObject":${json(request)}`;
  if (response !== undefined && level === 'RequestResponse') text += `,"responseObject":${json(response)}`;
  return text;
}

function annotationsText(annotations: ReadonlyMap<string, string>): string {
  return annotations.size === 0 ? '' : `,"annotations":${sortedText(annotations)}`;
}

/** The JSON object of a map. */
function sortedText(map: ReadonlyMap<string, JsonValue>): string {
  const entries = [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, value]) => `${json(key)}:${json(value)}`).join(',')}}`;
}

function userText(user: UserInfo | undefined): string {
  if (user === undefined) return '{}';
  const { name, uid = '', groups, extra } = user;
  let text = `{"username":${json(name)}`;
  if (uid !== '') text += `,"uid":${json(uid)}`;
  if (groups.length > 0) text += `,"groups":${json([...groups])}`;
  if (extra !== undefined && extra.size > 0)
    text += `,"extra":${sortedText(new Map([...extra].map(([key, values]) => [key, [...values]])))}`;
  return `${text}}`;
}

/** Fields that are missing in the URL come from the object. */
function objectRefText({ resource, request }: AuditFacts): string {
  if (resource === undefined) return '';
  const metadata = isObject(request) ? ownObject(request, 'metadata') : undefined;
  const told = (key: string) => (metadata && ownString(metadata, key)) ?? '';
  let text = '';
  const add = (key: string, value: string) => {
    if (value !== '') text += `${text === '' ? '' : ','}"${key}":${json(value)}`;
  };
  add('resource', resource.resource);
  add('namespace', resource.namespace === '' ? told('namespace') : resource.namespace);
  add('name', resource.name === '' ? told('name') : resource.name);
  add('uid', told('uid'));
  add('apiGroup', resource.group);
  add('apiVersion', resource.version);
  add('resourceVersion', told('resourceVersion'));
  add('subresource', resource.subresource);
  return `,"objectRef":{${text}}`;
}

/** An object or a list without its managed fields, if the policy omits them. */
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

/** A time with microseconds; the clock's precision is milliseconds. */
function microTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`;
}
