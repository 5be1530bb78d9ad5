import type { KnownRequest, ResourcePath, Verb } from '../http/index.ts';
import type { WebhookCall } from '../webhook/index.ts';
import type { FaultKind } from './fault-kind.ts';
import type { FaultMatch } from './fault-rule.ts';
import type { RuleReader } from './rule-reader.ts';

/** Whether a rule matches a request or a webhook call. */
export type Matches = (subject: KnownRequest | WebhookCall) => boolean;

/** Reads `match`, with the conditions that a kind of fault allows. */
export function readMatch(reader: RuleReader, kind: FaultKind, usualVerbs: readonly Verb[]): Matches {
  if (kind.actsOnCalls === true) return readCallMatch(reader);
  const verbs = reader.choices('verbs', kind.verbs) ?? usualVerbs;
  const lists: Lists = {
    verbs: new Set(verbs),
    groups: reader.texts('groups'),
    resources: reader.texts('resources'),
    namespaces: reader.texts('namespaces'),
    names: reader.texts('names'),
    users: reader.texts('users'),
    userAgents: reader.texts('userAgents'),
    paths: reader.texts('paths'),
  };
  reader.finish();
  return (subject) => 'http' in subject && matches(lists, subject);
}

function readCallMatch(reader: RuleReader): Matches {
  const [groups, resources] = [reader.texts('groups'), reader.texts('resources')];
  reader.finish();
  return (subject) => {
    if ('http' in subject) return false;
    const named = resources?.includes('*') === true || includes(resources, subject.resource);
    return named && includes(groups, subject.group);
  };
}

type Lists = { readonly verbs: ReadonlySet<Verb> } & {
  readonly [name in Exclude<keyof FaultMatch, 'verbs'>]: readonly string[] | undefined;
};

function matches(lists: Lists, { http, user, path, verb }: KnownRequest): boolean {
  const isResource = path !== undefined && path.resource !== '';
  if (!isResource && lists.paths === undefined) return false;
  if (verb !== undefined && !lists.verbs.has(verb)) return false;
  return (
    (isResource ? matchesResource(lists, path) : namesNoResource(lists)) &&
    includes(lists.users, user.name) &&
    (lists.userAgents?.some((part) => (http.header('user-agent') ?? '').includes(part)) ?? true) &&
    (lists.paths?.some((pattern) => matchesPath(pattern, http.path)) ?? true)
  );
}

function matchesResource(lists: Lists, path: ResourcePath): boolean {
  return (
    includes(lists.groups, path.group) &&
    (lists.resources?.some((pattern) => matchesKind(pattern, path)) ?? true) &&
    includes(lists.namespaces, path.namespace) &&
    includes(lists.names, path.name)
  );
}

function namesNoResource({ groups, resources, namespaces, names }: Lists): boolean {
  return [groups, resources, namespaces, names].every((list) => list === undefined);
}

function includes(list: readonly string[] | undefined, value: string): boolean {
  return list?.includes(value) ?? true;
}

/** `gardens` does not match `gardens/status`; `gardens/*` matches every subresource, `*` everything. */
function matchesKind(pattern: string, { resource, subresource }: ResourcePath): boolean {
  if (pattern === '*') return true;
  const [kind, part = ''] = pattern.split('/');
  return (kind === '*' || kind === resource) && (part === '*' ? subresource !== '' : part === subresource);
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
