import { type AccessRules, roleRefOf, rulesOf, subjectsOf } from '../auth/index.ts';
import type { KubeObject } from '../meta/index.ts';

export const rbacGroup = 'rbac.authorization.k8s.io';

/** One of the four RBAC kinds. */
export interface AccessResource {
  readonly resource: string;
  /** The key prefix of its objects. */
  readonly prefix: string;
  put(rules: AccessRules, place: ObjectPlace, object: KubeObject): void;
  drop(rules: AccessRules, place: ObjectPlace): void;
}

/** The identity of an object; the namespace is empty for cluster-scoped kinds. */
export interface ObjectPlace {
  readonly namespace: string;
  readonly name: string;
}

function roles(resource: string): AccessResource {
  return {
    resource,
    prefix: `/registry/${resource}/`,
    put: (rules, { namespace, name }, role) => rules.putRole(namespace, name, rulesOf(role)),
    drop: (rules, { namespace, name }) => rules.dropRole(namespace, name),
  };
}

function bindings(resource: string): AccessResource {
  return {
    resource,
    prefix: `/registry/${resource}/`,
    put: (rules, place, binding) =>
      rules.putBinding({ ...place, roleRef: roleRefOf(binding), subjects: subjectsOf(binding) }),
    drop: (rules, { namespace, name }) => rules.dropBinding(namespace, name),
  };
}

export const accessResources: readonly AccessResource[] = Object.freeze([
  roles('clusterroles'),
  roles('roles'),
  bindings('clusterrolebindings'),
  bindings('rolebindings'),
]);

/** Parses `/registry/roles/ns/name` and `/registry/clusterroles/name`; undefined for other keys. */
export function placeOf(key: string, { prefix }: AccessResource): ObjectPlace | undefined {
  if (!key.startsWith(prefix)) return undefined;
  const rest = key.slice(prefix.length);
  const slash = rest.indexOf('/');
  return slash === -1
    ? { namespace: '', name: rest }
    : { namespace: rest.slice(0, slash), name: rest.slice(slash + 1) };
}
