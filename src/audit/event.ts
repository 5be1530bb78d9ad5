import type { ResourceAttributes } from '../auth/index.ts';
import { surveyJsonText } from '../codec/index.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownObject,
  type UserInfo,
} from '../meta/index.ts';
import { type CommonTexts, sortedText } from './common-texts.ts';
import { type ObjectNames, objectNames } from './object-names.ts';
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
  /** What the object of a create is named, where the body is not kept. */
  readonly named?: ObjectNames;
  /** The body of the request, decoded. */
  readonly request?: JsonValue;
  /** The status code of the answer. */
  readonly code?: number;
  /** The answer if it is a Status. */
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
  readonly #common: CommonTexts;
  readonly #head: string;
  readonly #request: string;
  readonly #sender: string;
  readonly #receivedMs: number;
  readonly #received: string;

  constructor(facts: AuditFacts, common: CommonTexts) {
    const { level, auditId, requestUri, verb, sourceIps, userAgent, receivedMs } = facts;
    this.#common = common;
    this.#head = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"${level}","auditID":${json(auditId)},"stage":"`;
    this.#request = `","requestURI":${json(requestUri)},"verb":${json(verb)}`;
    const ips = sourceIps.length > 0 ? `,"sourceIPs":${json([...sourceIps])}` : '';
    this.#sender = userAgent === '' ? ips : `${ips},"userAgent":${json(cut(userAgent))}`;
    this.#receivedMs = receivedMs;
    this.#received = common.time(receivedMs);
  }

  text(facts: AuditFacts, stage: AuditStage, nowMs: number): string {
    const now = nowMs === this.#receivedMs ? this.#received : this.#common.time(nowMs);
    const times = `,"requestReceivedTimestamp":"${this.#received}","stageTimestamp":"${now}"`;
    const about = `${this.#usersText(facts)}${this.#sender}${objectRefText(facts)}${objectsText(facts)}`;
    return `${this.#head}${stage}${this.#request}${about}${times}${annotationsText(facts.annotations)}}`;
  }

  #usersText({ user, impersonated, constraint }: AuditFacts): string {
    const common = this.#common;
    let text = `,"user":${user === undefined ? '{}' : common.user(user)}`;
    if (impersonated !== undefined) text += `,"impersonatedUser":${common.user(impersonated)}`;
    if (constraint !== undefined)
      text += `,"authenticationMetadata":{"impersonationConstraint":${json(constraint)}}`;
    return text;
  }
}

const json = (value: JsonValue): string => JSON.stringify(value);

/** With all digits of large integers, which `JSON.stringify` cannot write. */
const objectText = (value: JsonValue): string => surveyJsonText(value).text;

/** The objects of the request and the response, as the level requires. */
function objectsText(facts: AuditFacts): string {
  const { level } = facts;
  let text = statusText(facts);
  if (level === 'Metadata') return text;
  const [request, response] = [shown(facts, facts.request), shown(facts, facts.response)];
  if (request !== undefined) text += `,"requestObject":${objectText(request)}`;
  if (response !== undefined && level === 'RequestResponse')
    text += `,"responseObject":${objectText(response)}`;
  return text;
}

function statusText({ code, status }: AuditFacts): string {
  if (status !== undefined) return `,"responseStatus":${json(status)}`;
  return code === undefined ? '' : `,"responseStatus":{"metadata":{},"code":${code}}`;
}

function annotationsText(annotations: ReadonlyMap<string, string>): string {
  return annotations.size === 0 ? '' : `,"annotations":${sortedText(annotations)}`;
}

/** Fields that are missing in the URL come from the object. */
function objectRefText({ resource, request, named }: AuditFacts): string {
  if (resource === undefined) return '';
  const object = named ?? (isObject(request) ? objectNames(own(request, 'metadata')) : undefined);
  const text = [
    field('resource', resource.resource),
    field('namespace', resource.namespace || object?.namespace),
    field('name', resource.name || object?.name),
    field('uid', object?.uid),
    field('apiGroup', resource.group),
    field('apiVersion', resource.version),
    field('resourceVersion', object?.resourceVersion),
    field('subresource', resource.subresource),
  ].join('');
  return `,"objectRef":{${text.slice(1)}}`;
}

const field = (key: string, value: string | undefined) => (value ? `,"${key}":${json(value)}` : '');

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
