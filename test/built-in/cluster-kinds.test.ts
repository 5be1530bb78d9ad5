import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeJson, encodeProtobuf } from '../../src/codec/index.ts';
import { isObject, type JsonObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { Api } from '../controllers/api.ts';

let server: IlkServer;
let api: Api;
beforeAll(async () => {
  server = await startServer({ listen: false });
  api = Api.of(server);
});
afterAll(() => server.close());

const pod = { containers: [{ name: 'main', image: 'nginx' }] };
const backend = { service: { name: 'web', port: { number: 80 } } };
const path = { path: '/', pathType: 'Prefix', backend };
const metric = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } };
const rbac = 'rbac.authorization.k8s.io';

/** A kind, where it is served, an object of it, and what the server adds to that. */
const kinds: [string, string, string, JsonObject, JsonObject?][] = [
  ['', 'Node', 'nodes', { spec: { unschedulable: true } }],
  [
    '',
    'PersistentVolume',
    'persistentvolumes',
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } } },
    {
      spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    },
  ],
  [
    '',
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    { spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
  ],
  ['', 'ResourceQuota', 'resourcequotas', { spec: { hard: { pods: '4' } } }],
  ['', 'LimitRange', 'limitranges', { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } }],
  [
    '',
    'Endpoints',
    'endpoints',
    { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] },
    {
      subsets: [{ ports: [{ protocol: 'TCP' }] }],
    },
  ],
  [
    '',
    'ReplicationController',
    'replicationcontrollers',
    {
      spec: { template: { metadata: { labels: { app: 'web' } }, spec: pod } },
    },
    {
      metadata: { labels: { app: 'web' } },
      spec: { replicas: 1, selector: { app: 'web' } },
      status: { replicas: 0 },
    },
  ],
  [
    'batch',
    'CronJob',
    'cronjobs',
    {
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { ...pod, restartPolicy: 'Never' } } } },
      },
    },
    {
      spec: {
        concurrencyPolicy: 'Allow',
        suspend: false,
        jobTemplate: { spec: { template: { spec: { dnsPolicy: 'ClusterFirst' } } } },
      },
    },
  ],
  [
    'networking.k8s.io',
    'Ingress',
    'ingresses',
    { spec: { rules: [{ host: '*.a.example', http: { paths: [path] } }] } },
    { status: { loadBalancer: {} } },
  ],
  ['networking.k8s.io', 'IngressClass', 'ingressclasses', { spec: { controller: 'example.com/doors' } }],
  [
    'networking.k8s.io',
    'NetworkPolicy',
    'networkpolicies',
    { spec: { podSelector: {}, egress: [{}] } },
    { spec: { policyTypes: ['Ingress', 'Egress'] } },
  ],
  [
    'discovery.k8s.io',
    'EndpointSlice',
    'endpointslices',
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ port: 80 }] },
    {
      ports: [{ name: '', protocol: 'TCP' }],
    },
  ],
  [
    'policy',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    { spec: { minAvailable: '50%' } },
    { status: { disruptionsAllowed: 0 } },
  ],
  [
    'autoscaling',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    },
    { spec: { minReplicas: 1, metrics: [metric] } },
  ],
  [
    'storage.k8s.io',
    'VolumeAttachment',
    'volumeattachments',
    { spec: { attacher: 'csi.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
    { status: { attached: false } },
  ],
  [
    'storage.k8s.io',
    'CSINode',
    'csinodes',
    { spec: { drivers: [{ name: 'csi.example.com', nodeID: 'n', topologyKeys: ['example.com/zone'] }] } },
  ],
  [
    'storage.k8s.io',
    'CSIDriver',
    'csidrivers',
    { spec: { attachRequired: false } },
    {
      spec: {
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        podInfoOnMount: false,
        requiresRepublish: false,
        seLinuxMount: false,
        storageCapacity: false,
        volumeLifecycleModes: ['Persistent'],
      },
    },
  ],
  ['apps', 'ControllerRevision', 'controllerrevisions', { data: { spec: { a: 1 } }, revision: 2 }],
  [
    '',
    'PodTemplate',
    'podtemplates',
    { template: { spec: pod } },
    { template: { spec: { restartPolicy: 'Always' } } },
  ],
  [
    'resource.k8s.io',
    'ResourceClaim',
    'resourceclaims',
    { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } },
    {
      spec: { devices: { requests: [{ exactly: { allocationMode: 'ExactCount', count: 1 } }] } },
      status: {},
    },
  ],
  [
    'resource.k8s.io',
    'ResourceClaimTemplate',
    'resourceclaimtemplates',
    { spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } } },
  ],
  [
    'resource.k8s.io',
    'ResourceSlice',
    'resourceslices',
    {
      spec: {
        driver: 'gpu.example.com',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        nodeName: 'n',
        devices: [{ name: 'a', attributes: { size: { int: 3 } }, capacity: { memory: { value: '1Gi' } } }],
      },
    },
  ],
  [
    'resource.k8s.io',
    'DeviceClass',
    'deviceclasses',
    {
      spec: {
        selectors: [{ cel: { expression: 'true' } }],
        config: [{ opaque: { driver: 'gpu.example.com', parameters: { any: ['thing'] } } }],
      },
    },
  ],
  [
    'storage.k8s.io',
    'StorageClass',
    'storageclasses',
    { provisioner: 'example.com/disks' },
    { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  ],
  [
    'scheduling.k8s.io',
    'PriorityClass',
    'priorityclasses',
    { value: 7 },
    { preemptionPolicy: 'PreemptLowerPriority' },
  ],
  ['node.k8s.io', 'RuntimeClass', 'runtimeclasses', { handler: 'sandbox' }],
  [rbac, 'ClusterRole', 'clusterroles', { rules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }] }],
  [rbac, 'Role', 'roles', { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] }],
  [
    rbac,
    'ClusterRoleBinding',
    'clusterrolebindings',
    {
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
    },
    { roleRef: { apiGroup: rbac } },
  ],
  [
    rbac,
    'RoleBinding',
    'rolebindings',
    { roleRef: { kind: 'Role', name: 'view' }, subjects: [{ kind: 'User', name: 'eve' }] },
    {
      subjects: [{ apiGroup: rbac }],
    },
  ],
];

const ofCluster = new Set([
  'Node',
  'PersistentVolume',
  'IngressClass',
  'CSIDriver',
  'CSINode',
  'DeviceClass',
  'ResourceSlice',
  'StorageClass',
  'VolumeAttachment',
  'PriorityClass',
  'RuntimeClass',
  'ClusterRole',
  'ClusterRoleBinding',
]);

function placeOf(group: string, kind: string, resource: string) {
  const version = kind === 'HorizontalPodAutoscaler' ? 'v2' : 'v1';
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return {
    version,
    collection: ofCluster.has(kind) ? `${root}/${resource}` : `${root}/namespaces/default/${resource}`,
  };
}

test.each(kinds)(
  '%s %s is made from JSON and from protobuf, shown, patched and listed',
  async (group, kind, resource, content, added = {}) => {
    const { version, collection } = placeOf(group, kind, resource);
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const object = { apiVersion, kind, metadata: { name: 'plain' }, ...content };
    const made = await api.create(collection, object);
    expect(made).toMatchObject(content);
    expect(made).toMatchObject(added);
    const typed = await server.fetch(collection, {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
      body: encodeProtobuf({ ...object, metadata: { name: 'typed' } }, { group, version, kind }),
    });
    const { value } = decodeJson(Buffer.from(await typed.arrayBuffer()));
    const { metadata: _, ...same } = made;
    expect(isObject(value) && value).toMatchObject(same);
    const labels = { metadata: { labels: { seen: 'true' } } };
    const strategic = 'application/strategic-merge-patch+json';
    expect((await api.call('PATCH', `${collection}/plain`, labels, strategic)).code).toBe(200);
    const { body } = await api.get(`${collection}?labelSelector=seen`);
    expect(body.items).toMatchObject([{ metadata: { name: 'plain' } }]);
  },
);

/** What is refused, and why. */
const refused: [string, JsonObject, string[]][] = [
  [
    'PersistentVolumeClaim',
    { spec: {} },
    [
      'spec.accessModes: Required value: at least 1 access mode is required',
      'spec.resources[storage]: Required value',
    ],
  ],
  [
    'Ingress',
    { spec: {} },
    ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
  ],
  [
    'Ingress',
    {
      spec: {
        rules: [{ host: '1.2.3.4', http: { paths: [{ backend }, { ...path, path: 'x', backend: {} }] } }],
      },
    },
    [
      'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
      'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
      'spec.rules[0].http.paths[1].path: Invalid value: "x": must be an absolute path',
      'spec.rules[0].http.paths[1].backend: Invalid value: "": resource or service backend is required',
    ],
  ],
  ['IngressClass', { spec: {} }, ['spec.controller: Required value']],
  [
    'EndpointSlice',
    { addressType: 'IPv5' },
    ['addressType: Unsupported value: "IPv5": supported values: "FQDN", "IPv4", "IPv6"'],
  ],
  [
    'PodDisruptionBudget',
    { spec: { minAvailable: 1, maxUnavailable: 1 } },
    [
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: ' +
        'minAvailable and maxUnavailable cannot be both set',
    ],
  ],
  [
    'HorizontalPodAutoscaler',
    { spec: { minReplicas: 2, maxReplicas: 1, scaleTargetRef: { kind: 'A' } } },
    [
      'spec.maxReplicas: Invalid value: 1: must be greater than or equal to `minReplicas`',
      'spec.scaleTargetRef.name: Required value',
      'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
    ],
  ],
  ['StorageClass', {}, ['provisioner: Required value']],
  [
    'CronJob',
    { spec: { concurrencyPolicy: 'x' } },
    [
      'spec.concurrencyPolicy: Unsupported value: "x": supported values: "Allow", "Forbid", "Replace"',
      'spec.jobTemplate.spec.template.spec.containers: Required value',
      'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
      'spec.schedule: Required value',
    ],
  ],
  [
    'ReplicationController',
    { spec: { selector: { a: 'b' }, template: { metadata: { labels: { a: 'c' } }, spec: pod } } },
    ['spec.template.metadata.labels: Invalid value: {"a":"c"}: `selector` does not match template `labels`'],
  ],
  [
    'Role',
    { rules: [{ nonResourceURLs: ['/'] }, {}] },
    [
      'rules[0].nonResourceURLs: Invalid value: ["/"]: namespaced rules cannot apply to non-resource URLs',
      'rules[1].apiGroups: Required value: resource rules must supply at least one api group',
      'rules[1].resources: Required value: resource rules must supply at least one resource',
      'rules[0].verbs: Required value',
      'rules[1].verbs: Required value',
    ],
  ],
  [
    'ClusterRoleBinding',
    {
      roleRef: { kind: 'Role', name: '' },
      subjects: [
        { kind: 'ServiceAccount', name: 'a' },
        { kind: 'X', name: 'b' },
      ],
    },
    [
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      'subjects[0].namespace: Required value',
      'subjects[1].kind: Unsupported value: "X": supported values: "ServiceAccount", "User", "Group"',
      'roleRef.name: Required value',
    ],
  ],
];

const collectionOf = (kind: string) => {
  const [group = '', , resource = ''] = kinds.find((one) => one[1] === kind) ?? [];
  return placeOf(group, kind, resource).collection;
};

const causesOf = (status: { details: { causes: { field: string; message: string }[] } }) =>
  status.details.causes.map(({ field, message }) => `${field}: ${message}`);

test.each(refused)('%s %j is refused', async (kind, content, causes) => {
  const { code, body } = await api.call('POST', collectionOf(kind), {
    metadata: { name: 'wrong' },
    ...content,
  });
  expect([code, causesOf(body)]).toEqual([422, causes]);
});

/** A change of what the first test has made, and why it is refused. */
const refusedChanges: [string, JsonObject, string[]][] = [
  [
    'PersistentVolumeClaim',
    { spec: { volumeMode: 'Block' } },
    [
      'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName ' +
        'for bound claims',
      'volumeMode: Invalid value: "Block": field is immutable',
    ],
  ],
  [
    'StorageClass',
    { provisioner: 'other', volumeBindingMode: 'x' },
    [
      'provisioner: Invalid value: "other": field is immutable',
      'volumeBindingMode: Invalid value: "x": field is immutable',
      'volumeBindingMode: Unsupported value: "x": supported values: "Immediate", "WaitForFirstConsumer"',
    ],
  ],
  ['RuntimeClass', { handler: 'other' }, ['handler: Invalid value: "other": field is immutable']],
  ['PriorityClass', { value: 8 }, ['value: Forbidden: may not be changed in an update.']],
  [
    'IngressClass',
    { spec: { controller: 'example.com/x' } },
    ['spec.controller: Invalid value: "example.com/x": field is immutable'],
  ],
  [
    'RoleBinding',
    { roleRef: { name: 'edit' } },
    [
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"edit"}: cannot change roleRef',
    ],
  ],
];

test.each(refusedChanges)('%s cannot be changed to %j', async (kind, change, causes) => {
  const mergePatch = 'application/merge-patch+json';
  const { code, body } = await api.call('PATCH', `${collectionOf(kind)}/plain`, change, mergePatch);
  expect([code, causesOf(body)]).toEqual([422, causes]);
});

test('a claim takes its volume, and a larger size once it is bound', async () => {
  const claim = `${collectionOf('PersistentVolumeClaim')}/plain`;
  const larger = { spec: { volumeName: 'disk', resources: { requests: { storage: '2Gi' } } } };
  expect((await api.call('PATCH', claim, larger, 'application/merge-patch+json')).code).toBe(422);
  await api.merge(`${claim}/status`, { status: { phase: 'Bound' } });
  expect((await api.merge(claim, larger)).spec).toMatchObject(larger.spec);
});

test('an APIService is available at once where it is local, and otherwise as tests say', async () => {
  const collection = '/apis/apiregistration.k8s.io/v1/apiservices';
  const spec = { group: 'example.com', groupPriorityMinimum: 100, versionPriority: 10 };
  const apiService = (version: string, more: JsonObject = {}) => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${version}.example.com` },
    spec: { ...spec, version, ...more },
  });
  const local = await api.create(collection, apiService('v1'));
  expect(local['status']).toMatchObject({
    conditions: [
      {
        type: 'Available',
        status: 'True',
        reason: 'Local',
        message: 'Local APIServices are always available',
      },
    ],
  });
  const service = { name: 's', namespace: 'n' };
  const away = await api.create(collection, apiService('v2', { service, insecureSkipTLSVerify: true }));
  expect([away['spec'], away['status']]).toMatchObject([{ service: { ...service, port: 443 } }, {}]);
  const condition = { type: 'Available', status: 'Perhaps', reason: 'x' };
  const wrong = await api.call('PUT', `${collection}/v2.example.com/status`, {
    ...away,
    status: { conditions: [condition] },
  });
  expect(wrong.body.details.causes).toEqual([
    {
      field: 'status.conditions[0].status',
      message: 'Unsupported value: "Perhaps": supported values: "False", "True", "Unknown"',
      reason: 'FieldValueNotSupported',
    },
  ]);
  const answer = await server.fetch(collection, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  });
  const { rows } = JSON.parse(await answer.text());
  const cells = rows.map((row: { cells: string[] }) => row.cells.slice(0, 3));
  expect(cells.filter(([name]: string[]) => name?.endsWith('.example.com'))).toEqual([
    ['v1.example.com', 'Local', 'True'],
    ['v2.example.com', 'n/s', 'Unknown'],
  ]);
});
