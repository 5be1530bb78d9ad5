import './undici-on-node-20.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ApiException,
  ApiextensionsV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  type KubernetesObject,
  ListWatch,
  PatchStrategy,
  setHeaderOptions,
  V1MicroTime,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeCertificates } from '../src/auth/index.ts';
import { limits } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { widget, widgetCrd, widgetsPath } from './fixtures/widgets.ts';

const listen = { host: '127.0.0.1', port: 0, tls: true };

function configOf(server: IlkServer): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  return config;
}

interface Widget extends KubernetesObject {
  spec?: { color?: string; size?: number };
}

const blue: Widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'blue' },
  spec: { color: 'blue' },
};

/** The answer that a call was refused with. */
async function refusal(call: Promise<unknown>): Promise<{ code: number; message: string }> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ApiException)) throw error;
    return { code: error.code, message: JSON.parse(error.body).message };
  }
  throw new Error('was not refused');
}

/** Collects lines and lets a test wait for one. */
class Journal {
  readonly lines: string[] = [];
  #onLine: () => void = () => {};

  write(line: string): void {
    this.lines.push(line);
    this.#onLine();
  }

  /** Waits until a line was written a number of times. */
  async has(line: string, times = 1): Promise<void> {
    while (this.lines.filter((one) => one === line).length < times) {
      await new Promise<void>((resolve) => {
        this.#onLine = resolve;
      });
    }
  }
}

describe('typed clients', () => {
  let server: IlkServer;
  let config: KubeConfig;
  beforeAll(async () => {
    server = await startServer({ crds: [widgetCrd], listen });
    config = configOf(server);
  });
  afterAll(() => server.close());

  test('CoreV1Api: namespaces', async () => {
    const core = config.makeApiClient(CoreV1Api);
    const created = await core.createNamespace({ body: { metadata: { name: 'team', labels: { a: 'b' } } } });
    expect(created).toMatchObject({
      kind: 'Namespace',
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const { items } = await core.listNamespace({ labelSelector: 'a=b' });
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(['team']);
    expect(await refusal(core.createNamespace({ body: { metadata: { name: 'team' } } }))).toEqual({
      code: 409,
      message: 'namespaces "team" already exists',
    });
    expect(await refusal(core.readNamespace({ name: 'nowhere' }))).toEqual({
      code: 404,
      message: 'namespaces "nowhere" not found',
    });
  });

  test('CoreV1Api: events', async () => {
    const core = config.makeApiClient(CoreV1Api);
    const involvedObject = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      name: 'blue',
      namespace: 'default',
    };
    const body = {
      metadata: { name: 'blue.1' },
      involvedObject,
      reason: 'Painted',
      message: 'is blue',
      type: 'Normal',
    };
    await core.createNamespacedEvent({ namespace: 'default', body });
    const fieldSelector = 'involvedObject.name=blue,reason=Painted';
    const { items } = await core.listEventForAllNamespaces({ fieldSelector });
    expect(items.map(({ message }) => message)).toEqual(['is blue']);
  });

  test('ApiextensionsV1Api: a definition comes and goes', async () => {
    const extensions = config.makeApiClient(ApiextensionsV1Api);
    const body = JSON.parse(
      JSON.stringify(widgetCrd).replaceAll('widget', 'gizmo').replaceAll('Widget', 'Gizmo'),
    );
    delete body.spec.names.shortNames;
    const { metadata } = await extensions.createCustomResourceDefinition({ body });
    expect(metadata?.name).toBe('gizmos.example.com');
    const watch = new Watch(config);
    const journal = new Journal();
    const controller = await watch.watch(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      { fieldSelector: 'metadata.name=gizmos.example.com' },
      (_type, crd) => {
        for (const { type, status } of crd.status?.conditions ?? []) journal.write(`${type}=${status}`);
      },
      () => {},
    );
    await journal.has('Established=True');
    controller.abort();
    const read = await extensions.readCustomResourceDefinition({ name: 'gizmos.example.com' });
    expect(read.status?.acceptedNames?.kind).toBe('Gizmo');
    await extensions.deleteCustomResourceDefinition({ name: 'gizmos.example.com' });
  });

  test('CustomObjectsApi', async () => {
    const custom = config.makeApiClient(CustomObjectsApi);
    const kind = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'widgets' };
    const created = await custom.createNamespacedCustomObject({
      ...kind,
      body: widget('custom', { size: 1 }),
    });
    expect(created).toMatchObject({ metadata: { generation: 1 }, spec: { size: 1 } });
    const body = { ...created, spec: { size: 2 } };
    expect(await custom.replaceNamespacedCustomObject({ ...kind, name: 'custom', body })).toMatchObject({
      metadata: { generation: 2 },
    });
    expect(
      await refusal(custom.replaceNamespacedCustomObject({ ...kind, name: 'custom', body })),
    ).toMatchObject({
      code: 409,
    });
    await custom.patchNamespacedCustomObjectStatus({
      ...kind,
      name: 'custom',
      body: [{ op: 'add', path: '/status', value: { phase: 'done' } }],
    });
    expect(await custom.getNamespacedCustomObject({ ...kind, name: 'custom' })).toMatchObject({
      spec: { size: 2 },
      status: { phase: 'done' },
    });
    expect(
      await custom.listClusterCustomObject({ ...kind, fieldSelector: 'metadata.name=custom' }),
    ).toMatchObject({
      kind: 'WidgetList',
      items: [{ metadata: { name: 'custom' } }],
    });
    expect(await custom.deleteNamespacedCustomObject({ ...kind, name: 'custom' })).toMatchObject({
      status: 'Success',
    });
    const invalid = widget('custom', { size: -1 });
    expect(await refusal(custom.createNamespacedCustomObject({ ...kind, body: invalid }))).toEqual({
      code: 422,
      message:
        'Widget.example.com "custom" is invalid: spec.size: Invalid value: -1: spec.size in body should be greater ' +
        'than or equal to 0',
    });
  });

  test('CoordinationV1Api: a lease is taken, renewed, and lost', async () => {
    const coordination = config.makeApiClient(CoordinationV1Api);
    const renewTime = new V1MicroTime('2026-01-01T00:00:00.123456Z');
    const spec = { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime, leaseTransitions: 0 };
    const namespace = 'default';
    const lease = await coordination.createNamespacedLease({
      namespace,
      body: { metadata: { name: 'leader' }, spec },
    });
    const renewed = { ...lease, spec: { ...spec, leaseTransitions: 1 } };
    await coordination.replaceNamespacedLease({ name: 'leader', namespace, body: renewed });
    expect(
      await refusal(coordination.replaceNamespacedLease({ name: 'leader', namespace, body: renewed })),
    ).toEqual({
      code: 409,
      message:
        'Operation cannot be fulfilled on leases.coordination.k8s.io "leader": the object has been modified; please ' +
        'apply your changes to the latest version and try again',
    });
    const read = await coordination.readNamespacedLease({ name: 'leader', namespace });
    expect(read.spec).toMatchObject({ holderIdentity: 'me', leaseTransitions: 1 });
  });

  test('KubernetesObjectApi finds a kind by discovery', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const created = await objects.create(blue);
    expect(created).toMatchObject({ metadata: { namespace: 'default', generation: 1 } });
    const header = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'blue', namespace: 'default' },
    };
    expect(await objects.read<Widget>(header)).toMatchObject({ spec: { color: 'blue' } });
    const merge = PatchStrategy.MergePatch;
    const red: Widget = { ...header, spec: { color: 'red' } };
    await objects.patch(red, undefined, undefined, undefined, undefined, merge);
    const applied: Widget = { ...header, spec: { size: 7 } };
    await objects.patch(applied, undefined, undefined, 'applier', undefined, PatchStrategy.ServerSideApply);
    expect(await objects.read<Widget>(header)).toMatchObject({ spec: { color: 'red', size: 7 } });
    const { items } = await objects.list<Widget>('example.com/v1', 'Widget', 'default');
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(['blue']);
    expect(await objects.delete(header)).toMatchObject({ status: 'Success' });
    expect(await refusal(objects.read(header))).toEqual({
      code: 404,
      message: 'widgets.example.com "blue" not found',
    });
    const unknown = { apiVersion: 'example.com/v1', kind: 'Wodget', metadata: { name: 'x' } };
    await expect(objects.create(unknown)).rejects.toThrow(
      'Unrecognized API version and kind: example.com/v1 Wodget',
    );
  });

  test('server-side apply: creates, conflicts, is forced, and runs dry', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const header = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'applied', namespace: 'default' },
    };
    const apply = (manager: string, spec: Widget['spec'], { force = false, dryRun = false } = {}) =>
      objects.patch<Widget>(
        { ...header, ...(spec === undefined ? {} : { spec }) },
        undefined,
        dryRun ? 'All' : undefined,
        manager,
        force,
        PatchStrategy.ServerSideApply,
      );
    const created = await apply('alice', { color: 'blue', size: 1 });
    expect(created.metadata?.managedFields).toMatchObject([
      { manager: 'alice', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:color': {}, 'f:size': {} } } },
    ]);
    expect(await refusal(apply('bob', { color: 'red' }))).toEqual({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "alice": .spec.color',
    });
    const forced = { force: true };
    expect((await apply('bob', { color: 'red' }, { ...forced, dryRun: true })).spec?.color).toBe('red');
    expect((await objects.read<Widget>(header)).spec?.color).toBe('blue');
    await apply('bob', { color: 'red' }, forced);
    await apply('alice', {});
    expect((await objects.read<Widget>(header)).spec).toEqual({ color: 'red' });
    const manager = (name: string) => apply(name, { size: -1 });
    expect((await refusal(manager('carl'))).code).toBe(422);
  });

  test('patches of each type', async () => {
    const custom = config.makeApiClient(CustomObjectsApi);
    const kind = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'widgets' };
    await custom.createNamespacedCustomObject({
      ...kind,
      body: widget('patched', { color: 'blue', size: 1 }),
    });
    const patch = (body: unknown, type: string) =>
      custom.patchNamespacedCustomObject(
        { ...kind, name: 'patched', body, fieldManager: 'me' },
        setHeaderOptions('content-type', type),
      );
    const operations = [
      { op: 'test', path: '/spec/size', value: 1 },
      { op: 'remove', path: '/spec/size' },
    ];
    expect(await patch(operations, PatchStrategy.JsonPatch)).toMatchObject({ spec: { color: 'blue' } });
    expect((await refusal(patch(operations, PatchStrategy.JsonPatch))).code).toBe(422);
    expect(await patch({ spec: { color: 'red' } }, PatchStrategy.MergePatch)).toMatchObject({
      spec: { color: 'red' },
    });
    expect((await refusal(patch({}, PatchStrategy.StrategicMergePatch))).code).toBe(415);
    const core = config.makeApiClient(CoreV1Api);
    const map = { name: 'patched', namespace: 'default' };
    await core.createNamespacedConfigMap({
      ...map,
      body: { metadata: { name: 'patched' }, data: { a: '1' } },
    });
    const patched = await core.patchNamespacedConfigMap(
      { ...map, body: { data: { b: '2' } } },
      setHeaderOptions('content-type', PatchStrategy.StrategicMergePatch),
    );
    expect(patched.data).toEqual({ a: '1', b: '2' });
  });

  test('Watch delivers events, and ends when aborted', async () => {
    const journal = new Journal();
    const controller = await new Watch(config).watch(
      widgetsPath(),
      { labelSelector: 'watched' },
      (type, object) => journal.write(`${type} ${object.metadata.name} ${object.spec.color}`),
      () => journal.write('end'),
    );
    const objects = KubernetesObjectApi.makeApiClient(config);
    const green: Widget = {
      ...blue,
      metadata: { name: 'green', namespace: 'default', labels: { watched: '' } },
    };
    await objects.create({ ...green, spec: { color: 'green' } });
    await journal.has('ADDED green green');
    await objects.delete(green);
    await journal.has('DELETED green green');
    controller.abort();
    await journal.has('end');
    expect(journal.lines).toEqual(['ADDED green green', 'DELETED green green', 'end']);
  });
});

test('the kubeconfig of a server on plain HTTP is one that the client takes', async () => {
  const server = await startServer();
  const { items } = await configOf(server).makeApiClient(CoreV1Api).listNamespace();
  expect(items.length).toBeGreaterThan(0);
  await server.close();
});

describe('an informer', () => {
  /** Time stands still; tests move it. */
  const clock = { ms: Date.UTC(2026, 0, 1), now: () => clock.ms };
  let folder: string;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    folder = mkdtempSync(join(tmpdir(), 'ilk-informer-'));
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true, force: true });
  });

  function informer(config: KubeConfig, journal: Journal) {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const listAll = () => {
      journal.write('list');
      return objects.list<Widget>('example.com/v1', 'Widget', 'default');
    };
    const informed = new ListWatch<Widget>(
      widgetsPath(),
      new Watch(config),
      listAll,
      false,
      undefined,
      undefined,
      {
        delayFn: () => Promise.resolve(),
      },
    );
    const told = (what: string) => (object: Widget) =>
      journal.write(`${what} ${object.metadata?.name} ${object.spec?.color}`);
    informed.on('add', told('add'));
    informed.on('update', told('update'));
    informed.on('delete', told('delete'));
    informed.on('error', () => journal.write('error'));
    return { informed, objects };
  }

  const header = { apiVersion: 'example.com/v1', kind: 'Widget' };
  const merge = PatchStrategy.MergePatch;
  const paint = (objects: KubernetesObjectApi, name: string, color: string) => {
    const painted: Widget = { ...header, metadata: { name, namespace: 'default' }, spec: { color } };
    return objects.patch(painted, undefined, undefined, undefined, undefined, merge);
  };

  test('goes on after a restart of the server where it stopped, without a list', async () => {
    const storage = { kind: 'sqlite', dataDir: folder } as const;
    const tls = await makeCertificates(['127.0.0.1'], Date.now());
    const first = await startServer({ crds: [widgetCrd], storage, listen: { ...listen, tls }, clock });
    const port = Number(new URL(first.url).port);
    const journal = new Journal();
    const { informed, objects } = informer(configOf(first), journal);
    await objects.create(blue);
    await informed.start();
    await journal.has('add blue blue');
    await paint(objects, 'blue', 'red');
    await journal.has('update blue red');
    await first.close();
    // What the informer makes of a server that is away: an error, after which its owner starts it again.
    await journal.has('error');

    const second = await startServer({ storage, listen: { ...listen, port, tls }, clock });
    await paint(objects, 'blue', 'green');
    await informed.start();
    await journal.has('update blue green');
    expect(informed.get('blue', 'default')?.spec).toEqual({ color: 'green' });
    expect(journal.lines.filter((line) => line !== 'error')).toEqual([
      'list',
      'add blue blue',
      'update blue red',
      'update blue green',
    ]);
    await informed.stop();
    await second.close();
  });

  test('lists again where its past was forgotten', async () => {
    const server = await startServer({ crds: [widgetCrd], listen, clock });
    const journal = new Journal();
    const { informed, objects } = informer(configOf(server), journal);
    await objects.create(blue);
    await informed.start();
    await journal.has('add blue blue');
    await informed.stop();
    await paint(objects, 'blue', 'red');
    clock.ms += 2 * limits.watchWindowMs;
    await objects.create({ ...blue, metadata: { name: 'other' } });
    await vi.advanceTimersByTimeAsync(3 * limits.compactionIntervalMs);
    await informed.start();
    await journal.has('add other blue');
    expect(informed.get('blue', 'default')?.spec).toEqual({ color: 'red' });
    expect(journal.lines.filter((line) => line === 'list')).toHaveLength(2);
    await informed.stop();
    await server.close();
  });
});
