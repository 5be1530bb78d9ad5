import { isObject, type JsonObject, own, ownList, ownString, stringList } from '../../meta/index.ts';

/** A rule of a role. Rules only allow. Source: rbac.authorization.k8s.io/v1, PolicyRule. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty for every name. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** The role of a binding: in the binding's namespace, or a ClusterRole. */
export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** A subject of a binding. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  /** Of a ServiceAccount; empty means the binding's namespace. */
  readonly namespace: string;
}

const none: readonly string[] = Object.freeze([]);

/** A rule with defaults for missing fields. */
export function policyRule(rule: Partial<PolicyRule>): PolicyRule {
  const {
    verbs = none,
    apiGroups = none,
    resources = none,
    resourceNames = none,
    nonResourceURLs = none,
  } = rule;
  return Object.freeze({ verbs, apiGroups, resources, resourceNames, nonResourceURLs });
}

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: JsonObject): readonly PolicyRule[] {
  return (ownList(role, 'rules') ?? []).filter(isObject).map((rule) =>
    policyRule({
      verbs: stringList(own(rule, 'verbs')),
      apiGroups: stringList(own(rule, 'apiGroups')),
      resources: stringList(own(rule, 'resources')),
      resourceNames: stringList(own(rule, 'resourceNames')),
      nonResourceURLs: stringList(own(rule, 'nonResourceURLs')),
    }),
  );
}

/** The roleRef of a RoleBinding or ClusterRoleBinding. */
export function roleRefOf(binding: JsonObject): RoleRef {
  const ref = own(binding, 'roleRef');
  const text = (key: string) => (isObject(ref) ? (ownString(ref, key) ?? '') : '');
  return { apiGroup: text('apiGroup'), kind: text('kind'), name: text('name') };
}

/** The subjects of a RoleBinding or ClusterRoleBinding. */
export function subjectsOf(binding: JsonObject): readonly Subject[] {
  return (ownList(binding, 'subjects') ?? []).filter(isObject).map((subject) => ({
    kind: ownString(subject, 'kind') ?? '',
    name: ownString(subject, 'name') ?? '',
    namespace: ownString(subject, 'namespace') ?? '',
  }));
}
