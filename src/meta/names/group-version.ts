/** A kind in a version of an API group; the core group is the empty string. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A resource, as in URLs: `{group: 'apps', version: 'v1', resource: 'deployments'}`. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** `apps/v1`, or `v1` for the core group. */
export function formatGroupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Parses an `apiVersion`; undefined if it has more than one slash. The empty string gives empty parts. */
export function parseGroupVersion(apiVersion: string): { group: string; version: string } | undefined {
  const slash = apiVersion.indexOf('/');
  if (slash === -1) return { group: '', version: apiVersion };
  if (apiVersion.indexOf('/', slash + 1) !== -1) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** `deployments.apps`, or `namespaces` for the core group: a resource or a kind in error messages. */
export function qualify(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`;
}
