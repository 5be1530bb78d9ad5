import {
  checkDnsSubdomain,
  checkPathSegment,
  declared,
  equal,
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type KubeObject,
  notSupported,
  own,
  ownList,
  ownObject,
  ownString,
  required,
  stringList,
} from '../../meta/index.ts';
import { eachItem, invalidAs, textAt } from '../rules/field-checks.ts';
import { labelSelectorErrors } from '../rules/validate-label-selector.ts';
import { readSelector } from '../rules/workload.ts';

/** What the kinds of `rbac.authorization.k8s.io` are held to. Source: kubernetes, pkg/apis/rbac/validation. */

const rbacGroup = 'rbac.authorization.k8s.io';

/** Mistakes in the rules of a Role, or of a ClusterRole, which may also be about URLs. */
export function rulesErrors(role: KubeObject, { urls }: { readonly urls: boolean }): FieldError[] {
  return (ownList(role, 'rules') ?? []).flatMap((rule, index) =>
    isObject(rule) ? ruleErrors(`rules[${index}]`, rule, urls) : [],
  );
}

function ruleErrors(path: string, rule: JsonObject, urls: boolean): FieldError[] {
  const has = (field: string) => stringList(own(rule, field)).length > 0;
  const verbs = has('verbs') ? [] : [declared(required(`${path}.verbs`))];
  if (has('nonResourceURLs')) return [...verbs, ...urlErrors(path, rule, urls)];
  return [
    ...verbs,
    ...(has('apiGroups')
      ? []
      : [required(`${path}.apiGroups`, 'resource rules must supply at least one api group')]),
    ...(has('resources')
      ? []
      : [required(`${path}.resources`, 'resource rules must supply at least one resource')]),
  ];
}

function urlErrors(path: string, rule: JsonObject, urls: boolean): FieldError[] {
  const where = `${path}.nonResourceURLs`;
  const given = own(rule, 'nonResourceURLs') ?? null;
  const mixed = ['apiGroups', 'resources', 'resourceNames'].some(
    (field) => stringList(own(rule, field)).length > 0,
  );
  return [
    ...(urls ? [] : [invalid(where, given, 'namespaced rules cannot apply to non-resource URLs')]),
    ...(mixed
      ? [invalid(where, given, 'rules cannot apply to both regular resources and non-resource URLs')]
      : []),
  ];
}

/** Mistakes in what a ClusterRole gathers its rules from. */
export function aggregationErrors(role: KubeObject): FieldError[] {
  const rule = ownObject(role, 'aggregationRule');
  if (rule === undefined) return [];
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = ownList(rule, 'clusterRoleSelectors') ?? [];
  const none = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
  return [
    ...(selectors.length === 0 ? [required(path, none)] : []),
    ...eachItem(path, selectors, (selector, at) => [
      ...labelSelectorErrors(at, selector),
      ...(readSelector(selector) === undefined ? [invalid(at, null, 'invalid label selector.')] : []),
    ]),
  ];
}

/** Fills in whose names subjects are. */
export function completeSubjects(binding: KubeObject): void {
  for (const subject of (ownList(binding, 'subjects') ?? []).filter(isObject)) {
    const kind = own(subject, 'kind');
    if (kind === 'User' || kind === 'Group') subject['apiGroup'] ??= rbacGroup;
  }
}

/** Validates the role and the subjects of a binding. */
export function bindingErrors(binding: KubeObject, roleKinds: readonly string[]): FieldError[] {
  const ref = ownObject(binding, 'roleRef') ?? {};
  const [group, kind, name] = [textAt(ref, 'apiGroup'), textAt(ref, 'kind'), textAt(ref, 'name')];
  return [
    ...(group === rbacGroup ? [] : [notSupported('roleRef.apiGroup', group, [rbacGroup])]),
    ...(roleKinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, roleKinds)]),
    ...(name === '' ? [] : invalidAs('roleRef.name', name, checkPathSegment)),
    ...(ownList(binding, 'subjects') ?? []).flatMap((subject, index) =>
      isObject(subject) ? subjectErrors(`subjects[${index}]`, subject, kindNeedsNamespace(roleKinds)) : [],
    ),
    ...(name === '' ? [declared(required('roleRef.name'))] : []),
  ];
}

/** In a RoleBinding a ServiceAccount may be of the namespace of the binding. */
const kindNeedsNamespace = (roleKinds: readonly string[]) => roleKinds.length === 1;

const subjectKinds = ['ServiceAccount', 'User', 'Group'];

function subjectErrors(path: string, subject: JsonObject, needsNamespace: boolean): FieldError[] {
  const kind = ownString(subject, 'kind') ?? '';
  const name = textAt(subject, 'name');
  const unnamed = name === '' ? [declared(required(`${path}.name`))] : [];
  if (!subjectKinds.includes(kind)) return [notSupported(`${path}.kind`, kind, subjectKinds), ...unnamed];
  const [group, wanted] = [ownString(subject, 'apiGroup') ?? '', kind === 'ServiceAccount' ? '' : rbacGroup];
  const namespace = ownString(subject, 'namespace') ?? '';
  const isAccount = kind === 'ServiceAccount';
  return [
    ...unnamed,
    ...(isAccount && name !== '' ? invalidAs(`${path}.name`, name, checkDnsSubdomain) : []),
    ...(group === wanted ? [] : [notSupported(`${path}.apiGroup`, group, [wanted])]),
    ...(kind === 'ServiceAccount' && needsNamespace && namespace === ''
      ? [required(`${path}.namespace`)]
      : []),
  ];
}

/** A binding binds to what it was made for. */
export function roleRefErrors(binding: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [own(binding, 'roleRef'), own(old, 'roleRef')];
  if (equal(now, before)) return [];
  const ref = ownObject(binding, 'roleRef') ?? {};
  // Upstream shows its own struct, which has no JSON names.
  const shown = { APIGroup: textAt(ref, 'apiGroup'), Kind: textAt(ref, 'kind'), Name: textAt(ref, 'name') };
  return [invalid('roleRef', shown, 'cannot change roleRef')];
}
