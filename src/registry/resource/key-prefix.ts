import type { ResourceType } from '../../crd/index.ts';

/**
 * What the keys of a resource begin with, as Kubernetes lays them out: `/registry/example.com/widgets/`. Only the kinds of
 * apiextensions' own server have their group; those of kube-apiserver are known by their plural: `/registry/leases/`.
 */
export function keyPrefixOf({ group, resource, isBuiltIn }: ResourceType): string {
  const hasGroup = !isBuiltIn || group === 'apiextensions.k8s.io';
  return hasGroup ? `/registry/${group}/${resource}/` : `/registry/${resource}/`;
}
