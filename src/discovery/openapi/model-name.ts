import type { ResourceType } from '../../crd/index.ts';

/** The prefixes for built-in kinds: clients know the model names from their Go packages. */
function builtInHome(group: string): string {
  if (group === '') return 'io.k8s.api.core';
  const [name] = group.split('.');
  if (name === 'apiregistration') return 'io.k8s.kube-aggregator.pkg.apis.apiregistration';
  return name === 'apiextensions'
    ? 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions'
    : `io.k8s.api.${name}`;
}

/** The schema name of a kind: `com.example.v1.Widget`. */
export function modelName(
  { group, isBuiltIn, schemaHome }: ResourceType,
  version: string,
  kind: string,
): string {
  const home = schemaHome ?? (isBuiltIn ? builtInHome(group) : group.split('.').reverse().join('.'));
  return `${home}.${version}.${kind}`;
}
