import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etcdBinaries, EtcdProcess } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';
import { widgetCrd } from '../fixtures/widgets.ts';
import type { Connection } from './connection.ts';
import { ann, RunningServer } from './running-server.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const maps = (namespace = 'default') => `/api/v1/namespaces/${namespace}/configmaps`;
const map = (name: string, data: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

beforeAll(buildIfMissing);

interface Storage {
  readonly name: string;
  readonly open: () => Promise<{ readonly flags: readonly string[]; readonly close: () => Promise<void> }>;
}

const closeNothing = async () => {};
const storages: Storage[] = [
  { name: 'memory', open: async () => ({ flags: ['--storage=memory'], close: closeNothing }) },
  { name: 'sqlite', open: async () => ({ flags: [], close: closeNothing }) },
  ...etcdBinaries.slice(0, 1).map((binary) => ({
    name: 'etcd',
    open: async () => {
      const etcd = await EtcdProcess.start({ binary });
      return { flags: [`--etcd-servers=${etcd.url}`], close: async () => etcd[Symbol.asyncDispose]() };
    },
  })),
];

describe.each(storages)('two threads on $name', ({ name: storage, open }) => {
  let server: RunningServer;
  let closeStorage = closeNothing;
  let both: [Connection, Connection];
  /** Storage in another process takes its time. */
  const rounds = storage === 'etcd' ? 200 : 1_000;

  beforeAll(async () => {
    const opened = await open();
    closeStorage = opened.close;
    server = await RunningServer.start(opened.flags);
    both = await server.both();
  });
  afterAll(async () => {
    await server.stop();
    await closeStorage();
  });

  const other = (one: Connection) => (one === both[0] ? both[1] : both[0]);
  const namespace = async () => {
    const name = `n-${randomUUID()}`;
    const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    expect((await both[0].call('POST', '/api/v1/namespaces', { body: made })).code).toBe(201);
    return name;
  };

  test('a write through one thread is seen at once by a GET and a LIST through the other', async () => {
    const space = await namespace();
    const path = `${maps(space)}/counter`;
    await both[0].call('POST', maps(space), { body: map('counter', { n: '0' }) });
    for (let n = 1; n <= rounds; n += 1) {
      const writer = both[n % 2] ?? both[0];
      const written = await writer.call('PATCH', path, { body: { data: { n: String(n) } } });
      expect(written.code).toBe(200);
      const [got, list] = await Promise.all([
        other(writer).call('GET', path),
        other(writer).call('GET', maps(space)),
      ]);
      expect(got.body.data.n).toBe(String(n));
      const listed = list.body.items.find((item: Named) => item.metadata.name === 'counter');
      expect(listed.data.n).toBe(String(n));
      expect(Number(list.body.metadata.resourceVersion)).toBeGreaterThanOrEqual(
        Number(written.body.metadata.resourceVersion),
      );
    }
  });

  test('what one thread has deleted, the other does not find', async () => {
    const space = await namespace();
    for (let n = 0; n < rounds / 10; n += 1) {
      const writer = both[n % 2] ?? both[0];
      await writer.call('POST', maps(space), { body: map('short') });
      expect((await writer.call('DELETE', `${maps(space)}/short`)).code).toBe(200);
      expect((await other(writer).call('GET', `${maps(space)}/short`)).code).toBe(404);
      expect((await other(writer).call('POST', maps(space), { body: map('short') })).code).toBe(201);
      expect((await other(writer).call('DELETE', `${maps(space)}/short`)).code).toBe(200);
    }
  });

  test('reads never go back, whichever thread answers', async () => {
    const space = await namespace();
    const path = `${maps(space)}/clock`;
    await both[0].call('POST', maps(space), { body: map('clock', { n: '0' }) });
    let isOver = false;
    let seen = 0;
    const reader = async (connection: Connection) => {
      while (!isOver) {
        const before = seen;
        const n = Number((await connection.call('GET', path)).body.data.n);
        // What a read saw that had ended before this one began.
        expect(n).toBeGreaterThanOrEqual(before);
        seen = Math.max(seen, n);
      }
    };
    const reading = [...both, ...both].map(reader);
    for (let n = 1; n <= rounds / 4; n += 1)
      await (both[n % 2] ?? both[0]).call('PATCH', path, { body: { data: { n: String(n) } } });
    isOver = true;
    await Promise.all(reading);
  });

  test('writers of both threads that check the resourceVersion lose no change', async () => {
    const space = await namespace();
    const path = `${maps(space)}/sum`;
    await both[0].call('POST', maps(space), { body: map('sum', { n: '0' }) });
    const add = async (connection: Connection) => {
      for (let done = 0; done < 25; ) {
        const { body } = await connection.call('GET', path);
        const next = { ...body, data: { n: String(Number(body.data.n) + 1) } };
        const { code } = await connection.call('PUT', path, { body: next });
        expect([200, 409]).toContain(code);
        if (code === 200) done += 1;
      }
    };
    await Promise.all([...both, ...both].map(add));
    expect((await both[0].call('GET', path)).body.data.n).toBe('100');
    const { body } = await both[0].call('GET', path);
    const raced = await Promise.all(
      both.map((one) => one.call('PUT', path, { body: { ...body, data: {} } })),
    );
    expect(raced.map(({ code }) => code).sort()).toEqual([200, 409]);
  });

  test('of creates of one name through both threads, one succeeds', async () => {
    const space = await namespace();
    for (let n = 0; n < 50; n += 1) {
      const made = await Promise.all(
        both.map((one) => one.call('POST', maps(space), { body: map(`one-${n}`) })),
      );
      expect(made.map(({ code }) => code).sort()).toEqual([201, 409]);
    }
  });

  test('watches of both threads see the writes of both, in order, each once', async () => {
    const space = await namespace();
    const start = (await both[0].call('GET', maps(space))).body.metadata.resourceVersion;
    const watches = both.map((one) => one.watch(`${maps(space)}?watch=true&resourceVersion=${start}`));
    await Promise.all(watches.map(({ opened }) => opened));
    const written: string[] = [];
    const write = async (connection: Connection, writer: number) => {
      for (let n = 0; n < rounds / 8; n += 1) {
        const name = `w-${writer}-${n}`;
        const made = await connection.call('POST', maps(space), { body: map(name) });
        written.push(`ADDED ${name} ${made.body.metadata.resourceVersion}`);
        if (n % 5 !== 0) continue;
        await connection.call('DELETE', `${maps(space)}/${name}`);
        written.push(`DELETED ${name}`);
      }
    };
    await Promise.all([...both, ...both].map(write));
    const [first, second] = watches;
    const own = (lines: typeof first) =>
      (lines?.events ?? []).filter(({ object }) => object.metadata.name.startsWith('w-'));
    await expect.poll(() => own(first).length).toBeGreaterThanOrEqual(written.length);
    await expect.poll(() => own(second).length).toBeGreaterThanOrEqual(written.length);
    for (const lines of watches) lines.stop();
    for (const lines of watches) {
      const events = own(lines);
      expect(events).toHaveLength(written.length);
      const revisions = events.map(({ object }) => Number(object.metadata.resourceVersion));
      expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
      expect(new Set(revisions).size).toBe(revisions.length);
      const shown = events.map(({ type, object: { metadata } }) =>
        type === 'ADDED' ? `ADDED ${metadata.name} ${metadata.resourceVersion}` : `${type} ${metadata.name}`,
      );
      expect([...shown].sort()).toEqual([...written].sort());
    }
    expect(own(first)).toEqual(own(second));
  });

  test('a watch from the past goes on in the other thread', async () => {
    const space = await namespace();
    const start = (await both[0].call('GET', maps(space))).body.metadata.resourceVersion;
    for (let n = 0; n < 20; n += 1)
      await (both[n % 2] ?? both[0]).call('POST', maps(space), { body: map(`past-${n}`) });
    for (const connection of both) {
      const lines = connection.watch(`${maps(space)}?watch=true&resourceVersion=${start}`);
      const names = () =>
        lines.events
          .map(({ object }) => object.metadata.name)
          .filter((name: string) => name.startsWith('past-'));
      await expect.poll(names).toEqual(Array.from({ length: 20 }, (_, n) => `past-${n}`));
      lines.stop();
    }
  });

  test('pages of one list may come from both threads, while objects come and go', async () => {
    const space = await namespace();
    const names = Array.from({ length: 60 }, (_, n) => `p-${String(n).padStart(2, '0')}`);
    for (const name of names) await both[0].call('POST', maps(space), { body: map(name) });
    let page = await both[0].call('GET', `${maps(space)}?limit=20`);
    const listed: string[] = page.body.items.map(({ metadata }: Named) => metadata.name);
    for (let n = 1; page.body.metadata.continue; n += 1) {
      await both[0].call('DELETE', `${maps(space)}/p-${n}9`);
      await both[1].call('POST', maps(space), { body: map(`p-${n}9x`) });
      const more = `?limit=20&continue=${page.body.metadata.continue}`;
      page = await (both[n % 2] ?? both[0]).call('GET', `${maps(space)}${more}`);
      expect(page.code).toBe(200);
      listed.push(...page.body.items.map(({ metadata }: Named) => metadata.name));
    }
    const own = listed.filter((name) => name.startsWith('p-'));
    expect(own).toEqual(names);
  });

  test('a CRD that one thread has established is served by the other at once, and goes as well', async () => {
    const crdOf = (n: number) => {
      const plural = `things${n}`;
      const { spec, ...more } = Object(widgetCrd);
      const names = { plural, kind: `Thing${n}`, singular: `thing${n}`, listKind: `Thing${n}List` };
      return { ...more, metadata: { name: `${plural}.example.com` }, spec: { ...spec, names } };
    };
    for (let n = 0; n < 10; n += 1) {
      const maker = both[n % 2] ?? both[0];
      const name = `things${n}.example.com`;
      expect((await maker.call('POST', crds, { body: crdOf(n) })).code).toBe(201);
      await expect.poll(async () => established(await maker.call('GET', `${crds}/${name}`))).toBe('True');
      const path = `/apis/example.com/v1/namespaces/default/things${n}`;
      const body = { apiVersion: 'example.com/v1', kind: `Thing${n}`, metadata: { name: 'a' }, spec: {} };
      const made = await other(maker).call('POST', path, { body });
      expect([made.code, made.body.message]).toEqual([201, undefined]);
      expect((await maker.call('GET', `${path}/a`)).code).toBe(200);
      const documents = await other(maker).call('GET', '/apis/example.com/v1');
      expect(documents.body.resources.map((one: { name: string }) => one.name)).toContain(`things${n}`);
    }
    expect((await both[0].call('DELETE', `${crds}/things0.example.com`)).code).toBe(200);
    await expect.poll(async () => (await both[0].call('GET', `${crds}/things0.example.com`)).code).toBe(404);
    expect((await both[1].call('GET', '/apis/example.com/v1/things0')).code).toBe(404);
  });

  test('both threads publish the same documents', async () => {
    const paths = ['/api/v1', '/apis', '/openapi/v3', '/openapi/v2', '/openid/v1/jwks', '/version'];
    for (const path of paths) {
      const [one, two] = await Promise.all(both.map((connection) => connection.call('GET', path)));
      expect([path, one?.code, one?.headers['etag'], one?.body]).toEqual([
        path,
        200,
        two?.headers['etag'],
        two?.body,
      ]);
    }
  });

  test('a role that one thread has written counts in the other with the next request', async () => {
    const space = await namespace();
    const rules = [
      { nonResourceURLs: ['/ilk/*'], verbs: ['get'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
    ];
    const role = { metadata: { name: 'ann' }, rules };
    const subjects = [{ kind: 'User', name: 'ann', apiGroup: 'rbac.authorization.k8s.io' }];
    const bindingOf = (name: string, kind: string) => ({
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: 'ann' },
      subjects,
    });
    await both[0].call('POST', `${rbac}/clusterroles`, { body: role });
    await both[0].call('POST', `${rbac}/clusterrolebindings`, { body: bindingOf('look', 'ClusterRole') });
    const anns = await server.both(ann);
    await both[0].call('DELETE', `${rbac}/clusterrolebindings/look`);
    const path = `${rbac}/namespaces/${space}/rolebindings`;
    for (let n = 0; n < 100; n += 1) {
      const writer = n % 2;
      const reader = anns[1 - writer];
      const made = await both[writer]?.call('POST', path, { body: bindingOf('b', 'ClusterRole') });
      expect(made?.code).toBe(201);
      expect((await reader?.call('GET', `${maps(space)}/none`))?.code).toBe(404);
      await both[writer]?.call('DELETE', `${path}/b`);
      expect((await reader?.call('GET', `${maps(space)}/none`))?.code).toBe(403);
    }
  });

  test('a policy that one thread has written counts in the next write of the other', async () => {
    const space = await namespace();
    const admission = '/apis/admissionregistration.k8s.io/v1';
    const policy = {
      metadata: { name: space },
      spec: {
        matchConstraints: {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': space } },
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
          ],
        },
        validations: [{ expression: 'false', message: 'not here' }],
      },
    };
    const binding = { metadata: { name: space }, spec: { policyName: space, validationActions: ['Deny'] } };
    await both[0].call('POST', `${admission}/validatingadmissionpolicies`, { body: policy });
    for (let n = 0; n < 50; n += 1) {
      const writer = both[n % 2] ?? both[0];
      const path = `${admission}/validatingadmissionpolicybindings`;
      expect((await writer.call('POST', path, { body: binding })).code).toBe(201);
      expect((await other(writer).call('POST', maps(space), { body: map(`x-${n}`) })).code).toBe(422);
      expect((await writer.call('DELETE', `${path}/${space}`)).code).toBe(200);
      expect((await other(writer).call('POST', maps(space), { body: map(`x-${n}`) })).code).toBe(201);
    }
    await both[0].call('DELETE', `${admission}/validatingadmissionpolicies/${space}`);
  });

  test('a quota counts the writes of both threads', async () => {
    const space = await namespace();
    const quotas = `/api/v1/namespaces/${space}/resourcequotas`;
    const quota = { metadata: { name: 'q' }, spec: { hard: { 'count/configmaps': '12' } } };
    await both[0].call('POST', quotas, { body: quota });
    await expect
      .poll(async () => (await both[1].call('GET', `${quotas}/q`)).body.status?.used?.['count/configmaps'])
      .toBeDefined();
    const creates = Array.from({ length: 40 }, (_, n) =>
      (both[n % 2] ?? both[0]).call('POST', maps(space), { body: map(`q-${n}`) }),
    );
    const codes = (await Promise.all(creates)).map(({ code }) => code);
    const { items } = (await both[0].call('GET', maps(space))).body;
    expect(items.length).toBeLessThanOrEqual(12);
    expect(codes.filter((code) => code === 201)).toHaveLength(
      items.filter((item: Named) => item.metadata.name.startsWith('q-')).length,
    );
    // A write that lost its race for the quota too often is told so.
    expect(codes.filter((code) => ![201, 403, 409, 500].includes(code))).toEqual([]);
  });

  test('addresses and ports of services are given once', async () => {
    const space = await namespace();
    const path = `/api/v1/namespaces/${space}/services`;
    const service = (name: string, more: object = {}) => ({
      metadata: { name },
      spec: { type: 'NodePort', ports: [{ port: 80, ...more }] },
    });
    const creates = Array.from({ length: 30 }, (_, n) =>
      (both[n % 2] ?? both[0]).call('POST', path, { body: service(`s-${n}`) }),
    );
    const made = await Promise.all(creates);
    expect(made.map(({ code }) => code)).toEqual(made.map(() => 201));
    const addresses = made.map(({ body }) => body.spec.clusterIP);
    const ports = made.map(({ body }) => body.spec.ports[0].nodePort);
    expect([new Set(addresses).size, new Set(ports).size]).toEqual([30, 30]);
    const wanted = await Promise.all(
      both.map((one, n) => one.call('POST', path, { body: service(`p-${n}`, { nodePort: 31_999 }) })),
    );
    expect(wanted.map(({ code }) => code).sort()).toEqual([201, 422]);
  });
});

interface Named {
  readonly metadata: { readonly name: string };
}

function established({ body }: { readonly body: { readonly status?: { readonly conditions?: unknown[] } } }) {
  const conditions = (body.status?.conditions ?? []) as { type: string; status: string }[];
  return conditions.find(({ type }) => type === 'Established')?.status;
}
