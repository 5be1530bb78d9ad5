import type { UserInfo } from '../meta/index.ts';
import type { FlowSchema, NonResourceRule, ResourceRule, Subject } from './flow-schema.ts';
import type { DigestedResource, RequestDigest } from './request-digest.ts';

/** The rules of a schema whose subjects match a user. */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
}

/** Selects the rules of a schema that concern a user. */
export function rulesFor(user: UserInfo, { rules }: FlowSchema): UserRules {
  const own = rules.filter(({ subjects }) => subjects.some((subject) => matchesSubject(user, subject)));
  return {
    resourceRules: own.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: own.flatMap(({ nonResourceRules }) => nonResourceRules),
  };
}

/** Whether one of the rules matches a request of their user. Source: apiserver, util/flowcontrol/rule.go. */
export function matchesRules({ verb, path, resource }: RequestDigest, rules: UserRules): boolean {
  if (resource === undefined) return rules.nonResourceRules.some((one) => matchesPath(verb, path, one));
  return rules.resourceRules.some((one) => matchesResource(verb, resource, one));
}

/** The flow distinguisher of a request; empty if all requests of the schema are one flow. */
export function flowDistinguisher({ user, resource }: RequestDigest, { distinguisher }: FlowSchema): string {
  if (distinguisher === 'ByUser') return user.name;
  return distinguisher === 'ByNamespace' ? (resource?.namespace ?? '') : '';
}

function matchesSubject(user: UserInfo, subject: Subject): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === '*' || subject.name === user.name;
    case 'Group':
      return subject.name === '*' || user.groups.includes(subject.name);
    case 'ServiceAccount': {
      const prefix = `system:serviceaccount:${subject.namespace}:`;
      return subject.name === '*' ? user.name.startsWith(prefix) : user.name === prefix + subject.name;
    }
  }
}

function matchesResource(verb: string, asked: DigestedResource, rule: ResourceRule): boolean {
  const { resource, subresource, group, namespace } = asked;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  if (!includes(rule.verbs, verb) || !includes(rule.resources, what)) return false;
  if (!includes(rule.apiGroups, group)) return false;
  return namespace === '' ? rule.clusterScope : includes(rule.namespaces, namespace);
}

function matchesPath(verb: string, path: string, { verbs, nonResourceURLs }: NonResourceRule): boolean {
  return includes(verbs, verb) && nonResourceURLs.some((url) => coversPath(url, path));
}

/** `/healthz` matches itself and everything below it, and so does `/healthz/*`. */
function coversPath(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  const prefix = url.endsWith('*') ? url.slice(0, -1) : url;
  return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

/** `*` is a wildcard only on its own. */
function includes(list: readonly string[], text: string): boolean {
  return (list.length === 1 && list[0] === '*') || list.includes(text);
}
