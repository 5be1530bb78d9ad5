import {
  type JsonObject,
  type KubeObject,
  nameOf,
  metadataString,
  own,
  ownObject,
  ownString,
} from '../meta/index.ts';
import { objectsOf, textsOf, wholeNumber } from './read-spec.ts';

/** A FlowSchema: the requests it matches, their level, and what distinguishes their flows. */
export interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly priorityLevel: string;
  readonly matchingPrecedence: number;
  /** Undefined if all requests of the schema are one flow. */
  readonly distinguisher: 'ByUser' | 'ByNamespace' | undefined;
  readonly rules: readonly PolicyRule[];
}

/** A request matches if a subject matches and one of the resource or non-resource rules does. */
export interface PolicyRule {
  readonly subjects: readonly Subject[];
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
}

export type Subject =
  | { readonly kind: 'User' | 'Group'; readonly name: string }
  | { readonly kind: 'ServiceAccount'; readonly namespace: string; readonly name: string };

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly clusterScope: boolean;
  readonly namespaces: readonly string[];
}

export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** Reads a valid FlowSchema. */
export function readFlowSchema(object: KubeObject): FlowSchema {
  const spec = ownObject(object, 'spec') ?? {};
  const method = ownString(ownObject(spec, 'distinguisherMethod') ?? {}, 'type');
  return {
    name: nameOf(object),
    uid: metadataString(object, 'uid'),
    priorityLevel: ownString(ownObject(spec, 'priorityLevelConfiguration') ?? {}, 'name') ?? '',
    matchingPrecedence: wholeNumber(own(spec, 'matchingPrecedence')) ?? 1_000,
    distinguisher: method === 'ByUser' || method === 'ByNamespace' ? method : undefined,
    rules: objectsOf(spec, 'rules').map(readRule),
  };
}

function readRule(rule: JsonObject): PolicyRule {
  return {
    subjects: objectsOf(rule, 'subjects').flatMap(readSubject),
    resourceRules: objectsOf(rule, 'resourceRules').map((one) => ({
      verbs: textsOf(one, 'verbs'),
      apiGroups: textsOf(one, 'apiGroups'),
      resources: textsOf(one, 'resources'),
      clusterScope: own(one, 'clusterScope') === true,
      namespaces: textsOf(one, 'namespaces'),
    })),
    nonResourceRules: objectsOf(rule, 'nonResourceRules').map((one) => ({
      verbs: textsOf(one, 'verbs'),
      nonResourceURLs: textsOf(one, 'nonResourceURLs'),
    })),
  };
}

function readSubject(subject: JsonObject): Subject[] {
  const kind = ownString(subject, 'kind');
  const text = (member: string, field: string) => ownString(ownObject(subject, member) ?? {}, field) ?? '';
  if (kind === 'User') return [{ kind, name: text('user', 'name') }];
  if (kind === 'Group') return [{ kind, name: text('group', 'name') }];
  if (kind !== 'ServiceAccount') return [];
  return [{ kind, name: text('serviceAccount', 'name'), namespace: text('serviceAccount', 'namespace') }];
}

/** The matching order of schemas: by precedence, then by name. */
export function compareFlowSchemas(a: FlowSchema, b: FlowSchema): number {
  return a.matchingPrecedence - b.matchingPrecedence || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
