import type { JsonObject } from '../../../src/meta/index.ts';

/** An object that policies decide about, and where it is created. */
export interface Subject {
  readonly key: string;
  readonly path: string;
  readonly object: JsonObject;
}

/** The kinds of subjects, with the paths of their collections. */
const collections: ReadonlyMap<string, string> = new Map([
  ['v1/Pod', '/api/v1/namespaces/NS/pods'],
  ['v1/Service', '/api/v1/namespaces/NS/services'],
  ['v1/ConfigMap', '/api/v1/namespaces/NS/configmaps'],
  ['v1/Secret', '/api/v1/namespaces/NS/secrets'],
  ['v1/Namespace', '/api/v1/namespaces'],
  ['apps/v1/Deployment', '/apis/apps/v1/namespaces/NS/deployments'],
  ['apps/v1/StatefulSet', '/apis/apps/v1/namespaces/NS/statefulsets'],
  ['apps/v1/DaemonSet', '/apis/apps/v1/namespaces/NS/daemonsets'],
  ['apps/v1/ReplicaSet', '/apis/apps/v1/namespaces/NS/replicasets'],
  ['batch/v1/Job', '/apis/batch/v1/namespaces/NS/jobs'],
  ['batch/v1/CronJob', '/apis/batch/v1/namespaces/NS/cronjobs'],
  ['networking.k8s.io/v1/Ingress', '/apis/networking.k8s.io/v1/namespaces/NS/ingresses'],
  ['rules.example.com/v1/ReplicaLimit', '/apis/rules.example.com/v1/namespaces/NS/replicalimits'],
  [
    'apiextensions.k8s.io/v1/CustomResourceDefinition',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  ],
]);

/** Undefined for a kind that is not among the subjects. */
export function subjectOf(object: JsonObject, where: string): Subject | undefined {
  const { apiVersion, kind } = object;
  const collection = collections.get(`${String(apiVersion)}/${String(kind)}`);
  if (collection === undefined) return undefined;
  const metadata = (object['metadata'] ?? {}) as JsonObject;
  const namespace = String(metadata['namespace'] ?? 'default');
  const name = String(metadata['name'] ?? '');
  return { key: `${where}${String(kind)} ${name}`, path: collection.replace('NS', namespace), object };
}

/** The namespaces that subjects are in. */
export const namespaces: readonly JsonObject[] = [
  { metadata: { name: 'staging', labels: { environment: 'staging', env: 'staging' } } },
  { metadata: { name: 'production', labels: { environment: 'prod', env: 'prod' } } },
  { metadata: { name: 'testing', labels: { environment: 'test', env: 'testing' } } },
];

const podSpec = (container: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  containers: [{ name: 'main', image: 'nginx:1.27', ...container }],
  ...more,
});

const pod = (name: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec,
});

const workload = (kind: string, name: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, ...metadata },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: podSpec() },
    ...spec,
  },
});

const hostPath = { volumes: [{ name: 'host', hostPath: { path: '/var/run' } }] };

const objects: readonly JsonObject[] = [
  pod('plain', podSpec()),
  pod('labelled', podSpec(), { labels: { app: 'web', env: 'prod', team: 'a' } }),
  pod('annotated', podSpec({}, { serviceAccountName: 'robot' }), { annotations: { note: 'x' } }),
  pod('latest', podSpec({ image: 'nginx:latest', imagePullPolicy: 'IfNotPresent' })),
  pod('host-path', podSpec({}, hostPath)),
  pod('host-network', podSpec({}, { hostNetwork: true, hostPID: true })),
  pod(
    'safe',
    podSpec({
      securityContext: {
        runAsNonRoot: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      },
      resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } },
    }),
  ),
  pod('init', podSpec({}, { initContainers: [{ name: 'first', image: 'busybox:1' }] })),
  pod('in-testing', podSpec(), { namespace: 'testing' }),
  workload('Deployment', 'one', { replicas: 1 }),
  workload('Deployment', 'three', { replicas: 3 }, { labels: { app: 'web', env: 'prod' } }),
  workload('Deployment', 'ten', { replicas: 10 }, { labels: { env: 'testing' } }),
  workload('Deployment', 'hundred', { replicas: 100 }, { namespace: 'production' }),
  workload('Deployment', 'staged', { replicas: 6 }, { namespace: 'staging', labels: { exempt: 'true' } }),
  workload('Deployment', 'host-path', {
    template: { metadata: { labels: { app: 'web' } }, spec: podSpec({}, hostPath) },
  }),
  workload(
    'Deployment',
    'foreign-image',
    {
      template: { metadata: { labels: { app: 'web' } }, spec: podSpec({ image: 'prod.example.com/x:1' }) },
    },
    { namespace: 'staging', labels: { app: 'x' } },
  ),
  workload('StatefulSet', 'set', { serviceName: 'set', replicas: 2 }, { labels: { app: 'web' } }),
  workload('StatefulSet', 'bare-set', { serviceName: 'set' }),
  workload('DaemonSet', 'everywhere', {}),
  workload('ReplicaSet', 'copies', { replicas: 8 }),
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'once' },
    spec: { template: { spec: podSpec({}, { restartPolicy: 'Never', ...hostPath }) } },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'often' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { template: { spec: podSpec({}, { restartPolicy: 'Never', ...hostPath }) } } },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'ports' },
    spec: { type: 'NodePort', ports: [{ port: 80 }] },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'demo-settings' }, data: { a: 'b' } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'labelled', labels: { app: 'web' } } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hidden' }, data: { key: 'dg==' } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'named', labels: { purpose: 'demo' } } },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'door' },
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  },
];

/** What every policy is asked about. */
export const samples: readonly Subject[] = objects.flatMap((object) => subjectOf(object, '') ?? []);
