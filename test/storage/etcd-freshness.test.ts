import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/meta/index.ts';
import { type IlkServer, type ServerOptions, startServer } from '../../src/server.ts';
import { openEtcdStore } from '../../src/storage/index.ts';
import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { tellsTrueProgress } from '../../src/storage/etcd/server-version.ts';
import { TcpProxy } from '../faults/tcp-proxy.ts';
import { alphaGate, cron, cronCrd, cronsPath } from '../feature-gates/gated.test-support.ts';
import { call, crdsPath, gadgetCrd, leaderElection, until } from './replicas.test-support.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';

const applyPatch = 'application/apply-patch+yaml';

describe.skipIf(etcdBinaries.length === 0).each(etcdBinaries)('on etcd $version,', (binary) => {
  /** What an old etcd says of its watches cannot be believed: then the latest is read from etcd itself. */
  const fromView = tellsTrueProgress(binary.version);
  let etcd: EtcdProcess;
  let a: IlkServer;
  const start = (more: ServerOptions = {}) =>
    startServer({
      storage: { kind: 'etcd', endpoints: [etcd.url] },
      listen: false,
      leaderElection,
      ...more,
    });

  beforeAll(async () => {
    etcd = await EtcdProcess.start({ binary });
    a = await start({ crds: [widgetCrd] });
  });
  afterAll(async () => {
    await a.close();
    await etcd[Symbol.asyncDispose]();
  });

  let count = 0;
  let name = '';
  beforeEach(() => {
    name = `widget-${(count += 1)}`;
  });

  test('a read of the latest is not answered from a view that is behind, whatever else is', async () => {
    await using link = await WatchLink.start(etcd.url);
    await using c = await start({ storage: { kind: 'etcd', endpoints: [link.url] } });
    const path = `${widgetsPath()}/${name}`;
    const selector = `labelSelector=name=${name}`;
    await call(a, 'POST', widgetsPath(), widget(name, { color: 'blue' }, { labels: { name } }));
    const colorThere = async (query: string) => (await call(c, 'GET', `${path}?${query}`)).body.spec.color;
    for (const query of ['', 'resourceVersion=0']) expect(await colorThere(query)).toBe('blue');
    link.hold();
    await call(a, 'PATCH', path, { spec: { color: 'red' } });
    const reading = colorThere('');
    const listing = call(c, 'GET', `${widgetsPath()}?${selector}`);
    await call(a, 'GET', path);
    expect(await colorThere('resourceVersion=0')).toBe('blue');
    if (!fromView) await Promise.all([reading, listing]);
    link.release();
    expect([await reading, (await listing).body.items[0].spec.color]).toEqual(['red', 'red']);
  });

  test.skipIf(fromView)(
    'reads of the latest need no watch: single ones, pages, and by selectors',
    async () => {
      await using link = await WatchLink.start(etcd.url);
      await using c = await start({ storage: { kind: 'etcd', endpoints: [link.url] } });
      await call(a, 'POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
      });
      await call(c, 'GET', `${widgetsPath(name)}?resourceVersion=0`);
      link.hold();
      for (const [index, color] of ['red', 'blue', 'red', 'green', 'red'].entries())
        await call(a, 'POST', widgetsPath(name), widget(`w-${index}`, { color }, { labels: { color } }));
      const page = async (query: string) => {
        const { metadata, items } = (await call(c, 'GET', `${widgetsPath(name)}?${query}`)).body;
        const names = items.map((item: { metadata: { name: string } }) => item.metadata.name);
        return { names, left: metadata.remainingItemCount, next: metadata.continue };
      };
      const first = await page('limit=2');
      expect(first).toMatchObject({ names: ['w-0', 'w-1'], left: 3 });
      await call(a, 'DELETE', `${widgetsPath(name)}/w-2`);
      // Later pages are of the moment of the first one.
      const second = await page(`limit=2&continue=${first.next}`);
      expect(second).toMatchObject({ names: ['w-2', 'w-3'], left: 1 });
      expect(await page(`limit=2&continue=${second.next}`)).toMatchObject({ names: ['w-4'], next: '' });
      expect(await page('labelSelector=color%3Dred&limit=1')).toMatchObject({ names: ['w-0'] });
      expect(await page('labelSelector=color%3Dred')).toMatchObject({ names: ['w-0', 'w-4'], next: '' });
      expect(await page('fieldSelector=metadata.name%3Dw-3')).toMatchObject({ names: ['w-3'] });
      expect((await call(c, 'GET', `${widgetsPath(name)}/w-3/status`)).body.spec.color).toBe('green');
      expect((await call(c, 'GET', `${widgetsPath(name)}/w-2`)).body.message).toBe(
        'widgets.example.com "w-2" not found',
      );
      expect(await page('resourceVersion=0')).toMatchObject({ names: [] });
      link.release();
    },
  );

  test.skipIf(fromView)(
    'large lists of the latest come from the view; where it is behind, lists at the same time share one read of etcd',
    async () => {
      await using link = await WatchLink.start(etcd.url);
      await using c = await start({ storage: { kind: 'etcd', endpoints: [link.url] } });
      await call(a, 'POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
      });
      await putWidgets(etcd.url, name, limits.storedListObjectsMax);
      const path = `${widgetsPath(name)}?labelSelector=color`;
      const colored = async () => (await call(c, 'GET', path)).body.items.map(nameOf);
      const paint = (one: string) =>
        call(a, 'PATCH', `${widgetsPath(name)}/${one}`, { metadata: { labels: { color: 'red' } } });
      const { body } = await paint('w-7');
      await call(c, 'GET', `${widgetsPath(name)}?resourceVersion=${body.metadata.resourceVersion}`);
      const before = await listsOfWidgets(c);
      expect(await Promise.all([colored(), colored(), colored()])).toEqual([['w-7'], ['w-7'], ['w-7']]);
      expect(await listsOfWidgets(c)).toBe(before);
      link.hold();
      await paint('w-8');
      const lists = await Promise.all(Array.from({ length: 16 }, colored));
      for (const names of lists) expect(names).toEqual(['w-7', 'w-8']);
      expect(await listsOfWidgets(c)).toBeLessThan(before + 16);
      link.release();
    },
  );

  test('a create through a server that is behind is one under the CRD and in the namespace as they are', async () => {
    await using link = await WatchLink.start(etcd.url);
    await using c = await start({ storage: { kind: 'etcd', endpoints: [link.url] } });
    const plural = `behind${count}`;
    const crdPath = `${crdsPath}/${plural}.example.com`;
    const path = `/apis/example.com/v1/${plural}`;
    const gadget = (one: string) => ({
      apiVersion: 'example.com/v1',
      kind: `Gadget${plural}`,
      metadata: { name: one },
      spec: { field: 'kept' },
    });
    await call(a, 'POST', crdsPath, gadgetCrd(plural));
    await until(
      () => call(c, 'POST', path, gadget('before')),
      ({ code }) => code === 201,
    );
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await call(a, 'POST', '/api/v1/namespaces', namespace);
    const held = widget('held', undefined, { finalizers: ['example.com/hold'] });
    expect((await call(c, 'POST', widgetsPath(name), held)).code).toBe(201);

    link.hold();
    const { body: crd } = await call(a, 'GET', crdPath);
    crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties = { field: { type: 'string' } };
    expect((await call(a, 'PUT', crdPath, crd)).code).toBe(200);
    expect((await call(a, 'DELETE', `/api/v1/namespaces/${name}`)).code).toBe(200);
    const made = call(c, 'POST', path, gadget('after'));
    const refused = call(c, 'POST', widgetsPath(name), widget('late'));
    // It does not know better: only etcd does.
    const { body: old } = await call(c, 'GET', `/api/v1/namespaces/${name}?resourceVersion=0`);
    expect(old.status.phase).toBe('Active');
    link.release();
    const { code, body } = await made;
    expect([code, body.spec]).toEqual([201, { field: 'kept' }]);
    expect((await refused).body).toMatchObject({
      code: 403,
      details: { causes: [{ reason: 'NamespaceTerminating' }] },
    });
    await call(a, 'PATCH', `${widgetsPath(name)}/held`, { metadata: { finalizers: null } });
  });

  test('a change through a server that is behind is one of the object as it is, also where it seems to change nothing', async () => {
    await using link = await WatchLink.start(etcd.url);
    await using c = await start({ storage: { kind: 'etcd', endpoints: [link.url] } });
    const path = `${widgetsPath()}/${name}`;
    const apply = () =>
      call(c, 'PATCH', `${path}?fieldManager=me&force=true`, widget(name, { color: 'blue' }), applyPatch);
    const paint = (server: IlkServer, color: string) => call(server, 'PATCH', path, { spec: { color } });
    const { resourceVersion } = (await apply()).body.metadata;
    await call(c, 'GET', `${path}?resourceVersion=${resourceVersion}`);
    link.hold();
    await call(a, 'PATCH', path, { spec: { size: 3 } });
    const labelled = await call(c, 'PATCH', path, { metadata: { labels: { a: 'b' } } });
    expect(labelled.body.spec).toEqual({ color: 'blue', size: 3 });
    link.release();
    for (const change of [() => paint(c, 'blue'), apply]) {
      // What is remembered of an apply that changed nothing does not count either.
      for (let round = 0; round < 3; round += 1) expect((await apply()).body.spec.color).toBe('blue');
      link.hold();
      await paint(a, 'red');
      const changing = change();
      const { body: old } = await call(c, 'GET', `${path}?resourceVersion=0`);
      expect(old.spec.color).toBe('blue');
      link.release();
      expect((await changing).body.spec.color).toBe('blue');
      expect((await call(a, 'GET', path)).body.spec.color).toBe('blue');
    }
  });

  test('a delete through a server that is behind is one of the object as it is', async () => {
    await using link = await WatchLink.start(etcd.url);
    await using c = await start({ storage: { kind: 'etcd', endpoints: [link.url] } });
    const path = `${widgetsPath()}/${name}`;
    const { body: made } = await call(a, 'POST', widgetsPath(), widget(name));
    const { resourceVersion } = made.metadata;
    await call(c, 'GET', `${path}?resourceVersion=${resourceVersion}`);
    link.hold();
    const { body: held } = await call(a, 'PATCH', path, { metadata: { finalizers: ['example.com/hold'] } });
    const refused = call(c, 'DELETE', path, { preconditions: { resourceVersion } });
    const deleting = call(c, 'DELETE', path);
    const { body: old } = await call(c, 'GET', `${path}?resourceVersion=0`);
    expect(old.metadata.finalizers).toBe(undefined);
    link.release();
    expect((await refused).body).toMatchObject({ code: 409, reason: 'Conflict' });
    const { code, body } = await deleting;
    expect([code, body.metadata.finalizers]).toEqual([200, ['example.com/hold']]);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(Number(held.metadata.resourceVersion));
    link.hold();
    await call(a, 'PATCH', path, { metadata: { finalizers: null } });
    await call(a, 'POST', widgetsPath(), widget(name, { color: 'new' }));
    const again = call(c, 'DELETE', path);
    link.release();
    expect((await again).body.details.name).toBe(name);
    expect((await call(a, 'GET', path)).code).toBe(404);
  });

  test('a delete is repeated if the CRD differs from the cached one', async () => {
    await using link = await WatchLink.start(etcd.url);
    const seldom = { leaseMs: 120_000, renewDeadlineMs: 110_000, retryMs: 60_000 };
    const storage = { kind: 'etcd', endpoints: [link.url] } as const;
    await using c = await start({ storage, leaderElection: seldom });
    const path = `${widgetsPath()}/${name}`;
    const { body: made } = await call(a, 'POST', widgetsPath(), widget(name));
    await call(c, 'GET', `${path}?resourceVersion=${made.metadata.resourceVersion}`);
    link.hold();
    const annotations = { changed: name };
    await call(a, 'PATCH', `${crdsPath}/widgets.example.com`, { metadata: { annotations } });
    const before = await revisionsAsked(c);
    const deleting = call(c, 'DELETE', path);
    await until(
      () => revisionsAsked(c),
      (asked) => asked > before,
    );
    link.release();
    expect((await deleting).code).toBe(200);
  });

  test('a write that is tried twice has its effects once: what gates drop is counted, and told, once a request', async () => {
    const crds = [cronCrd([alphaGate('Images', '.spec.image')])];
    await using c = await start({ crds });
    const create = () => call(c, 'POST', cronsPath(), cron(name, { spec: { image: 'nginx' } }));
    const counted = async () => {
      const text = await (await c.fetch('/metrics')).text();
      return Number(/^ilk_custom_feature_fields_dropped_total\{.*name="Images".*\} (\d+)$/m.exec(text)?.[1]);
    };
    expect((await create()).code).toBe(201);
    expect(await counted()).toBe(1);
    // The name is taken, as far as is cached; the storage is asked for the latest before it is refused.
    expect((await create()).code).toBe(409);
    expect(await counted()).toBe(2);
  });

  test('a request reads etcd’s revision at most once, concurrent ones share it, and cached reads need none', async () => {
    // Whoever leads renews the lease, which asks too: not while this test lasts.
    const seldom = { leaseMs: 120_000, renewDeadlineMs: 110_000, retryMs: 60_000 };
    await using c = await start({ leaderElection: seldom });
    const path = `${widgetsPath()}/${name}`;
    const { body: made } = await call(c, 'POST', widgetsPath(), widget(name));
    const { resourceVersion } = made.metadata;
    await call(c, 'GET', widgetsPath());
    // What begins with the server asks too.
    for (let [before, asked] = [0, await revisionsAsked(c)]; asked !== before; ) {
      await sleep(300);
      [before, asked] = [asked, await revisionsAsked(c)];
    }
    const asksOf = async (requests: () => Promise<unknown>) => {
      const before = await revisionsAsked(c);
      await requests();
      return (await revisionsAsked(c)) - before;
    };
    const merge = { spec: { color: 'green' } };
    const latest = fromView ? 1 : 0;
    const expected: readonly (readonly [asks: number, method: string, path: string, body?: unknown])[] = [
      [latest, 'GET', path],
      [latest, 'GET', widgetsPath()],
      [latest, 'GET', `${widgetsPath()}?limit=1`],
      // What etcd is told it has to see to, nobody needs to ask; what changes nothing it is not told.
      [0, 'PATCH', path, merge],
      [1, 'PATCH', path, merge],
      [1, 'PATCH', `${path}?dryRun=All`, { spec: { color: 'red' } }],
      [0, 'POST', widgetsPath(), widget(`${name}-other`)],
      [1, 'POST', `${widgetsPath()}?dryRun=All`, widget(`${name}-third`)],
      [1, 'DELETE', path, { dryRun: ['All'] }],
      [0, 'DELETE', `${widgetsPath()}/${name}-other`],
    ];
    for (const [count, method, target, body] of expected) {
      const asks = await asksOf(async () => {
        expect((await call(c, method, target, body)).code).toBeLessThan(300);
      });
      expect([method, target, asks]).toEqual([method, target, count]);
    }
    const getting = () => Promise.all(Array.from({ length: 100 }, () => call(c, 'GET', path)));
    expect(await asksOf(getting)).toBeLessThan(10);
    const atHand = async () => {
      for (const query of ['resourceVersion=0', `resourceVersion=${resourceVersion}`]) {
        expect((await call(c, 'GET', `${path}?${query}`)).code).toBe(200);
        expect((await call(c, 'GET', `${widgetsPath()}?${query}`)).code).toBe(200);
        const watch = new WatchStream(await c.fetch(`${widgetsPath()}?watch=1&${query}`));
        await watch.take(1);
        await watch.close();
      }
    };
    expect(await asksOf(atHand)).toBe(0);
  });
});

/** A way to etcd on which the watch can be held up, and nothing else. */
class WatchLink implements AsyncDisposable {
  readonly url: string;
  readonly #proxy: TcpProxy;
  readonly #sockets: unknown[] = [];
  #holding = false;

  private constructor(proxy: TcpProxy) {
    this.#proxy = proxy;
    this.url = `http://127.0.0.1:${proxy.port}`;
    this.#look();
  }

  static async start(etcdUrl: string): Promise<WatchLink> {
    return new WatchLink(await TcpProxy.start(Number(new URL(etcdUrl).port)));
  }

  hold(): void {
    this.#holding = true;
  }

  release(): void {
    this.#holding = false;
    this.#proxy.release();
    this.#look();
  }

  /** The first connection is for calls, the second one for the watch. */
  #look(): void {
    this.#proxy.hold((socket) => {
      if (!this.#sockets.includes(socket)) this.#sockets.push(socket);
      return this.#holding && this.#sockets.indexOf(socket) > 0;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#proxy[Symbol.asyncDispose]();
  }
}

const nameOf = (item: { metadata: { name: string } }): string => item.metadata.name;

/** Stores widgets `w-0`, `w-1`, … without a server. */
async function putWidgets(url: string, namespace: string, count: number): Promise<void> {
  const store = await openEtcdStore({ endpoints: [url], prefix: '/registry', root: '/registry' });
  const put = (one: string) => {
    const object = widget(
      one,
      {},
      { namespace, uid: randomUUID(), creationTimestamp: '2026-01-01T00:00:00Z' },
    );
    const value = Buffer.from(JSON.stringify(object));
    return store.commit({ key: `/registry/example.com/widgets/${namespace}/${one}`, value, expect: 0 });
  };
  await Promise.all(Array.from({ length: count }, (_, index) => put(`w-${index}`)));
  await store.close();
}

/** How often a server has read lists of widgets from etcd. */
async function listsOfWidgets(server: IlkServer): Promise<number> {
  const text = await (await server.fetch('/metrics')).text();
  const found =
    /^etcd_requests_total\{operation="list",group="example.com",resource="widgets"\} ([0-9]+)$/m.exec(text);
  return Number(found?.[1] ?? 0);
}

/** How often a server has asked etcd for its revision. */
async function revisionsAsked(server: IlkServer): Promise<number> {
  const text = await (await server.fetch('/metrics')).text();
  return Number(/^etcd_requests_total\{operation="getCurrentRevision".*\} ([0-9]+)$/m.exec(text)?.[1] ?? 0);
}
