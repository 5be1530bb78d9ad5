import type { ResourceType } from '../../crd/index.ts';

/**
 * The prefix of a resource's keys, as Kubernetes lays them out: `/registry/example.com/widgets/`. Only kinds of the
 * apiextensions server have their group; those of kube-apiserver have only their plural: `/registry/leases/`.
 */
export function keyPrefixOf({ group, resource, isBuiltIn }: ResourceType): string {
  const hasGroup = !isBuiltIn || group === 'apiextensions.k8s.io';
  return hasGroup ? `/registry/${group}/${resource}/` : `/registry/${resource}/`;
}
