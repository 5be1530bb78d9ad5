import { type JsonObject, own, ownString, stringList } from '../../meta/index.ts';
import type { AdmissionScope } from '../attributes.ts';

/** A rule of a webhook or of a policy: which writes it matches. */
export interface Rule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** `pods`, `pods/status`, `*`, `pods/*` and the like, parsed. */
  readonly resources: readonly { readonly resource: string; readonly subresource: string }[];
  readonly scope: string;
  /** Empty matches every name. */
  readonly resourceNames: readonly string[];
}

/** The attributes that a rule checks. */
interface RuleSubject extends AdmissionScope {
  readonly namespace: string;
  readonly name: string;
}

export function ruleOf(rule: JsonObject): Rule {
  return Object.freeze({
    operations: stringList(own(rule, 'operations')),
    apiGroups: stringList(own(rule, 'apiGroups')),
    apiVersions: stringList(own(rule, 'apiVersions')),
    resources: stringList(own(rule, 'resources')).map((text) => {
      const slash = text.indexOf('/');
      return slash < 0
        ? { resource: text, subresource: '' }
        : { resource: text.slice(0, slash), subresource: text.slice(slash + 1) };
    }),
    scope: ownString(rule, 'scope') ?? '*',
    resourceNames: stringList(own(rule, 'resourceNames')),
  });
}

/** Whether a rule matches a write. Source: apiserver, admission/plugin/webhook/predicates/rules. */
export function matchesRule(rule: Rule, subject: RuleSubject): boolean {
  return (
    matchesScope(rule, subject) &&
    isAmong(rule.operations, subject.operation) &&
    isAmong(rule.apiGroups, subject.resource.group) &&
    isAmong(rule.apiVersions, subject.resource.version) &&
    matchesResource(rule, subject) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(subject.name))
  );
}

/**
 * Whether a rule may match a write of some object in some version; decided before the object is known. Events have
 * two groups.
 */
export function mayMatchRule(rule: Rule, { operation, resource, subresource }: AdmissionScope): boolean {
  const groups = resource.resource === 'events' ? ['', 'events.k8s.io'] : [resource.group];
  return (
    isAmong(rule.operations, operation) &&
    groups.some((group) => isAmong(rule.apiGroups, group)) &&
    matchesResource(rule, { resource, subresource })
  );
}

function isAmong(items: readonly string[], wanted: string): boolean {
  for (const item of items) if (item === '*' || item === wanted) return true;
  return false;
}

function matchesResource(
  { resources }: Rule,
  { resource: { resource }, subresource }: Pick<AdmissionScope, 'resource' | 'subresource'>,
): boolean {
  for (const one of resources) {
    const isResource = one.resource === '*' || one.resource === resource;
    if (isResource && (one.subresource === '*' || one.subresource === subresource)) return true;
  }
  return false;
}

/** Namespaces are cluster-scoped, although their writes have a namespace. */
function matchesScope({ scope }: Rule, { resource, namespace }: RuleSubject): boolean {
  const isNamespace =
    resource.group === '' && resource.version === 'v1' && resource.resource === 'namespaces';
  const isClusterScoped = isNamespace || namespace === '';
  if (scope === '*') return true;
  return scope === 'Cluster' ? isClusterScoped : scope === 'Namespaced' && !isClusterScoped;
}

const configurationKinds: ReadonlySet<string> = new Set([
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
]);

/** Kinds that no webhook and no policy sees: otherwise one could prevent its own repair. */
export function isConfiguration({ resource }: AdmissionScope): boolean {
  return resource.group === 'admissionregistration.k8s.io' && configurationKinds.has(resource.resource);
}
