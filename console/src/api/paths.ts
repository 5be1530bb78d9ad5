/** A resource and its version. */
export interface ResourceRef {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** `/apis/example.com/v1` */
function groupVersionPath({ group, version }: Omit<ResourceRef, 'plural'>): string {
  return group === ''
    ? `/api/${encodeURIComponent(version)}`
    : `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`;
}

/** The path of a resource's objects; in all namespaces if none is given. */
export function collectionPath(ref: ResourceRef, namespace = ''): string {
  const middle = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${groupVersionPath(ref)}${middle}/${encodeURIComponent(ref.plural)}`;
}

export function objectPath(ref: ResourceRef, namespace: string, name: string): string {
  return `${collectionPath(ref, namespace)}/${encodeURIComponent(name)}`;
}

/** `example.com/v1` */
export function apiVersionOf({ group, version }: Omit<ResourceRef, 'plural'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The inverse of {@link apiVersionOf}. */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}
