import type { ResourceType } from '../../crd/index.ts';

/** Where kinds that the server brings along are named after, since clients know the names by their Go packages. */
function builtInHome(group: string): string {
  if (group === '') return 'io.k8s.api.core';
  const [name] = group.split('.');
  return name === 'apiextensions'
    ? 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions'
    : `io.k8s.api.${name}`;
}

/** The name of the schema of a kind: `com.example.v1.Widget`. */
export function modelName(
  { group, isBuiltIn, schemaHome }: ResourceType,
  version: string,
  kind: string,
): string {
  const home = schemaHome ?? (isBuiltIn ? builtInHome(group) : group.split('.').reverse().join('.'));
  return `${home}.${version}.${kind}`;
}
