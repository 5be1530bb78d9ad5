import type { JsonObject, KubeObject } from '../meta/index.ts';

/**
 * The objects that every server has. Mandatory ones cannot be changed and are recreated if deleted; suggested ones are
 * reset to this spec while their annotation is true. Source: apiserver, apis/flowcontrol/bootstrap.
 */

/** While it is `true`, the server resets the spec of a suggested object. */
export const autoUpdateAnnotation = 'apf.kubernetes.io/autoupdate-spec';

const apiVersion = 'flowcontrol.apiserver.k8s.io/v1';

function priorityLevel(name: string, spec: JsonObject): KubeObject {
  const metadata = { name, annotations: { [autoUpdateAnnotation]: 'true' } };
  return { apiVersion, kind: 'PriorityLevelConfiguration', metadata, spec };
}

interface Limited {
  readonly shares: number;
  readonly lendable: number;
  /** The number of queues, the hand size, and the queue length limit. */
  readonly queuing: readonly [queues: number, handSize: number, length: number];
}

function limited(name: string, { shares, lendable, queuing }: Limited): KubeObject {
  const [queues, handSize, queueLengthLimit] = queuing;
  return priorityLevel(name, {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: shares,
      lendablePercent: lendable,
      limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } },
    },
  });
}

export const mandatoryPriorityLevels: readonly KubeObject[] = Object.freeze([
  priorityLevel('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
  priorityLevel('catch-all', {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
  }),
]);

export const suggestedPriorityLevels: readonly KubeObject[] = Object.freeze([
  limited('system', { shares: 30, lendable: 33, queuing: [64, 6, 50] }),
  limited('node-high', { shares: 40, lendable: 25, queuing: [64, 6, 50] }),
  limited('leader-election', { shares: 10, lendable: 0, queuing: [16, 4, 50] }),
  limited('workload-high', { shares: 40, lendable: 50, queuing: [128, 6, 50] }),
  limited('workload-low', { shares: 100, lendable: 90, queuing: [128, 6, 50] }),
  limited('global-default', { shares: 20, lendable: 50, queuing: [128, 6, 50] }),
]);

interface Schema {
  readonly level: string;
  readonly precedence: number;
  readonly by?: 'ByUser' | 'ByNamespace';
  readonly subjects: readonly JsonObject[];
  readonly resourceRules?: readonly JsonObject[];
  readonly nonResourceRules?: readonly JsonObject[];
}

function flowSchema(name: string, { level, precedence, by, ...rule }: Schema): KubeObject {
  const rules = [{ ...rule, subjects: [...rule.subjects] }];
  const spec = {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: precedence,
    ...(by === undefined ? {} : { distinguisherMethod: { type: by } }),
    rules: rules.map((one) => JSON.parse(JSON.stringify(one))),
  };
  const metadata = { name, annotations: { [autoUpdateAnnotation]: 'true' } };
  return { apiVersion, kind: 'FlowSchema', metadata, spec };
}

const users = (...names: string[]) => names.map((name) => ({ kind: 'User', user: { name } }));
const groups = (...names: string[]) => names.map((name) => ({ kind: 'Group', group: { name } }));
const everybody = groups('system:unauthenticated', 'system:authenticated');
const systemAccounts = [{ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'kube-system' } }];

const resourceRule = (verbs: string[], apiGroups: string[], resources: string[], clusterScope: boolean) => ({
  verbs,
  apiGroups,
  resources,
  ...(clusterScope ? { clusterScope } : {}),
  namespaces: ['*'],
});
const everything = {
  resourceRules: [resourceRule(['*'], ['*'], ['*'], true)],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
const leases = (verbs: string[]) => resourceRule(verbs, ['coordination.k8s.io'], ['leases'], false);

export const mandatoryFlowSchemas: readonly KubeObject[] = Object.freeze([
  flowSchema('exempt', {
    level: 'exempt',
    precedence: 1,
    subjects: groups('system:masters'),
    ...everything,
  }),
  flowSchema('catch-all', {
    level: 'catch-all',
    precedence: 10_000,
    by: 'ByUser',
    subjects: everybody,
    ...everything,
  }),
]);

export const suggestedFlowSchemas: readonly KubeObject[] = Object.freeze([
  flowSchema('system-nodes', {
    level: 'system',
    precedence: 500,
    by: 'ByUser',
    subjects: groups('system:nodes'),
    ...everything,
  }),
  flowSchema('system-node-high', {
    level: 'node-high',
    precedence: 400,
    by: 'ByUser',
    subjects: groups('system:nodes'),
    resourceRules: [resourceRule(['*'], [''], ['nodes', 'nodes/status'], true), leases(['*'])],
  }),
  flowSchema('probes', {
    level: 'exempt',
    precedence: 2,
    subjects: everybody,
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  flowSchema('system-leader-election', {
    level: 'leader-election',
    precedence: 100,
    by: 'ByUser',
    subjects: [...users('system:kube-controller-manager', 'system:kube-scheduler'), ...systemAccounts],
    resourceRules: [leases(['get', 'create', 'update'])],
  }),
  flowSchema('kube-controller-manager', {
    level: 'workload-high',
    precedence: 800,
    by: 'ByNamespace',
    subjects: users('system:kube-controller-manager'),
    ...everything,
  }),
  flowSchema('kube-scheduler', {
    level: 'workload-high',
    precedence: 800,
    by: 'ByNamespace',
    subjects: users('system:kube-scheduler'),
    ...everything,
  }),
  flowSchema('kube-system-service-accounts', {
    level: 'workload-high',
    precedence: 900,
    by: 'ByNamespace',
    subjects: systemAccounts,
    ...everything,
  }),
  flowSchema('service-accounts', {
    level: 'workload-low',
    precedence: 9_000,
    by: 'ByUser',
    subjects: groups('system:serviceaccounts'),
    ...everything,
  }),
  flowSchema('global-default', {
    level: 'global-default',
    precedence: 9_900,
    by: 'ByUser',
    subjects: everybody,
    ...everything,
  }),
]);
