import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeJson, encodeProtobuf } from '../../src/codec/index.ts';
import { isObject, type JsonObject, type KubeObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { Api } from '../controllers/api.ts';

let server: IlkServer;
let api: Api;
beforeAll(async () => {
  server = await startServer({ listen: false, disableControllers: ['garbage-collector'] });
  api = Api.of(server);
});
afterAll(() => server.close());

const core = '/api/v1/namespaces/default';
const strategic = 'application/strategic-merge-patch+json';

async function refusal(method: string, path: string, body: unknown): Promise<string[]> {
  const { code, body: status } = await api.call(method, path, body);
  expect({ code, reason: status.reason }).toEqual({ code: 422, reason: 'Invalid' });
  return status.details.causes.map(
    (cause: { field: string; message: string }) => `${cause.field}: ${cause.message}`,
  );
}

async function made(path: string, body: unknown) {
  const { code, body: object } = await api.call('POST', path, body);
  expect([code, object]).toEqual([201, expect.anything()]);
  return object;
}

/** The object as a typed Go client sends it. */
function protobuf(group: string, kind: string, object: KubeObject) {
  const contentType = 'application/vnd.kubernetes.protobuf';
  return {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: encodeProtobuf(object, { group, version: 'v1', kind }),
  };
}

describe('ConfigMap', () => {
  const path = `${core}/configmaps`;

  test('keeps data, which patches change key by key', async () => {
    await made(path, { metadata: { name: 'plain' }, data: { a: '1', b: '2' }, binaryData: { c: 'AAE=' } });
    const { body } = await api.call('PATCH', `${path}/plain`, { data: { a: null, d: '4' } }, strategic);
    expect([body.data, body.binaryData]).toEqual([{ b: '2', d: '4' }, { c: 'AAE=' }]);
  });

  test('refuses keys that are no file names, and keys given twice', async () => {
    const key =
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or " +
      "'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
    const data = { 'a b': '', '..x': '', same: '', ok: '' };
    expect(
      await refusal('POST', path, { metadata: { name: 'keys' }, data, binaryData: { same: '' } }),
    ).toEqual([
      `data[a b]: Invalid value: "a b": ${key}`,
      `data[..x]: Invalid value: "..x": must not start with '..'`,
      'data[same]: Invalid value: "same": duplicate of key present in binaryData',
    ]);
  });

  test('holds 1 MiB and not a byte more', async () => {
    const of = (name: string, bytes: number) => ({ metadata: { name }, data: { a: 'x'.repeat(bytes) } });
    await made(path, of('full', 1_048_576));
    const { code, body } = await api.call('POST', path, of('too-full', 1_048_577));
    expect([code, body.message]).toEqual([
      422,
      'ConfigMap "too-full" is invalid: : Too long: may not be more than 1048576 bytes',
    ]);
  });

  test('once immutable stays so', async () => {
    await made(path, { metadata: { name: 'fixed' }, data: { a: '1' }, immutable: true });
    const detail = 'Forbidden: field is immutable when `immutable` is set';
    const change = { metadata: { name: 'fixed' }, data: { a: '2' } };
    expect(await refusal('PUT', `${path}/fixed`, change)).toEqual([
      `immutable: ${detail}`,
      `data: ${detail}`,
    ]);
    const { code } = await api.call(
      'PATCH',
      `${path}/fixed`,
      { metadata: { labels: { a: 'b' } } },
      strategic,
    );
    expect(code).toBe(200);
  });

  test('has no owner for fields that its Go type adds', async () => {
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const labels = { app: 'owned' };
    const spec = {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'b' }] } },
    };
    const { metadata } = await made(`${deployments}?fieldManager=me`, { metadata: { name: 'owned' }, spec });
    const owned = metadata.managedFields[0].fieldsV1['f:spec'];
    expect(Object.keys(owned)).not.toContain('.');
    expect(Object.keys(owned['f:strategy'])).toEqual(['f:rollingUpdate', 'f:type']);
    expect(Object.keys(owned['f:template']['f:spec']['f:containers'])).toEqual(['k:{"name":"a"}']);
  });

  test('does not say in lists of what kind its objects are, and neither does upstream', async () => {
    await made(path, { metadata: { name: 'listed', labels: { listed: 'true' } }, data: { kind: 'A' } });
    const { body } = await api.get(`${path}?labelSelector=listed`);
    expect([body.apiVersion, body.kind]).toEqual(['v1', 'ConfigMapList']);
    expect(Object.keys(body.items[0])).toEqual(['data', 'metadata']);
  });

  test('is read without the words of a kind where there is no such route', async () => {
    const post = await api.call('POST', `${path}/x`, {});
    expect([post.code, post.body.message, post.body.details]).toEqual([
      405,
      'the server does not allow this method on the requested resource',
      {},
    ]);
    const status = await api.get(`${path}/x/status`);
    expect([status.code, status.body.message]).toEqual([
      404,
      'the server could not find the requested resource',
    ]);
  });

  test('goes with others of its kind, but namespaces go one by one', async () => {
    const { code, body } = await api.call('DELETE', '/api/v1/namespaces?labelSelector=none', undefined);
    expect([code, body.message]).toEqual([
      405,
      'the server does not allow this method on the requested resource',
    ]);
    const { resources } = (await api.get('/api/v1')).body;
    const verbsOf = (name: string) => resources.find((one: { name: string }) => one.name === name).verbs;
    expect(verbsOf('namespaces')).not.toContain('deletecollection');
    expect(verbsOf('configmaps')).toContain('deletecollection');
  });

  test('is not updated with a resourceVersion that is no number', async () => {
    await made(path, { metadata: { name: 'numbered' } });
    const metadata = { name: 'numbered', resourceVersion: 'abc' };
    const { code, body } = await api.call('PUT', `${path}/numbered`, { metadata });
    expect([code, body.reason, body.message]).toEqual([
      500,
      undefined,
      'strconv.ParseUint: parsing "abc": invalid syntax',
    ]);
  });

  test('refuses values of another type', async () => {
    const { code, body } = await api.call('POST', path, { metadata: { name: 'number' }, data: { a: 1 } });
    expect([code, body.message]).toEqual([
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct ' +
        'field ConfigMap.data of type string',
    ]);
  });
});

describe('Secret', () => {
  const path = `${core}/secrets`;

  test('folds stringData into data, in JSON and in protobuf', async () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'folded' },
      data: { a: 'MQ==', b: 'Mg==' },
      stringData: { b: 'two', __proto__x: 'y' },
    };
    const expected = { type: 'Opaque', data: { a: 'MQ==', b: 'dHdv', __proto__x: 'eQ==' } };
    const folded = await made(path, secret);
    expect(folded).toMatchObject(expected);
    expect(folded).not.toHaveProperty('stringData');
    const typed = protobuf('', 'Secret', { ...secret, metadata: { name: 'typed' } });
    const response = await server.fetch(path, typed);
    const { value } = decodeJson(Buffer.from(await response.arrayBuffer()));
    expect(isObject(value) && value).toMatchObject(expected);
    const { body } = await api.call('PATCH', `${path}/typed`, { stringData: { a: 'one' } }, strategic);
    expect(body.data).toEqual({ ...expected.data, a: 'b25l' });
  });

  test.each([
    ['kubernetes.io/tls', {}, ['data[tls.crt]: Required value', 'data[tls.key]: Required value']],
    ['kubernetes.io/tls', { 'tls.crt': '' }, ['data[tls.key]: Required value']],
    ['kubernetes.io/basic-auth', {}, ['data[username]: Required value', 'data[password]: Required value']],
    ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, ['data[ssh-privatekey]: Required value']],
    ['kubernetes.io/dockerconfigjson', {}, ['data[.dockerconfigjson]: Required value']],
    [
      'kubernetes.io/dockerconfigjson',
      { '.dockerconfigjson': Buffer.from('{').toString('base64') },
      ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input'],
    ],
    [
      'kubernetes.io/service-account-token',
      {},
      ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    ],
  ])('of the type %s with %j misses something', async (type, data, expected) => {
    expect(await refusal('POST', path, { metadata: { name: 'typed' }, type, data })).toEqual(expected);
  });

  test('needs one of user and password only', async () => {
    await made(path, {
      metadata: { name: 'user' },
      type: 'kubernetes.io/basic-auth',
      data: { username: '' },
    });
  });

  test('keeps its type, which selects it', async () => {
    await made(path, { metadata: { name: 'kind' }, type: 'example.com/kind' });
    expect(await refusal('PUT', `${path}/kind`, { metadata: { name: 'kind' }, type: 'other' })).toEqual([
      'type: Invalid value: "other": field is immutable',
    ]);
    const { body } = await api.get(`${path}?fieldSelector=type=example.com/kind`);
    expect(body.items.map((item: KubeObject) => item['metadata'])).toMatchObject([{ name: 'kind' }]);
  });

  test('is refused where its data is no base64', async () => {
    const { code, body } = await api.call('POST', path, { metadata: { name: 'base' }, data: { a: 'AA%' } });
    expect([code, body.message]).toEqual([
      400,
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 2',
    ]);
  });
});

test('a ServiceAccount merges its secrets by name', async () => {
  const path = `${core}/serviceaccounts`;
  await made(path, { metadata: { name: 'robot' }, secrets: [{ name: 'a' }, { name: 'b' }] });
  const patch = { secrets: [{ name: 'c' }, { name: 'a', $patch: 'delete' }] };
  const { body } = await api.call('PATCH', `${path}/robot`, patch, strategic);
  expect(body.secrets).toEqual([{ name: 'c' }, { name: 'b' }]);
});

describe('Service', () => {
  const path = `${core}/services`;

  test('gets its defaults', async () => {
    const spec = { ports: [{ port: 80 }], selector: { app: 'web' } };
    const { clusterIP, ...rest } = (await made(path, { metadata: { name: 'web' }, spec })).spec;
    expect(clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/);
    expect(rest).toEqual({
      clusterIPs: [clusterIP],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      selector: { app: 'web' },
      sessionAffinity: 'None',
      type: 'ClusterIP',
      internalTrafficPolicy: 'Cluster',
    });
  });

  test('gets errors for its name and its ports', async () => {
    const ports = [{ port: 0 }, { name: 'a', port: 1, protocol: 'X' }, { name: 'a', port: 2 }];
    expect(await refusal('POST', path, { metadata: { name: 'First' }, spec: { ports } })).toEqual([
      'metadata.name: Invalid value: "First": a lowercase RFC 1123 label must consist of lower case alphanumeric ' +
        "characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', " +
        "regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.ports[0].name: Required value',
      'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
      'spec.ports[2].name: Duplicate value: "a"',
    ]);
    expect(await refusal('POST', path, { metadata: { name: 'none' }, spec: {} })).toEqual([
      'spec.ports: Required value',
    ]);
    await made(path, { metadata: { name: 'headless' }, spec: { clusterIP: 'None' } });
  });
});

describe('Pod', () => {
  const path = `${core}/pods`;
  const container = { name: 'main', image: 'example.com/app:v1', env: [{ name: 'A', value: '1' }] };

  test('gets its defaults', async () => {
    const pod = await made(path, { metadata: { name: 'plain' }, spec: { containers: [container] } });
    expect(pod).toMatchObject({
      metadata: { generation: 1 },
      spec: {
        restartPolicy: 'Always',
        dnsPolicy: 'ClusterFirst',
        terminationGracePeriodSeconds: 30,
        schedulerName: 'default-scheduler',
        securityContext: {},
        containers: [
          {
            imagePullPolicy: 'IfNotPresent',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
          },
        ],
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
  });

  test('asks for fractions of a processor, and for nothing that is no quantity', async () => {
    const of = (cpu: unknown) => ({ ...container, resources: { limits: { cpu } } });
    const pod = await made(path, { metadata: { name: 'half' }, spec: { containers: [of(0.5)] } });
    expect(pod.spec.containers[0].resources).toEqual({ limits: { cpu: '500m' }, requests: { cpu: '500m' } });
    const none = { metadata: { name: 'none' }, spec: { containers: [of({})] } };
    const { code, body } = await api.call('POST', path, none);
    expect([code, body.message]).toEqual([
      400,
      'Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression ' +
        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ]);
  });

  test('is selected by its node and its phase, which its status changes', async () => {
    await made(path, { metadata: { name: 'bound' }, spec: { nodeName: 'n1', containers: [container] } });
    await api.call('PATCH', `${path}/bound/status`, { status: { phase: 'Running' } }, strategic);
    const { body } = await api.get(`${path}?fieldSelector=spec.nodeName=n1,status.phase=Running`);
    expect(body.items).toMatchObject([{ metadata: { name: 'bound' } }]);
  });

  test('changes in its images, a deadline and further tolerations, and in nothing else', async () => {
    await made(path, { metadata: { name: 'fixed' }, spec: { containers: [container] } });
    const patch = (spec: object) => api.call('PATCH', `${path}/fixed`, { spec }, strategic);
    const image = { name: 'main', image: 'example.com/app:v2' };
    const { body } = await patch({
      containers: [image],
      activeDeadlineSeconds: 60,
      tolerations: [{ operator: 'Exists' }],
    });
    expect(body.spec).toMatchObject({ containers: [image], activeDeadlineSeconds: 60 });
    const later = await patch({ activeDeadlineSeconds: 90 });
    expect(later.body.details.causes[0].message).toBe(
      'Invalid value: 90: must be less than or equal to previous value',
    );
    const moved = await patch({ nodeName: 'n1' });
    expect([moved.code, moved.body.message]).toEqual([
      422,
      'Pod "fixed" is invalid: spec: Forbidden: pod updates may not change fields other than ' +
        '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` ' +
        '(only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it ' +
        'was previously negative)',
    ]);
  });

  test('merges containers by name and variables by name, and may have a variable twice', async () => {
    const env = [...container.env, { name: 'A', value: '2' }];
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const labels = { app: 'merged' };
    await made(deployments, {
      metadata: { name: 'merged' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ ...container, env }] } },
      },
    });
    const containers = [{ name: 'main', image: 'example.com/app:v2', env: [{ name: 'B' }] }];
    const patch = { spec: { template: { spec: { containers } } } };
    const { body } = await api.call('PATCH', `${deployments}/merged`, patch, strategic);
    expect(body.spec.template.spec.containers).toMatchObject([
      { name: 'main', image: 'example.com/app:v2', env: [{ name: 'B' }, ...env] },
    ]);
  });

  test('needs containers with names and images', async () => {
    expect(await refusal('POST', path, { metadata: { name: 'none' }, spec: {} })).toEqual([
      'spec.containers: Required value',
    ]);
    const containers = [{ name: 'a' }, { name: 'a', image: 'b' }, { image: 'c' }];
    expect(await refusal('POST', path, { metadata: { name: 'x' }, spec: { containers } })).toEqual([
      'spec.containers[0].image: Required value',
      'spec.containers[1].name: Duplicate value: "a"',
      'spec.containers[2].name: Required value',
    ]);
  });
});

const template = (labels: JsonObject, spec: JsonObject = {}) => ({
  metadata: { creationTimestamp: null, labels },
  spec: { containers: [{ name: 'main', image: 'app' }], ...spec },
});

describe.each([
  ['deployments', 'deployment'],
  ['replicasets', 'deployment'],
  ['statefulsets', 'statefulset'],
  ['daemonsets', 'daemonset'],
])('%s', (resource, called) => {
  const path = `/apis/apps/v1/namespaces/default/${resource}`;
  const selector = { matchLabels: { app: 'web' } };
  const sound = (name: string) => ({
    metadata: { name },
    spec: { selector, template: template({ app: 'web' }) },
  });

  test('gets the defaults of pods in its template', async () => {
    const object = await made(path, sound('defaults'));
    expect(object.metadata.generation).toBe(1);
    expect(object.spec.template.spec).toMatchObject({
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      containers: [{ imagePullPolicy: 'Always' }],
    });
    expect(object.spec.template.metadata).toEqual({ labels: { app: 'web' } });
  });

  test('needs a selector that selects what it makes', async () => {
    const labels = { app: 'other' };
    expect(
      await refusal('POST', path, { metadata: { name: 'x' }, spec: { template: template(labels) } }),
    ).toEqual([
      ...(resource === 'daemonsets' ? [] : ['spec.selector: Required value']),
      `spec.template.metadata.labels: Invalid value: ${JSON.stringify(labels)}: \`selector\` does not match template \`labels\``,
    ]);
    const wrong = { metadata: { name: 'x' }, spec: { selector, template: template(labels) } };
    expect(await refusal('POST', path, wrong)).toEqual([
      'spec.template.metadata.labels: Invalid value: {"app":"other"}: `selector` does not match template `labels`',
    ]);
    const empty = { metadata: { name: 'x' }, spec: { selector: {}, template: template(labels) } };
    expect(await refusal('POST', path, empty)).toEqual([
      `spec.selector: Invalid value: {}: empty selector is invalid for ${called}`,
    ]);
  });

  test('keeps its selector', async () => {
    await made(path, sound('fixed'));
    const matchLabels = { app: 'web2' };
    const change = {
      metadata: { name: 'fixed' },
      spec: { selector: { matchLabels }, template: template(matchLabels) },
    };
    expect(await refusal('PUT', `${path}/fixed`, change)).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"web2"}}: field is immutable',
    ]);
  });

  test('counts changes of the spec, not of the status', async () => {
    await made(path, sound('counted'));
    const status = { status: { observedGeneration: 1 } };
    const first = await api.call('PATCH', `${path}/counted/status`, status, strategic);
    expect(first.body).toMatchObject({ metadata: { generation: 1 }, ...status });
    const containers = [{ name: 'side', image: 'b' }];
    const second = await api.call(
      'PATCH',
      `${path}/counted`,
      { spec: { template: { spec: { containers } } } },
      strategic,
    );
    expect(second.body).toMatchObject({ metadata: { generation: 2 }, ...status });
    expect(second.body.spec.template.spec.containers).toMatchObject([{ name: 'side' }, { name: 'main' }]);
  });
});

test('a Deployment comes in protobuf, gets its defaults, and is scaled', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const spec = { selector: { matchLabels: { app: 'web' } }, template: template({ app: 'web' }) };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'typed' }, spec };
  const response = await server.fetch(path, protobuf('apps', 'Deployment', deployment));
  expect(response.status).toBe(201);
  const { body: stored } = await api.get(`${path}/typed`);
  expect(stored.spec).toMatchObject({
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
  });
  const { body: scale } = await api.get(`${path}/typed/scale`);
  expect([scale.spec, scale.status]).toEqual([{ replicas: 1 }, { replicas: 0, selector: 'app=web' }]);
  await api.call('PUT', `${path}/typed/scale`, { ...scale, spec: { replicas: 4 } });
  const { body: scaled } = await api.get(`${path}/typed`);
  expect([scaled.spec.replicas, scaled.metadata.generation]).toEqual([4, 2]);
});

test('an apply that is applied twice changes nothing the second time', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments/applied?fieldManager=test';
  const applied = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'applied' },
    spec: { selector: { matchLabels: { app: 'web' } }, template: template({ app: 'web' }) },
  };
  const first = await api.call('PATCH', path, applied, 'application/apply-patch+yaml');
  const second = await api.call('PATCH', path, applied, 'application/apply-patch+yaml');
  expect([first.code, second.code]).toEqual([201, 200]);
  expect(second.body).toEqual(first.body);
});

describe('Job', () => {
  const path = '/apis/batch/v1/namespaces/default/jobs';

  test('selects its pods by its own uid', async () => {
    const spec = { template: template({}, { restartPolicy: 'Never' }) };
    const job = await made(path, { metadata: { name: 'once' }, spec });
    const labels = { 'batch.kubernetes.io/controller-uid': job.metadata.uid };
    expect(job.spec).toMatchObject({
      completions: 1,
      parallelism: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      selector: { matchLabels: labels },
      template: { metadata: { labels: { ...labels, 'job-name': 'once' } } },
    });
  });

  test('must end, and keeps its template', async () => {
    const spec = { template: template({}, { restartPolicy: 'Never' }) };
    expect(
      await refusal('POST', path, { metadata: { name: 'x' }, spec: { template: template({}) } }),
    ).toEqual(['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"']);
    await made(path, { metadata: { name: 'fixed' }, spec });
    const patch = { spec: { template: { spec: { containers: [{ name: 'main', image: 'other' }] } } } };
    const { code, body } = await api.call('PATCH', `${path}/fixed`, patch, strategic);
    expect([code, body.message]).toEqual([
      422,
      expect.stringMatching(/spec\.template: .*: field is immutable$/),
    ]);
  });
});
