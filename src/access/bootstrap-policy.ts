import { type PolicyRule, policyRule } from '../auth/index.ts';

/** A default ClusterRole. */
export interface BootstrapRole {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Absent if the role aggregates the roles with this label. */
  readonly rules?: readonly PolicyRule[];
  readonly aggregates?: string;
}

/** A ClusterRoleBinding of the role of the same name. */
export interface BootstrapBinding {
  readonly name: string;
  readonly groups: readonly string[];
}

const read = ['get', 'list', 'watch'];
const write = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const readWrite = [...read, ...write];

const on = (verbs: readonly string[], apiGroups: readonly string[], ...resources: string[]) =>
  policyRule({ verbs, apiGroups, resources });
const at = (...nonResourceURLs: string[]) => policyRule({ verbs: ['get'], nonResourceURLs });

const core = [''];
const events = ['', 'events.k8s.io'];
const authentication = ['authentication.k8s.io'];
const authorization = ['authorization.k8s.io'];
const rbac = ['rbac.authorization.k8s.io'];
const health = ['/livez', '/readyz', '/healthz'];
const toAdmin = 'rbac.authorization.k8s.io/aggregate-to-admin';
const toEdit = 'rbac.authorization.k8s.io/aggregate-to-edit';
const toView = 'rbac.authorization.k8s.io/aggregate-to-view';

const viewRules = [
  on(
    read,
    core,
    ...['pods', 'replicationcontrollers', 'replicationcontrollers/scale', 'serviceaccounts', 'services'],
    ...[
      'services/status',
      'endpoints',
      'persistentvolumeclaims',
      'persistentvolumeclaims/status',
      'configmaps',
    ],
  ),
  on(
    read,
    core,
    ...['limitranges', 'resourcequotas', 'bindings', 'pods/status', 'resourcequotas/status'],
    ...['namespaces/status', 'replicationcontrollers/status', 'pods/log'],
  ),
  on(read, core, 'namespaces'),
  on(read, events, 'events'),
  on(read, ['discovery.k8s.io'], 'endpointslices'),
  on(
    read,
    ['apps'],
    ...['controllerrevisions', 'statefulsets', 'statefulsets/status', 'statefulsets/scale', 'daemonsets'],
    ...['daemonsets/status', 'deployments', 'deployments/status', 'deployments/scale', 'replicasets'],
    ...['replicasets/status', 'replicasets/scale'],
  ),
  on(read, ['autoscaling'], 'horizontalpodautoscalers', 'horizontalpodautoscalers/status'),
  on(read, ['batch'], 'jobs', 'cronjobs', 'cronjobs/status', 'jobs/status'),
  on(
    read,
    ['extensions'],
    ...['daemonsets', 'daemonsets/status', 'deployments', 'deployments/scale', 'deployments/status'],
    ...['ingresses', 'ingresses/status', 'replicasets', 'replicasets/scale', 'replicasets/status'],
    ...['replicationcontrollers/scale', 'networkpolicies'],
  ),
  on(read, ['policy'], 'poddisruptionbudgets', 'poddisruptionbudgets/status'),
  on(read, ['networking.k8s.io'], 'networkpolicies', 'ingresses', 'ingresses/status'),
  on(read, ['resource.k8s.io'], 'resourceclaims', 'resourceclaims/status', 'resourceclaimtemplates'),
];

const podAccess = ['pods/attach', 'pods/proxy', 'pods/exec', 'pods/portforward'];

const editRules = [
  on(read, core, ...podAccess, 'secrets', 'services/proxy'),
  on(['impersonate'], core, 'serviceaccounts'),
  on(write, core, 'pods', ...podAccess),
  on(['create'], core, 'pods/eviction'),
  on(
    write,
    core,
    ...['replicationcontrollers', 'replicationcontrollers/scale', 'serviceaccounts', 'services'],
    ...['services/proxy', 'persistentvolumeclaims', 'configmaps', 'secrets'],
  ),
  on(['create'], core, 'serviceaccounts/token'),
  on(write, events, 'events'),
  on(
    write,
    ['apps'],
    ...['statefulsets', 'statefulsets/scale', 'daemonsets', 'deployments', 'deployments/scale'],
    ...['deployments/rollback', 'replicasets', 'replicasets/scale'],
  ),
  on(write, ['autoscaling'], 'horizontalpodautoscalers'),
  on(write, ['batch'], 'jobs', 'cronjobs'),
  on(
    write,
    ['extensions'],
    ...['daemonsets', 'deployments', 'deployments/scale', 'deployments/rollback', 'ingresses', 'replicasets'],
    ...['replicasets/scale', 'replicationcontrollers/scale', 'networkpolicies'],
  ),
  on(write, ['policy'], 'poddisruptionbudgets'),
  on(write, ['networking.k8s.io'], 'networkpolicies', 'ingresses'),
  on(readWrite, ['coordination.k8s.io'], 'leases'),
  on(write, ['resource.k8s.io'], 'resourceclaims', 'resourceclaimtemplates'),
];

/**
 * The default roles of upstream for users and API clients. Roles of its components are left out, because they do not
 * run here. Source: kubernetes, plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go.
 */
export const bootstrapRoles: readonly BootstrapRole[] = Object.freeze([
  {
    name: 'cluster-admin',
    rules: [on(['*'], ['*'], '*'), policyRule({ verbs: ['*'], nonResourceURLs: ['*'] })],
  },
  {
    name: 'system:discovery',
    rules: [
      at(...health, '/version', '/version/', '/openapi', '/openapi/*', '/api', '/api/*', '/apis', '/apis/*'),
    ],
  },
  {
    name: 'system:monitoring',
    rules: [
      at('/metrics', '/metrics/slis', ...health, '/livez/*', '/readyz/*', '/healthz/*'),
      on(['get'], core, 'nodes/metrics'),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      on(['create'], authorization, 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'),
      on(['create'], authentication, 'selfsubjectreviews'),
    ],
  },
  // Ilk's own: a link to the console adds no rights, the playground reads nothing of this server, and reports
  // about definitions contain only what the user may read.
  {
    name: 'ilk:console-user',
    rules: [
      policyRule({
        verbs: ['post'],
        nonResourceURLs: ['/ilk/v1/console/codes', '/ilk/v1/playground', '/ilk/v1/playground/*'],
      }),
      policyRule({ verbs: ['get', 'post'], nonResourceURLs: ['/ilk/v1/definitions/*'] }),
    ],
  },
  { name: 'system:public-info-viewer', rules: [at(...health, '/version', '/version/')] },
  { name: 'admin', aggregates: toAdmin },
  { name: 'edit', aggregates: toEdit, labels: { [toAdmin]: 'true' } },
  { name: 'view', aggregates: toView, labels: { [toEdit]: 'true' } },
  {
    name: 'system:aggregate-to-admin',
    labels: { [toAdmin]: 'true' },
    rules: [
      on(['create'], authorization, 'localsubjectaccessreviews'),
      on(readWrite, rbac, 'roles', 'rolebindings'),
    ],
  },
  { name: 'system:aggregate-to-edit', labels: { [toEdit]: 'true' }, rules: editRules },
  { name: 'system:aggregate-to-view', labels: { [toView]: 'true' }, rules: viewRules },
  {
    name: 'system:auth-delegator',
    rules: [
      on(['create'], authentication, 'tokenreviews'),
      on(['create'], authorization, 'subjectaccessreviews'),
    ],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      at(
        '/.well-known/openid-configuration',
        '/.well-known/openid-configuration/',
        '/openid/v1/jwks',
        '/openid/v1/jwks/',
      ),
    ],
  },
]);

const authenticated = 'system:authenticated';

export const bootstrapBindings: readonly BootstrapBinding[] = Object.freeze([
  { name: 'cluster-admin', groups: ['system:masters'] },
  { name: 'system:monitoring', groups: ['system:monitoring'] },
  { name: 'system:discovery', groups: [authenticated] },
  { name: 'system:basic-user', groups: [authenticated] },
  { name: 'ilk:console-user', groups: [authenticated] },
  { name: 'system:public-info-viewer', groups: [authenticated, 'system:unauthenticated'] },
  { name: 'system:service-account-issuer-discovery', groups: ['system:serviceaccounts'] },
]);
