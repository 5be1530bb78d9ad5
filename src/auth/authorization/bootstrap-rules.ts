import type { AuthorizationAttributes } from './authorization-attributes.ts';
import { allowed, type Authorizer, noOpinion } from './authorizer.ts';

interface BootstrapRule {
  readonly name: string;
  readonly groups: readonly string[];
  /** Paths that may be read; one that ends in `*` covers what begins so. */
  readonly paths?: readonly string[];
  /** Reviews that may be created: they tell their author about itself. */
  readonly reviews?: readonly string[];
}

const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';

/**
 * What every cluster lets everybody do before any rule was written.
 * Source: kubernetes, plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go.
 */
const bootstrapRules: readonly BootstrapRule[] = [
  {
    name: 'system:public-info-viewer',
    groups: [authenticated, unauthenticated],
    paths: ['/healthz', '/livez', '/readyz', '/version', '/version/'],
  },
  {
    name: 'system:discovery',
    groups: [authenticated],
    paths: ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*'],
  },
  {
    name: 'system:basic-user',
    groups: [authenticated],
    reviews: [
      'authentication.k8s.io/selfsubjectreviews',
      'authorization.k8s.io/selfsubjectaccessreviews',
      'authorization.k8s.io/selfsubjectrulesreviews',
    ],
  },
];

/** Open to everybody: a probe has nothing to show. */
const openPaths = /^\/(healthz|livez|readyz)(\/|$)/;

/** Allows what every cluster allows before any role is written, and probes. */
export const authorizeBootstrap: Authorizer = Object.freeze({
  authorize: (attributes) =>
    openPaths.test(attributes.path) || allowedByBootstrap(attributes) ? allowed : noOpinion,
} satisfies Authorizer);

/** Whether one of the rules allows what is asked. */
function allowedByBootstrap({ user, verb, resource, path }: AuthorizationAttributes): boolean {
  return bootstrapRules.some(({ groups, paths = [], reviews = [] }) => {
    if (!groups.some((group) => user.groups.includes(group))) return false;
    if (resource !== undefined) {
      return verb === 'create' && reviews.includes(`${resource.group}/${resource.resource}`);
    }
    return (verb === 'get' || verb === 'head') && paths.some((pattern) => covers(pattern, path));
  });
}

function covers(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
