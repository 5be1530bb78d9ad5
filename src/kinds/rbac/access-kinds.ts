import { type KubeObject, ownObject, ownString, pathSegmentName } from '../../meta/index.ts';
import {
  aggregationErrors,
  bindingErrors,
  completeSubjects,
  roleRefErrors,
  rulesErrors,
} from './access-rules.ts';
import { ageColumn, type BuiltInKind, builtInType, column, createdColumn } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/**
 * The kinds of `rbac.authorization.k8s.io`, in pairs: namespaced and cluster-scoped. They are plain
 * objects; the authorizer reads them.
 */

const shared = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;

function roleKind(
  kind: 'Role' | 'ClusterRole',
  { namespaced }: { readonly namespaced: boolean },
): BuiltInKind {
  return {
    strategy: ruledStrategy({
      nameRule: pathSegmentName,
      validate: (role) => [...rulesErrors(role, { urls: !namespaced }), ...aggregationErrors(role)],
    }),
    type: builtInType({
      ...shared,
      kind,
      resource: `${kind.toLowerCase()}s`,
      namespaced,
      columns: [createdColumn],
    }),
  };
}

function roleCell(binding: KubeObject): string {
  const ref = ownObject(binding, 'roleRef') ?? {};
  return `${ownString(ref, 'kind') ?? ''}/${ownString(ref, 'name') ?? ''}`;
}

function bindingKind(
  kind: 'RoleBinding' | 'ClusterRoleBinding',
  roleKinds: readonly string[],
  { namespaced }: { readonly namespaced: boolean },
): BuiltInKind {
  return {
    strategy: ruledStrategy({
      nameRule: pathSegmentName,
      validate: (binding) => bindingErrors(binding, roleKinds),
      validateChange: roleRefErrors,
    }),
    type: builtInType({
      ...shared,
      kind,
      resource: `${kind.toLowerCase()}s`,
      namespaced,
      complete: completeSubjects,
      columns: [column('Role', '', { read: roleCell, description: 'The bound role.' }), ageColumn],
    }),
  };
}

export const clusterRoleBindingKind = bindingKind('ClusterRoleBinding', ['ClusterRole'], {
  namespaced: false,
});
export const clusterRoleKind = roleKind('ClusterRole', { namespaced: false });
export const roleBindingKind = bindingKind('RoleBinding', ['Role', 'ClusterRole'], { namespaced: true });
export const roleKindOfNamespace = roleKind('Role', { namespaced: true });
