import type { AuthorizationAttributes } from './authorization-attributes.ts';
import { allowedByBootstrap } from './bootstrap-rules.ts';

export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
}

export type Authorizer = (attributes: AuthorizationAttributes) => AuthorizationDecision;

/** May do everything, whatever the rules say. */
const mastersGroup = 'system:masters';

/** Open to everybody: whoever asks whether the server is alive has nothing to show. */
const openPaths = /^\/(healthz|livez|readyz)(\/|$)/;

/** Probes are open, masters may do everything, and everybody else what every cluster lets them: to look around. */
export const authorizeMasters: Authorizer = (attributes) => {
  const isMaster = attributes.user.groups.includes(mastersGroup);
  const allowed = isMaster || openPaths.test(attributes.path) || allowedByBootstrap(attributes);
  return { allowed, reason: '' };
};

/** No questions asked: `--authorization-mode=AlwaysAllow`. */
export const authorizeAlways: Authorizer = () => ({ allowed: true, reason: '' });

/**
 * The text of a refusal, without the head that names the resource.
 * `User "u" cannot list resource "widgets" in API group "example.com" in the namespace "ns"`
 */
export function denialText({ user, verb, resource, path }: AuthorizationAttributes, reason: string): string {
  const what = resource === undefined ? pathText(verb, path) : resourceText(verb, resource);
  return `User ${JSON.stringify(user.name)} cannot ${what}${reason === '' ? '' : `: ${reason}`}`;
}

function pathText(verb: string, path: string): string {
  return `${verb} path ${JSON.stringify(path)}`;
}

function resourceText(verb: string, parts: NonNullable<AuthorizationAttributes['resource']>): string {
  const { group, resource, subresource, namespace } = parts;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${verb} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${where}`;
}
