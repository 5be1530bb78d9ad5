import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../src/meta/index.ts';
import { type IlkServer, type ServerOptions, startServer } from '../../src/server.ts';
import { databases, type SharedDatabase } from './databases.test-support.ts';
import { call, crdsPath, gadgetCrd, leaderElection, until } from './replicas.test-support.ts';
import { faultFactor } from '../faults/run.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';

const leasePath = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ilk-controllers';

const colors = ['blue', 'green', 'red'];

describe.skipIf(databases.length === 0).each(databases)('servers on $name', (found) => {
  let database: SharedDatabase;
  let a: IlkServer;
  let b: IlkServer;
  const start = (more: ServerOptions = {}) =>
    startServer({
      storage: database.storage,
      listen: false,
      leaderElection,
      ...more,
    });

  beforeAll(async () => {
    database = await found.start();
    // At the same moment, with the same CRD: neither may stumble over the other.
    [a, b] = await Promise.all([start({ crds: [widgetCrd] }), start({ crds: [widgetCrd] })]);
  });
  afterAll(async () => {
    await a.close();
    await b.close();
    await database[Symbol.asyncDispose]();
  });

  /** What etcd shows already, and what takes long, is for the long form. */
  const isLong = found.kind === 'postgres' && faultFactor === 1;

  let count = 0;
  let name = '';
  beforeEach(() => {
    name = `widget-${(count += 1)}`;
  });

  test('what is written through one is read through the other, at once', async () => {
    const path = `${widgetsPath()}/${name}`;
    for (let round = 0; round < 20; round++) {
      const created = await call(a, 'POST', widgetsPath(), widget(name));
      expect(created.code).toBe(201);
      expect((await call(b, 'GET', path)).body).toEqual(created.body);
      const patched = await call(b, 'PATCH', path, { spec: { color: 'red' } });
      expect((await call(a, 'GET', path)).body).toEqual(patched.body);
      const { body: list } = await call(a, 'GET', widgetsPath());
      expect(list.items.map(({ metadata }: KubeObject) => Object(metadata).resourceVersion)).toContain(
        patched.body.metadata.resourceVersion,
      );
      expect((await call(a, 'PUT', path, created.body)).code).toBe(409);
      expect((await call(a, 'DELETE', path)).code).toBe(200);
      expect((await call(b, 'GET', path)).code).toBe(404);
    }
  });

  test.skipIf(isLong)('of two who write the same object through both, each update counts', async () => {
    const path = `${widgetsPath()}/${name}`;
    await call(a, 'POST', widgetsPath(), widget(name, { size: 0 }));
    const increment = async (server: IlkServer) => {
      for (let done = 0; done < 30; ) {
        const { body } = await call(server, 'GET', path);
        body.spec.size += 1;
        const { code } = await call(server, 'PUT', path, body);
        if (code === 200) done += 1;
        else expect(code).toBe(409);
      }
    };
    await Promise.all([increment(a), increment(b), increment(a), increment(b)]);
    expect((await call(b, 'GET', path)).body.spec.size).toBe(120);
  });

  test('a watch goes on at the other server, from where it was', async () => {
    const { body } = await call(a, 'POST', widgetsPath(), widget(name));
    let revision = body.metadata.resourceVersion;
    const lines: string[] = [];
    const expected: string[] = [];
    const selector = `fieldSelector=metadata.name=${name}`;
    for (let round = 0; round < 12; round++) {
      const [server, other] = round % 2 === 0 ? [a, b] : [b, a];
      const response = await server.fetch(`${widgetsPath()}?watch=1&resourceVersion=${revision}&${selector}`);
      const stream = new WatchStream(response);
      for (const step of [1, 2]) {
        const color = colors[(2 * round + step) % 3];
        const { code, body: changed } = await call(other, 'PATCH', `${widgetsPath()}/${name}`, {
          spec: { color },
        });
        expect(code).toBe(200);
        expected.push(`MODIFIED ${name} ${color} ${changed.metadata.resourceVersion}`);
      }
      // The first change comes through this watch, the second one through the next.
      const seen = round === 11 ? await stream.take(expected.length - lines.length) : await stream.take(1);
      lines.push(...seen);
      revision = seen.at(-1)?.split(' ').at(-1);
      await stream.close();
    }
    expect(lines).toEqual(expected);
  });

  test('a list goes on at the other server, with the token of the first', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `${name}-${index}`);
    for (const one of names)
      await call(a, 'POST', widgetsPath(), widget(one, undefined, { labels: { name } }));
    const found: string[] = [];
    const revisions = new Set<string>();
    let token = '';
    for (let page = 0; page === 0 || token !== ''; page++) {
      const query = `limit=4&labelSelector=name=${name}&continue=${token}`;
      const { body } = await call(page % 2 === 0 ? a : b, 'GET', `${widgetsPath()}?${query}`);
      await call(b, 'DELETE', `${widgetsPath()}/${names[8 - page]}`);
      found.push(...body.items.map(({ metadata }: KubeObject) => Object(metadata).name));
      revisions.add(body.metadata.resourceVersion);
      token = body.metadata.continue ?? '';
    }
    expect([found, revisions.size]).toEqual([names, 1]);
  });

  test.skipIf(isLong)(
    'a CRD that is established at one is served by the other: no create is lost to a 404',
    async () => {
      for (let round = 0; round < 10; round++) {
        const plural = `gadgets${count}x${round}`;
        const [server, other] = round % 2 === 0 ? [a, b] : [b, a];
        expect((await call(server, 'POST', crdsPath, gadgetCrd(plural))).code).toBe(201);
        await until(
          () => call(server, 'GET', `${crdsPath}/${plural}.example.com`),
          ({ body }) => Object(body.status).conditions?.some(isEstablished) === true,
        );
        const gadget = { apiVersion: 'example.com/v1', kind: `Gadget${plural}`, metadata: { name: 'one' } };
        expect((await call(other, 'POST', `/apis/example.com/v1/${plural}`, gadget)).code).toBe(201);
      }
    },
  );

  test('a schema that was changed at one holds at the other for every request that follows', async () => {
    const plural = `things${count}`;
    const path = `/apis/example.com/v1/${plural}`;
    const crd = gadgetCrd(plural);
    await call(a, 'POST', crdsPath, crd);
    await until(
      () => call(a, 'GET', path),
      ({ code }) => code === 200,
    );
    for (let round = 0; round < 20; round++) {
      const [server, other] = round % 2 === 0 ? [a, b] : [b, a];
      const field = `field${round}`;
      const changed = await until(
        async () => {
          const { body } = await call(server, 'GET', `${crdsPath}/${plural}.example.com`);
          body.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties = {
            [field]: { type: 'string' },
          };
          return call(server, 'PUT', `${crdsPath}/${plural}.example.com`, body);
        },
        ({ code }) => code !== 409,
      );
      expect(changed.code).toBe(200);
      const thing = {
        apiVersion: 'example.com/v1',
        kind: `Gadget${plural}`,
        metadata: { name: `t${round}` },
        spec: { [field]: 'kept', other: 'pruned' },
      };
      const { code, body } = await call(other, 'POST', path, thing);
      expect([code, body.spec]).toEqual([201, { [field]: 'kept' }]);
    }
  });

  test('controllers run at one of them, and at the other when that is closed', async () => {
    const holder = async () => (await call(a, 'GET', leasePath)).body.spec;
    await until(holder, ({ holderIdentity }) => holderIdentity !== '');
    const third = await start();
    // On a machine that stands still for as long as a lease, another may take over: not each time.
    const { first } = await until(
      async () => {
        const first = await holder();
        await sleep(2 * leaderElection.leaseMs);
        return { first, next: await holder() };
      },
      ({ first, next }) =>
        next.holderIdentity === first.holderIdentity &&
        next.leaseTransitions === first.leaseTransitions &&
        next.acquireTime === first.acquireTime,
    );
    expect(first.leaseDurationSeconds).toBe(1);
    await third.close();

    // Whoever leads of the two, a namespace goes with what is in it before and after the leader does.
    await emptyNamespace(a, b, `${name}-before`);
    await b.close();
    await emptyNamespace(a, a, `${name}-between`);
    b = await start();
    await a.close();
    a = b;
    await emptyNamespace(b, b, `${name}-after`);
    const last = await holder();
    expect(last.holderIdentity).not.toBe('');
    expect(last.holderIdentity).not.toBe(first.holderIdentity);
    a = await start();
  });

  test('a leader that is gone without a word is followed when its lease is over', async () => {
    const lease = await until(
      () => call(a, 'GET', leasePath),
      ({ body }) => body.spec.holderIdentity !== '',
    );
    const stranger = {
      ...lease.body,
      spec: { ...lease.body.spec, holderIdentity: 'a server that is no more' },
    };
    let startedMs = 0;
    const taken = await until(
      async () => {
        const { body } = await call(a, 'GET', leasePath);
        const { resourceVersion } = body.metadata;
        startedMs = Date.now();
        return call(a, 'PUT', leasePath, { ...stranger, metadata: { ...body.metadata, resourceVersion } });
      },
      ({ code }) => code === 200,
    );
    await until(
      () => call(b, 'GET', leasePath),
      ({ body }) => body.spec.holderIdentity !== taken.body.spec.holderIdentity,
    );
    expect(Date.now() - startedMs).toBeGreaterThan(leaderElection.leaseMs - 200);
    await emptyNamespace(a, b, `${name}-after`);
  });

  test.skipIf(isLong)(
    'when the database is down: /readyz fails, reads at a revision continue, others get a retry',
    async () => {
      const { body: made } = await call(a, 'POST', widgetsPath(), widget(name));
      const path = `${widgetsPath()}/${name}`;
      expect((await a.fetch('/readyz')).status).toBe(200);
      await call(b, 'GET', `${path}?resourceVersion=${made.metadata.resourceVersion}`);
      const watch = new WatchStream(
        await b.fetch(
          `${widgetsPath()}?watch=1&fieldSelector=metadata.name=${name}&resourceVersion=${made.metadata.resourceVersion}`,
        ),
      );
      await database.kill();
      await until(
        () => a.fetch('/readyz'),
        ({ status }) => status === 500,
      );
      const readyz = await (await a.fetch('/readyz?verbose')).text();
      expect(readyz).toContain(`[-]${found.kind} failed: reason withheld`);
      expect(await (await a.fetch(`/readyz/${found.kind}`)).text()).toMatch(
        /cannot be reached.*ECONNREFUSED/,
      );
      expect((await a.fetch('/livez')).status).toBe(200);
      for (const query of ['resourceVersion=0', `resourceVersion=${made.metadata.resourceVersion}`]) {
        expect((await call(b, 'GET', `${path}?${query}`)).body).toEqual(made);
      }
      expect((await call(b, 'GET', `${widgetsPath()}?resourceVersion=0`)).code).toBe(200);
      expect((await call(b, 'GET', '/apis/example.com/v1')).code).toBe(200);
      for (const [method, body] of [['GET'], ['PUT', made], ['DELETE']] as const) {
        const answer = await call(b, method, path, body);
        expect([answer.code, answer.headers.get('retry-after')]).toEqual([503, '1']);
        expect(answer.body.message).toMatch(/^storage is \(re\)initializing: .* cannot be reached/);
      }
      expect(await (await b.fetch('/metrics')).text()).toMatch(
        /^etcd_request_errors_total\{operation="getCurrentRevision",group="",resource=""\} [1-9]/m,
      );
      await database.restart();
      await until(
        () => b.fetch('/readyz'),
        ({ status }) => status === 200,
      );
      expect((await call(b, 'GET', path)).body).toEqual(made);
      const changed = await call(a, 'PATCH', path, { spec: { color: 'green' } });
      expect(await watch.take(1)).toEqual([
        `MODIFIED ${name} green ${changed.body.metadata.resourceVersion}`,
      ]);
      await watch.close();
    },
  );

  test('requests to the database are counted under upstream’s names', async () => {
    // Events come to a server that looks at the kind.
    await call(a, 'GET', widgetsPath());
    await call(a, 'POST', widgetsPath(), widget(name));
    const text = await (await a.fetch('/metrics')).text();
    const labels = 'operation="create",group="example.com",resource="widgets"';
    expect(text).toMatch(`etcd_requests_total{${labels}}`);
    expect(text).toMatch(`etcd_request_duration_seconds_bucket{le="0.005",${labels}}`);
    expect(text).toMatch(
      '# HELP etcd_request_errors_total Etcd failed request counts for each operation and object type.',
    );
    await until(
      async () => (await a.fetch('/metrics')).text(),
      (later) =>
        later.includes('apiserver_storage_events_received_total{group="example.com",resource="widgets"}'),
    );
  });
});

const isEstablished = ({ type, status }: KubeObject) => type === 'Established' && status === 'True';

/** Makes a namespace with a widget through one server, deletes it through the other, and waits until it is gone. */
async function emptyNamespace(one: IlkServer, other: IlkServer, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}`;
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  expect((await call(one, 'POST', '/api/v1/namespaces', body)).code).toBe(201);
  expect((await call(one, 'POST', widgetsPath(namespace), widget('inside'))).code).toBe(201);
  expect((await call(other, 'DELETE', path)).code).toBe(200);
  await until(
    () => call(one, 'GET', path),
    ({ code }) => code === 404,
  );
  expect((await call(other, 'GET', `${widgetsPath(namespace)}/inside`)).code).toBe(404);
}
