import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { type Query, queryText } from '../fixtures/selectable-widgets.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] },
};
const podSpec = (more: JsonObject = {}) => ({ containers: [{ name: 'a', image: 'b' }], ...more });
const selector = { matchLabels: { app: 'web' } };
const accessModes = ['ReadWriteOnce'];
const volume = { accessModes, capacity: { storage: '1Gi' }, hostPath: { path: '/tmp' } };
const claim = { accessModes, resources: { requests: { storage: '1Gi' } } };
const about = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  namespace: 'default',
  name,
  uid: `uid-${name}`,
  resourceVersion: '7',
  fieldPath: 'spec.containers{a}',
});
const reported = { action: 'Watch', eventTime: '2026-01-01T00:00:00.000000Z', reportingInstance: 'me' };

/** A kind, what most of its objects look like, and what a few do; a status is written apart. */
interface Kind {
  readonly path: string;
  readonly plain: JsonObject;
  readonly special: JsonObject;
  /** Of a field: the value of the special ones, and of the plain ones. */
  readonly values: Readonly<Record<string, readonly [special: string, plain: string]>>;
}

const inDefault = (group: string, resource: string) => `${group}/namespaces/default/${resource}`;

// The table of KEP-4358, for the kinds that are served; selectors of upstream that it does not name are there as well.
const kinds: Record<string, Kind> = {
  Pod: {
    path: inDefault('/api/v1', 'pods'),
    plain: { spec: podSpec() },
    special: {
      spec: podSpec({
        nodeName: 'n1',
        restartPolicy: 'Never',
        schedulerName: 'mine',
        serviceAccountName: 'robot',
        hostNetwork: true,
      }),
      status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], nominatedNodeName: 'n2' },
    },
    values: {
      'spec.nodeName': ['n1', ''],
      'spec.restartPolicy': ['Never', 'Always'],
      'spec.schedulerName': ['mine', 'default-scheduler'],
      'spec.serviceAccountName': ['robot', 'default'],
      'spec.hostNetwork': ['true', 'false'],
      'status.phase': ['Running', 'Pending'],
      'status.podIP': ['10.0.0.1', ''],
      'status.nominatedNodeName': ['n2', ''],
    },
  },
  ReplicaSet: {
    path: inDefault('/apis/apps/v1', 'replicasets'),
    plain: { spec: { selector, template: { ...template, spec: podSpec() } } },
    special: { spec: { selector, template: { ...template, spec: podSpec() } }, status: { replicas: 3 } },
    values: { 'status.replicas': ['3', '0'] },
  },
  Job: {
    path: inDefault('/apis/batch/v1', 'jobs'),
    plain: { spec: { template } },
    special: { spec: { template }, status: { succeeded: 2 } },
    values: { 'status.successful': ['2', '0'] },
  },
  Secret: {
    path: inDefault('/api/v1', 'secrets'),
    plain: {},
    special: { type: 'example.com/special' },
    values: { type: ['example.com/special', 'Opaque'] },
  },
  Service: {
    path: inDefault('/api/v1', 'services'),
    plain: { spec: { ports: [{ port: 80 }] } },
    special: { spec: { ports: [{ port: 80 }], type: 'NodePort' } },
    values: { 'spec.type': ['NodePort', 'ClusterIP'] },
  },
  'Service without an address': {
    path: '/api/v1/namespaces/kube-public/services',
    plain: { spec: { ports: [{ port: 80 }] } },
    special: { spec: { ports: [{ port: 80 }], clusterIP: 'None' } },
    values: { 'spec.clusterIP': ['None', '10.0.0.9'] },
  },
  Node: {
    path: '/api/v1/nodes',
    plain: {},
    special: { spec: { unschedulable: true } },
    values: { 'spec.unschedulable': ['true', 'false'] },
  },
  ReplicationController: {
    path: inDefault('/api/v1', 'replicationcontrollers'),
    plain: { spec: { selector: { app: 'web' }, template: { ...template, spec: podSpec() } } },
    special: {
      spec: { selector: { app: 'web' }, template: { ...template, spec: podSpec() } },
      status: { replicas: 3 },
    },
    values: { 'status.replicas': ['3', '0'] },
  },
  PersistentVolume: {
    path: '/api/v1/persistentvolumes',
    plain: { spec: volume },
    special: { spec: volume },
    values: { name: ['special-0', 'plain-0'] },
  },
  PersistentVolumeClaim: {
    path: inDefault('/api/v1', 'persistentvolumeclaims'),
    plain: { spec: claim },
    special: { spec: claim },
    values: { name: ['special-0', 'plain-0'] },
  },
  Namespace: {
    path: '/api/v1/namespaces',
    plain: {},
    special: { metadata: { finalizers: ['example.com/held'] } },
    values: { name: ['special-0', 'plain-0'] },
  },
  Event: {
    path: inDefault('/api/v1', 'events'),
    plain: { involvedObject: { namespace: 'default' }, type: 'Normal' },
    special: {
      involvedObject: about('p'),
      reason: 'Started',
      reportingComponent: 'reporter',
      type: 'Warning',
    },
    values: {
      'involvedObject.kind': ['Pod', ''],
      'involvedObject.name': ['p', ''],
      'involvedObject.uid': ['uid-p', ''],
      'involvedObject.apiVersion': ['v1', ''],
      'involvedObject.resourceVersion': ['7', ''],
      'involvedObject.fieldPath': ['spec.containers{a}', ''],
      reason: ['Started', ''],
      reportingComponent: ['reporter', ''],
      // Renamed, and what reports stands in where there is no source.
      source: ['reporter', ''],
      type: ['Warning', 'Normal'],
    },
  },
  'Event of events.k8s.io': {
    // In a namespace of their own: these are the same events.
    path: '/apis/events.k8s.io/v1/namespaces/kube-system/events',
    plain: {
      ...reported,
      reason: 'Quiet',
      reportingController: 'example.com/quiet',
      regarding: { namespace: 'kube-system' },
      type: 'Normal',
    },
    special: {
      ...reported,
      reason: 'Started',
      reportingController: 'example.com/loud',
      regarding: { ...about('q'), namespace: 'kube-system' },
      type: 'Warning',
    },
    values: {
      'regarding.kind': ['Pod', ''],
      'regarding.name': ['q', ''],
      'regarding.uid': ['uid-q', ''],
      'regarding.apiVersion': ['v1', ''],
      'regarding.resourceVersion': ['7', ''],
      'regarding.fieldPath': ['spec.containers{a}', ''],
      reason: ['Started', 'Quiet'],
      reportingController: ['example.com/loud', 'example.com/quiet'],
      type: ['Warning', 'Normal'],
    },
  },
};

/** A few more than views have before they are worth an index. */
const plainCount = 130;
const specialCount = 3;
const plainNames = Array.from({ length: plainCount }, (_, at) => `plain-${at}`);
const specialNames = Array.from({ length: specialCount }, (_, at) => `special-${at}`);

/** A server with objects of all these kinds. */
class Shop {
  readonly server: IlkServer;

  constructor(server: IlkServer) {
    this.server = server;
  }

  static async open(indexes: boolean): Promise<Shop> {
    const controllers = ['namespace', 'garbage-collector'];
    return new Shop(
      await startServer({ listen: false, selectors: { indexes }, disableControllers: controllers }),
    );
  }

  async stock(kind: Kind): Promise<void> {
    await Promise.all([
      ...plainNames.map((name) => this.make(kind, name, kind.plain)),
      ...specialNames.map((name) => this.make(kind, name, kind.special)),
    ]);
    // Whoever lists them sees all of them; whether an index is worth its while is decided by what was seen last.
    await this.list(kind.path, {});
  }

  async make({ path }: Kind, name: string, { status, ...rest }: JsonObject): Promise<void> {
    const metadata = { ...Object(rest['metadata']), name };
    const { code, body } = await this.call('POST', path, { ...rest, metadata });
    expect([code, body['message']]).toEqual([201, undefined]);
    if (status !== undefined) await this.report(path, name, status);
  }

  async report(path: string, name: string, status: unknown): Promise<void> {
    const { code, body } = await this.call('PATCH', `${path}/${name}/status`, { status });
    expect([code, body['message']]).toEqual([200, undefined]);
  }

  async call(method: string, path: string, body?: unknown) {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const sent = body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) };
    const answer = await this.server.fetch(path, { method, ...sent });
    const parsed: KubeObject = JSON.parse(await answer.text());
    return { code: answer.status, body: parsed, plan: answer.headers.get('ilk-selector-plan') ?? '' };
  }

  /** Only what this test made: a server has some objects of its own. */
  async list(path: string, query: Query) {
    const { body, plan } = await this.call('GET', `${path}?${queryText({ selectorPlan: 'true', ...query })}`);
    const items = (body['items'] as KubeObject[] | undefined) ?? [];
    const names = new Set(items.map(nameIn).filter(isOurs));
    return { names: [...names].sort(), plan, message: body['message'] };
  }
}

const nameIn = ({ metadata }: KubeObject) => String(Object(metadata).name);
const isOurs = (name: string) => /^(plain|special)-/.test(name);

let indexed: Shop;
let scanning: Shop;
beforeAll(async () => {
  indexed = await Shop.open(true);
  scanning = await Shop.open(false);
});
afterAll(async () => {
  await indexed.server.close();
  await scanning.server.close();
});

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  beforeAll(async () => {
    await Promise.all([indexed.stock(kind), scanning.stock(kind)]);
  });

  test.each(Object.entries(kind.values))(
    'is selected by %s, through its index',
    async (field, [special, plain]) => {
      const one = field === 'name';
      const isBoth = special === plain;
      const specials = one ? ['special-0'] : isBoth ? [...plainNames, ...specialNames] : specialNames;
      const found = await indexed.list(kind.path, { fieldSelector: `${field}=${special}` });
      expect(found).toMatchObject({ names: specials.toSorted(), plan: expect.stringMatching(/^index: /) });
      for (const fieldSelector of [
        `${field}=${special}`,
        `${field}=${plain}`,
        `${field}!=${special}`,
        `${field}!=${plain}`,
        `${field}=nothing`,
        `${field}=${special},metadata.name=special-0`,
      ]) {
        const [byIndex, byScan] = await Promise.all([
          indexed.list(kind.path, { fieldSelector }),
          scanning.list(kind.path, { fieldSelector }),
        ]);
        expect([byIndex.names, byIndex.message]).toEqual([byScan.names, undefined]);
        expect(byScan.plan).not.toMatch(/^index/);
      }
      const everywhere = kind.path.replace(/\/namespaces\/(default|kube-[a-z]+)/, '');
      const inAll = await indexed.list(everywhere, { fieldSelector: `${field}=${special}` });
      expect(inAll).toMatchObject({ names: specials.toSorted(), plan: expect.stringMatching(/^index: /) });
    },
  );

  test('all together, and by nothing else', async () => {
    const all = Object.entries(kind.values).map(([field, [special]]) => `${field}=${special}`);
    const { names } = await indexed.list(kind.path, { fieldSelector: all.join(',') });
    expect(names).toEqual('name' in kind.values ? ['special-0'] : specialNames);
    const { message } = await indexed.list(kind.path, { fieldSelector: 'spec.other=x' });
    expect(message).toBe('field label not supported: spec.other');
  });

  test('a watch tells of what is selected', async () => {
    const [[field = '', [special = ''] = []] = []] = Object.entries(kind.values);
    const query = queryText({ watch: 1, selectorPlan: 'true', fieldSelector: `${field}=${special}` });
    const answer = await indexed.server.fetch(`${kind.path}?${query}`);
    expect(answer.headers.get('ilk-selector-plan')).toContain(`index: ${field}=${special}`);
    const stream = new WatchStream(answer);
    const wanted = 'name' in kind.values ? ['special-0'] : specialNames;
    const told: string[] = [];
    for (const _ of wanted) {
      const event = await stream.next();
      told.push(`${event?.type} ${nameIn(event?.object ?? {})}`);
    }
    expect(told.toSorted()).toEqual(wanted.map((name) => `ADDED ${name}`));
    await stream.close();
  });
});

describe('what changes', () => {
  test.each<[string, JsonObject, JsonObject, string]>([
    ['Pod', { phase: 'Failed' }, { phase: 'Succeeded' }, 'status.phase=Failed'],
    ['Pod', { podIPs: [{ ip: '10.9.9.9' }] }, { podIPs: [{ ip: '10.9.9.8' }] }, 'status.podIP=10.9.9.9'],
    ['Job', { succeeded: 9 }, { succeeded: 10 }, 'status.successful=9'],
    ['ReplicaSet', { replicas: 9 }, { replicas: 10 }, 'status.replicas=9'],
  ])('a %s comes and goes with its status %j', async (name, before, after, fieldSelector) => {
    const { path } = kinds[name] ?? { path: '' };
    const query = queryText({ watch: 1, fieldSelector });
    const stream = new WatchStream(await indexed.server.fetch(`${path}?${query}`));
    await indexed.report(path, 'plain-1', before);
    expect(await stream.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'plain-1' } } });
    expect(await indexed.list(path, { fieldSelector })).toMatchObject({
      names: ['plain-1'],
      plan: expect.stringMatching(/^index: /),
    });
    await indexed.report(path, 'plain-1', after);
    expect(await stream.next()).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'plain-1' } } });
    expect((await indexed.list(path, { fieldSelector })).names).toEqual([]);
    await stream.close();
  });

  test('a namespace that goes changes its phase', async () => {
    const { path } = kinds['Namespace'] ?? { path: '' };
    const query = queryText({ watch: 1, fieldSelector: 'status.phase=Terminating' });
    const stream = new WatchStream(await indexed.server.fetch(`${path}?${query}`));
    await indexed.call('DELETE', `${path}/special-1`);
    expect(await stream.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'special-1' } } });
    expect((await indexed.list(path, { fieldSelector: 'status.phase=Terminating' })).names).toEqual([
      'special-1',
    ]);
    expect((await indexed.list(path, { fieldSelector: 'status.phase!=Active' })).names).toEqual([
      'special-1',
    ]);
    await stream.close();
  });

  test('deletecollection deletes what is selected, and leaves the rest', async () => {
    const { path } = kinds['Secret'] ?? { path: '' };
    const answer = await indexed.call('DELETE', `${path}?fieldSelector=type=example.com/special`);
    expect(answer.code).toBe(200);
    expect((await indexed.list(path, {})).names).toEqual(plainNames.toSorted());
  });
});

test('a fork begins with the indexes of its parent, and what is written to it shows nowhere else', async () => {
  const pods: Kind = { path: inDefault('/api/v1', 'pods'), plain: {}, special: {}, values: {} };
  const { path } = pods;
  const fieldSelector = 'spec.nodeName=n1';
  const before = await indexed.list(path, { fieldSelector });
  expect(before).toMatchObject({ names: specialNames, plan: expect.stringMatching(/^index: /) });
  const fork = new Shop(await indexed.server.fork());
  const again = await fork.list(path, { fieldSelector });
  expect(again).toEqual(before);
  await fork.make(pods, 'special-forked', { spec: podSpec({ nodeName: 'n1' }) });
  await fork.call('DELETE', `${path}/special-0?gracePeriodSeconds=0`);
  await indexed.make(pods, 'special-here', { spec: podSpec({ nodeName: 'n1' }) });
  const after = async (shop: Shop) => (await shop.list(path, { fieldSelector })).names;
  expect(await after(fork)).toEqual(['special-1', 'special-2', 'special-forked']);
  expect(await after(indexed)).toEqual(['special-0', 'special-1', 'special-2', 'special-here']);
  await fork.server.close();
  await indexed.call('DELETE', `${path}/special-here?gracePeriodSeconds=0`);
});

describe('OpenAPI', () => {
  const published = {
    'io.k8s.api.core.v1.Pod': [
      { fieldPath: 'spec.nodeName' },
      { fieldPath: 'spec.restartPolicy' },
      { fieldPath: 'spec.schedulerName' },
      { fieldPath: 'spec.serviceAccountName' },
      {
        fieldPath: 'spec.hostNetwork',
        default: 'false',
        description: expect.stringContaining('network of its host'),
      },
      { fieldPath: 'status.phase' },
      { fieldPath: 'status.podIP', default: '', description: expect.stringContaining('status.podIPs') },
      { fieldPath: 'status.nominatedNodeName' },
    ],
    'io.k8s.api.apps.v1.ReplicaSet': [{ fieldPath: 'status.replicas', default: '0' }],
    'io.k8s.api.batch.v1.Job': [
      {
        fieldPath: 'status.successful',
        default: '0',
        description: 'Set to the value of the status.succeeded field',
      },
    ],
    'io.k8s.api.core.v1.Node': [{ fieldPath: 'spec.unschedulable', default: 'false' }],
    'io.k8s.api.core.v1.PersistentVolume': [
      { fieldPath: 'name', description: 'Set to the value of the metadata.name field' },
    ],
    'io.k8s.api.core.v1.Secret': [{ fieldPath: 'type' }],
    'io.k8s.api.core.v1.Service': [{ fieldPath: 'spec.clusterIP' }, { fieldPath: 'spec.type' }],
    'io.k8s.api.core.v1.Namespace': [
      { fieldPath: 'status.phase' },
      { fieldPath: 'name', description: 'Set to the value of the metadata.name field' },
    ],
  };
  const note = 'x-kubernetes-selectable-fields';

  test('v2 and v3 tell what can be selected by, of an object and of its list', async () => {
    const v2 = (await indexed.call('GET', '/openapi/v2')).body;
    const definitions: Record<string, JsonObject> = Object(v2['definitions']);
    const v3: Record<string, JsonObject> = {};
    for (const document of ['api/v1', 'apis/apps/v1', 'apis/batch/v1', 'apis/events.k8s.io/v1']) {
      const { body } = await indexed.call('GET', `/openapi/v3/${document}`);
      Object.assign(v3, Object(body['components']).schemas);
    }
    for (const schemas of [definitions, v3]) {
      for (const [name, fields] of Object.entries(published)) {
        expect(schemas[name]?.[note]).toEqual(fields);
        expect(schemas[`${name}List`]?.[note]).toEqual(fields);
      }
      const paths = (name: string) =>
        Object(schemas[name])[note].map(({ fieldPath }: JsonObject) => fieldPath);
      expect(paths('io.k8s.api.core.v1.Event')).toEqual(
        expect.arrayContaining([...Object.keys(kinds['Event']?.values ?? {}), 'involvedObject.namespace']),
      );
      expect(paths('io.k8s.api.events.v1.Event')).toEqual(
        expect.arrayContaining(Object.keys(kinds['Event of events.k8s.io']?.values ?? {})),
      );
      expect(schemas['io.k8s.api.core.v1.ConfigMap']?.[note]).toBeUndefined();
    }
  });
});
