import { checkDnsLabel, checkDnsSubdomain } from '../../meta/index.ts';

const prefix = 'system:serviceaccount:';

/** `system:serviceaccount:ns:name`. Source: apiserver, authentication/serviceaccount/util.go. */
export function serviceAccountUserName(namespace: string, name: string): string {
  return `${prefix}${namespace}:${name}`;
}

/** The groups of every service account in a namespace. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** The service account of a user name; undefined if the user is not a service account. */
export function parseServiceAccountUserName(
  userName: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!userName.startsWith(prefix)) return undefined;
  const [namespace = '', name = '', more] = userName.slice(prefix.length).split(':');
  if (more !== undefined || checkDnsLabel(namespace).length > 0) return undefined;
  return checkDnsSubdomain(name).length > 0 ? undefined : { namespace, name };
}
