import type { AuthorizationAttributes, ResourceAttributes } from './authorization-attributes.ts';

/**
 * The message of a refusal, without the prefix that names the resource.
 * `User "u" cannot list resource "widgets" in API group "example.com" in the namespace "ns"`
 */
export function denialText({ user, verb, resource, path }: AuthorizationAttributes, reason: string): string {
  const what = resource === undefined ? pathText(verb, path) : resourceText(verb, resource);
  return `User ${JSON.stringify(user.name)} cannot ${what}${reason === '' ? '' : `: ${reason}`}`;
}

function pathText(verb: string, path: string): string {
  return `${verb} path ${JSON.stringify(path)}`;
}

function resourceText(verb: string, { group, resource, subresource, namespace }: ResourceAttributes): string {
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${verb} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${where}`;
}
