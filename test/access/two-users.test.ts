import '../undici-on-node-20.ts';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { ApiException, CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { HttpsClient } from '../fixtures/ilk-process.ts';
import { Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';
import { binding, clusterRole, get, isUser, rbac, type Rule, send } from './requests.ts';

/** Alice works in team-a, Bob in team-b: what Bob may not read does not reach him, whichever way he asks. */

/** What every object of Alice has somewhere, and no answer to Bob may have. */
const hush = 'hush';
const alices = widgetsPath('team-a');
const bobs = widgetsPath('team-b');
const everywhere = '/apis/example.com/v1/widgets';
const maps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
const secret = { labels: { [hush]: hush }, annotations: { note: hush } };

const [version] = Object(widgetCrd['spec']).versions;
const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' };
const scaledCrd = {
  ...widgetCrd,
  spec: {
    ...Object(widgetCrd['spec']),
    versions: [{ ...version, subresources: { status: {}, scale } }],
  },
};

const worker: Rule[] = [
  { verbs: ['*'], apiGroups: ['example.com'], resources: ['*'] },
  { verbs: ['*'], apiGroups: ['', 'coordination.k8s.io'], resources: ['configmaps', 'leases'] },
];

type User = Awaited<ReturnType<IlkServer['addUser']>>;
let server: IlkServer;
let alice: User;
let bob: User;
let raw: HttpsClient;
beforeAll(async () => {
  server = await startServer({ crds: [scaledCrd], listen: { host: '127.0.0.1', port: 0, tls: true } });
  alice = await server.addUser({ name: 'alice' });
  bob = await server.addUser({ name: 'bob' });
  raw = new HttpsClient(bob.kubeconfigPath);
  for (const [namespace, name] of [
    ['team-a', 'alice'],
    ['team-b', 'bob'],
  ] as const) {
    await made('/api/v1/namespaces', { metadata: { name: namespace } });
    const role = { ...clusterRole('worker', ...worker), kind: 'Role' };
    await made(`/apis/${rbac}/v1/namespaces/${namespace}/roles`, role);
    const bound = binding('worker', 'Role/worker', isUser(name));
    await made(`/apis/${rbac}/v1/namespaces/${namespace}/rolebindings`, bound);
  }
  for (const name of ['plan', 'plan-2', 'plan-3']) {
    await made(alices, widget(name, { color: 'red', size: 1 }, secret), alice);
  }
  await made(maps('team-a'), { metadata: { name: 'plan', ...secret }, data: { word: hush } }, alice);
  for (const name of ['own', 'own-2']) await made(bobs, widget(name), bob);
});
afterAll(async () => {
  raw.close();
  await server.close();
});

/** A GET whose path no client has tidied up. */
async function asWritten(path: string): Promise<{ readonly code: number; readonly body: string }> {
  const { hostname: host, port } = new URL(server.url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host, port, path, agent: raw.agent }, resolve).on('error', reject).end();
  });
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  return { code: response.statusCode ?? 0, body };
}

async function made(path: string, body: object, user: { fetch: IlkServer['fetch'] } = server) {
  expect((await send(user.fetch, 'POST', path, body)).message).toBe('');
}

/** The refusal that Bob gets for widgets of team-a. */
const refused = (verb: string, name = '', resource = 'widgets') =>
  `widgets.example.com ${name === '' ? '' : `"${name}" `}is forbidden: User "bob" cannot ${verb} resource ` +
  `"${resource}" in API group "example.com" in the namespace "team-a"`;

describe('what Bob may not do', () => {
  test.each([
    ['GET', '', 'list'],
    ['HEAD', '', 'list'],
    ['GET', '?watch=1', 'watch'],
    ['GET', '?fieldSelector=metadata.name=plan', 'list'],
    ['GET', '?fieldSelector=spec.color=red', 'list'],
    ['GET', `?labelSelector=${hush}`, 'list'],
    ['GET', '?resourceVersion=0', 'list'],
    ['GET', '?resourceVersion=1&resourceVersionMatch=Exact', 'list'],
    ['GET', '?watch=1&resourceVersion=1', 'watch'],
    ['GET', '?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan', 'watch'],
    ['DELETE', '', 'deletecollection'],
    ['DELETE', '?dryRun=All', 'deletecollection'],
    ['DELETE', '?fieldSelector=metadata.name=plan', 'deletecollection'],
    ['POST', '', 'create'],
    ['POST', '?dryRun=All', 'create'],
  ])('%s of the collection%s', async (method, query, verb) => {
    const { code, body } = await raw.call(
      method,
      alices + query,
      method === 'POST' ? { body: widget('x') } : {},
    );
    expect(code).toBe(403);
    const name = verb === 'list' && query.includes('metadata.name=plan') ? 'plan' : '';
    if (method !== 'HEAD') expect(JSON.parse(body).message).toBe(refused(verb, name));
    expect(body).not.toContain(hush);
  });

  const apply = 'application/apply-patch+yaml';
  const merge = 'application/merge-patch+json';
  const jsonPatch = 'application/json-patch+json';
  test.each([
    ['GET', '', 'get', undefined],
    ['HEAD', '', 'get', undefined],
    ['GET', '/status', 'get', undefined],
    ['GET', '/scale', 'get', undefined],
    ['PUT', '', 'update', undefined],
    ['PUT', '/status', 'update', undefined],
    ['PUT', '/scale', 'update', undefined],
    ['PATCH', '', 'patch', merge],
    ['PATCH', '', 'patch', jsonPatch],
    ['PATCH', '?fieldManager=bob', 'patch', apply],
    ['PATCH', '?fieldManager=bob&force=true', 'patch', apply],
    ['PATCH', '/status', 'patch', merge],
    ['PATCH', '/scale', 'patch', merge],
    ['DELETE', '', 'delete', undefined],
    ['DELETE', '?dryRun=All', 'delete', undefined],
  ])('%s of an object%s: no word of whether it is there', async (method, what, verb, type) => {
    const [subresource = ''] = what.split('?');
    const resource = `widgets${subresource}`;
    for (const name of ['plan', 'missing']) {
      const body = { ...widget(name), metadata: { name, resourceVersion: '1', uid: 'wrong' } };
      const options = {
        ...(method === 'PUT' || method === 'PATCH' ? { body } : {}),
        ...(type === undefined ? {} : { contentType: type }),
      };
      const answer = await raw.call(method, `${alices}/${name}${what}`, options);
      expect(answer.code).toBe(403);
      if (method !== 'HEAD') expect(JSON.parse(answer.body).message).toBe(refused(verb, name, resource));
    }
  });

  test('a body that cannot be read is no way around the refusal', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await bob.fetch(alices, { method: 'POST', headers, body: '{' });
    expect(answer.status).toBe(403);
  });

  test('lists of all namespaces, in every form', async () => {
    const message =
      'widgets.example.com is forbidden: User "bob" cannot list resource "widgets" in API group "example.com" at the ' +
      'cluster scope';
    const forms = [
      'application/json',
      'application/yaml',
      'application/cbor',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    ];
    for (const accept of forms) {
      for (const query of [
        '',
        '?fieldSelector=metadata.namespace=team-b',
        '?limit=1',
        '?labelSelector=a=b',
      ]) {
        const answer = await bob.fetch(everywhere + query, { headers: { accept } });
        expect(answer.status).toBe(403);
        const text = await answer.text();
        expect(text).not.toContain(hush);
        expect(text).toContain(accept === forms[0] ? JSON.stringify(message).slice(1, -1) : 'forbidden');
      }
    }
  });

  test('paths that are written in odd ways', async () => {
    const group = '/apis/example.com/v1';
    for (const path of [
      `${group}/namespaces/team-b/../team-a/widgets`,
      `${group}/namespaces/team-b/%2e%2e/team-a/widgets`,
      `${group}/namespaces/team-b%2f..%2fteam-a/widgets`,
      `${group}/namespaces/team-b/widgets/..%2f..%2fteam-a%2fwidgets%2fplan`,
      `${group}/namespaces/team-b/widgets/../../team-a/widgets/plan`,
      `${group}//namespaces/team-a/widgets`,
      `${group}/namespaces//widgets`,
      `${group}/namespaces/team-a/widgets/`,
      `${group}/namespaces/TEAM-A/widgets`,
      `${group}/widgets/plan`,
      `${group}/watch/widgets`,
      `${group}/watch/namespaces/team-a/widgets`,
      `/api/v1/proxy/namespaces/team-a/configmaps/plan`,
      `${group}/namespaces/team-b/widgets/plan?namespace=team-a`,
      `${alices.replace('widgets', 'widget%73')}`,
    ]) {
      const { code, body } = await asWritten(path);
      expect({ path, code: code >= 400, leaks: body.includes(hush) }).toEqual({
        path,
        code: true,
        leaks: false,
      });
    }
  });

  test('asking what others may', async () => {
    const spec = {
      user: 'alice',
      resourceAttributes: { verb: 'get', resource: 'configmaps', namespace: 'team-a' },
    };
    const reviews = '/apis/authorization.k8s.io/v1';
    for (const path of ['subjectaccessreviews', 'namespaces/team-b/localsubjectaccessreviews']) {
      expect((await send(bob.fetch, 'POST', `${reviews}/${path}`, { spec })).status).toBe(403);
    }
    expect((await get(bob.fetch, '/api', { 'Impersonate-User': 'alice' })).status).toBe(403);
  });
});

describe('what Bob may do shows nothing of Alice', () => {
  test('lists and watches of his namespace, whose revisions count for all', async () => {
    const watch = new WatchStream(
      await bob.fetch(`${bobs}?watch=1&resourceVersion=1&allowWatchBookmarks=true`),
    );
    await made(alices, widget('plan-4', { color: 'red' }, secret), alice);
    await made(bobs, widget('own-3'), bob);
    const seen: string[] = [];
    while (!seen.some((line) => line.includes('own-3'))) seen.push(...(await watch.take(1)));
    await watch.close();
    expect(seen.filter((line) => !line.includes(' own'))).toEqual([]);
    const { json } = await get(bob.fetch, `${bobs}?resourceVersion=0`);
    expect(json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([
      'own',
      'own-2',
      'own-3',
    ]);
  });

  test('continue tokens that Alice and the administrator were given', async () => {
    for (const [fetch, path] of [
      [alice.fetch, alices],
      [server.fetch, everywhere],
    ] as const) {
      const { json } = await get(fetch, `${path}?limit=1`);
      const next = encodeURIComponent(json.metadata.continue);
      const { json: list } = await get(bob.fetch, `${bobs}?limit=500&continue=${next}`);
      expect(JSON.stringify(list)).not.toContain('plan');
      expect((await get(bob.fetch, `${everywhere}?continue=${next}`)).status).toBe(403);
      expect((await get(bob.fetch, `${alices}?continue=${next}`)).status).toBe(403);
    }
  });

  test('a continue token that he wrote himself', async () => {
    for (const start of ['../team-a/plan', 'team-a/plan', '/', '\u0000', '../../']) {
      const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start })).toString('base64url');
      const { json } = await get(bob.fetch, `${bobs}?limit=500&continue=${token}`);
      expect(JSON.stringify(json)).not.toContain(hush);
    }
  });

  test('deletecollection and the end of his namespace leave hers alone', async () => {
    await made(maps('team-b'), { metadata: { name: 'own' } }, bob);
    expect((await send(bob.fetch, 'DELETE', maps('team-b'))).status).toBe(200);
    expect((await get(alice.fetch, `${maps('team-a')}/plan`)).status).toBe(200);
    expect((await send(bob.fetch, 'DELETE', '/api/v1/namespaces/team-a')).message).toBe(
      'namespaces "team-a" is forbidden: User "bob" cannot delete resource "namespaces" in API group "" in the ' +
        'namespace "team-a"',
    );
  });

  test('tables of his objects, as lists and as watches, have rows of his alone', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    for (const include of ['None', 'Metadata', 'Object']) {
      const { json } = await get(bob.fetch, `${bobs}?includeObject=${include}`, { accept });
      const names = json.rows.map(({ cells }: { cells: string[] }) => cells[0]);
      expect(names.filter((name: string) => !name.startsWith('own'))).toEqual([]);
      expect(names.length).toBeGreaterThan(1);
    }
    const answer = await bob.fetch(`${bobs}?watch=1&resourceVersion=1&timeoutSeconds=1`, {
      headers: { accept },
    });
    const text = await answer.text();
    expect(text).toContain('"kind":"Table"');
    expect(text).not.toContain('plan');
    expect(text).not.toContain(hush);
  });

  test('apply with force takes fields of his own objects, and no name of hers', async () => {
    const taken = await send(bob.fetch, 'PATCH', `${bobs}/plan?fieldManager=bob&force=true`, widget('plan'), {
      'content-type': 'application/apply-patch+yaml',
    });
    expect(taken.status).toBe(201);
    expect(JSON.stringify(taken.json)).not.toContain(hush);
    expect((await get(alice.fetch, `${alices}/plan`)).json.metadata.managedFields).toHaveLength(1);
    expect((await send(bob.fetch, 'DELETE', `${bobs}/plan`)).status).toBe(200);
  });

  test('/scale of his object is his, under a name that she has too', async () => {
    const own = { ...widget('plan-2', { color: 'green', size: 7 }) };
    await made(bobs, own, bob);
    expect((await get(bob.fetch, `${bobs}/plan-2/scale`)).json.spec).toEqual({ replicas: 7 });
    const scaled = await send(bob.fetch, 'PATCH', `${bobs}/plan-2/scale`, { spec: { replicas: 9 } });
    expect(scaled.status).toBe(200);
    expect((await get(alice.fetch, `${alices}/plan-2/scale`)).json.spec).toEqual({ replicas: 1 });
    expect((await send(bob.fetch, 'DELETE', `${bobs}/plan-2`)).status).toBe(200);
  });

  test('garbage collection: references to her objects delete his own, hold hers up in nothing, and tell him what he wrote', async () => {
    const { json: owner } = await send(alice.fetch, 'POST', alices, widget('owner', {}, secret));
    const reference = (uid: string) => ({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      name: 'guess',
      uid,
      blockOwnerDeletion: true,
    });
    const guesses = { real: owner.metadata.uid, invented: '00000000-0000-4000-8000-000000000000' };
    for (const [name, uid] of Object.entries(guesses)) {
      const metadata = { name: `of-${name}`, ownerReferences: [reference(uid)] };
      await made(maps('team-b'), { metadata }, bob);
    }
    for (const name of Object.keys(guesses)) {
      const gone = async () => (await get(bob.fetch, `${maps('team-b')}/of-${name}`)).status;
      await expect.poll(gone, { timeout: 10_000 }).toBe(404);
    }
    // Nothing of hers has gone with it, and she may delete in the foreground without waiting for anybody.
    expect((await get(alice.fetch, `${alices}/owner`)).status).toBe(200);
    const { json } = await get(server.fetch, '/api/v1/namespaces/team-b/events');
    for (const { message } of json.items) expect(message).toContain('example.com/v1/Widget');
    expect(JSON.stringify(json)).not.toContain(hush);
    expect(JSON.stringify(json)).not.toContain('name: owner');
    const body = { propagationPolicy: 'Foreground' };
    expect((await send(alice.fetch, 'DELETE', `${alices}/owner`, body)).status).toBe(200);
    const left = async () => (await get(alice.fetch, `${alices}/owner`)).status;
    await expect.poll(left, { timeout: 10_000 }).toBe(404);
  });

  test('the end of his namespace tells him of what is in it alone', async () => {
    await made('/api/v1/namespaces', { metadata: { name: 'team-c' } });
    const path = `/apis/${rbac}/v1/namespaces/team-c`;
    await made(`${path}/roles`, { ...clusterRole('worker', ...worker), kind: 'Role' });
    await made(`${path}/rolebindings`, binding('worker', 'Role/worker', isUser('bob')));
    const held = widget('held', {}, { finalizers: ['example.com/hold'] });
    await made(widgetsPath('team-c'), held, bob);
    expect((await send(server.fetch, 'DELETE', '/api/v1/namespaces/team-c')).status).toBe(200);
    const conditions = async () => {
      const { json } = await get(server.fetch, '/api/v1/namespaces/team-c');
      return JSON.stringify(json.status);
    };
    await expect.poll(conditions, { timeout: 10_000 }).toContain('example.com/hold in 1 resource instances');
    expect(await conditions()).not.toContain(hush);
    // His role is deleted with the namespace: he cannot create in it any more, and the refusal names only his namespace.
    const late = await send(bob.fetch, 'POST', widgetsPath('team-c'), widget('late'));
    expect(late.status).toBe(403);
    expect(late.message).toContain('team-c');
    expect(late.message).not.toContain('team-a');
    expect((await get(alice.fetch, `${alices}/plan`)).status).toBe(200);
    const release = { metadata: { finalizers: null } };
    expect((await send(server.fetch, 'PATCH', `${widgetsPath('team-c')}/held`, release)).status).toBe(200);
  });

  test('OpenAPI and discovery, which are for everybody, and metrics, which are not', async () => {
    for (const path of ['/apis', '/apis/example.com/v1', '/openapi/v2', '/openapi/v3/apis/example.com/v1']) {
      const { code, body } = await raw.call('GET', path);
      expect(code).toBe(200);
      expect(body).not.toContain(hush);
    }
    expect((await raw.call('GET', '/metrics')).code).toBe(403);
  });
});

describe('who may write but not read, or patch but not create', () => {
  const carol = () => server.as({ name: 'carol' }).fetch;
  beforeAll(async () => {
    const rule = {
      verbs: ['patch', 'update'],
      apiGroups: ['example.com', 'coordination.k8s.io'],
      resources: ['widgets', 'leases'],
    };
    const path = `/apis/${rbac}/v1/namespaces/team-a`;
    await made(`${path}/roles`, { ...clusterRole('patcher', rule), kind: 'Role' });
    await made(`${path}/rolebindings`, binding('patcher', 'Role/patcher', isUser('carol')));
  });

  test('apply creates nothing without the verb create', async () => {
    const applied = (name: string) =>
      send(carol(), 'PATCH', `${alices}/${name}?fieldManager=carol&force=true`, widget(name), {
        'content-type': 'application/apply-patch+yaml',
      });
    expect((await applied('new')).message).toBe(
      'widgets.example.com "new" is forbidden: User "carol" cannot create resource "widgets" in API group "example.com" ' +
        'in the namespace "team-a"',
    );
    expect((await get(alice.fetch, `${alices}/new`)).status).toBe(404);
  });

  test('nor does an update of a kind that updates create', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/team-a/leases';
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'new' } };
    expect((await send(carol(), 'PUT', `${leases}/new`, lease)).message).toBe(
      'leases.coordination.k8s.io "new" is forbidden: User "carol" cannot create resource "leases" in API group ' +
        '"coordination.k8s.io" in the namespace "team-a"',
    );
    expect((await get(alice.fetch, `${leases}/new`)).status).toBe(404);
  });

  test('the refusal of a patch contains nothing of the object', async () => {
    const faulty = await send(carol(), 'PATCH', `${alices}/plan`, { spec: { color: 'mauve' } });
    expect(faulty.status).toBe(422);
    expect(JSON.stringify(faulty.json)).not.toContain(hush);
    const operations = [{ op: 'test', path: '/metadata/annotations/note', value: 'guess' }];
    const guess = await send(carol(), 'PATCH', `${alices}/plan`, operations, {
      'content-type': 'application/json-patch+json',
    });
    expect(guess.status).toBe(422);
    expect(JSON.stringify(guess.json)).not.toContain(hush);
    const conflict = await send(
      carol(),
      'PUT',
      `${alices}/plan`,
      widget('plan', {}, { resourceVersion: '1' }),
    );
    expect(conflict.status).toBe(409);
    expect(JSON.stringify(conflict.json)).not.toContain(hush);
  });
});

describe('who may do everything in one namespace', () => {
  const dave = () => server.as({ name: 'dave' }).fetch;
  beforeAll(async () => {
    const path = `/apis/${rbac}/v1/namespaces/team-b`;
    const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    await made(`${path}/roles`, { ...clusterRole('all', all), kind: 'Role' });
    await made(`${path}/rolebindings`, binding('all', 'Role/all', isUser('dave')));
  });

  test.each([
    `/apis/${rbac}/v1/namespaces/team-b/clusterroles`,
    `/apis/${rbac}/v1/namespaces/team-b/clusterroles/cluster-admin`,
    `/apis/${rbac}/v1/namespaces/team-b/clusterrolebindings/cluster-admin`,
    '/apis/apiextensions.k8s.io/v1/namespaces/team-b/customresourcedefinitions/widgets.example.com',
    '/api/v1/namespaces/team-b/namespaces/team-a',
  ])('reaches nothing of the cluster through it (CVE-2019-11247): %s', async (path) => {
    expect((await get(dave(), bobs)).status).toBe(200);
    const calls = [
      get(dave(), path),
      send(dave(), 'DELETE', path),
      send(dave(), 'PUT', path, { metadata: { name: 'x' } }),
      send(dave(), 'PATCH', path, { metadata: { labels: { a: 'b' } } }),
    ];
    for (const { status, json } of await Promise.all(calls)) {
      expect([404, 405]).toContain(status);
      expect(JSON.stringify(json)).not.toContain('uid');
    }
    const kept = await get(
      server.fetch,
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com',
    );
    expect(kept.json.metadata.labels).toBeUndefined();
    expect((await get(server.fetch, `/apis/${rbac}/v1/clusterroles/cluster-admin`)).status).toBe(200);
  });
});

describe('@kubernetes/client-node', () => {
  const refusal = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ApiException)) throw new Error(`was not refused: ${String(error)}`);
    return `${error.code} ${JSON.parse(error.body).message}`;
  };

  test('gets the same refusal', async () => {
    const config = new KubeConfig();
    config.loadFromString(bob.kubeconfig);
    const objects = config.makeApiClient(CustomObjectsApi);
    const core = config.makeApiClient(CoreV1Api);
    const kind = { group: 'example.com', version: 'v1', plural: 'widgets', namespace: 'team-a' };
    expect(await refusal(objects.listNamespacedCustomObject(kind))).toBe(`403 ${refused('list')}`);
    expect(await refusal(objects.getNamespacedCustomObject({ ...kind, name: 'plan' }))).toBe(
      `403 ${refused('get', 'plan')}`,
    );
    expect(await refusal(objects.deleteNamespacedCustomObject({ ...kind, name: 'plan' }))).toBe(
      `403 ${refused('delete', 'plan')}`,
    );
    expect(await refusal(core.listConfigMapForAllNamespaces())).toBe(
      '403 configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" at the cluster scope',
    );
    const { items } = await objects.listNamespacedCustomObject({ ...kind, namespace: 'team-b' });
    expect(items.length).toBeGreaterThan(1);
  });
});

/** Older ones print the same answers in other words. */
const minorMin = 30;

describe.skipIf((kubectlMinor ?? 0) < minorMin)(
  `kubectl (skipped without kubectl 1.${minorMin} on the PATH)`,
  () => {
    let kubectl: Kubectl;
    beforeAll(() => {
      kubectl = new Kubectl(bob.kubeconfigPath);
    });
    afterAll(() => kubectl[Symbol.dispose]());

    const forbidden = (...refusal: Parameters<typeof refused>) =>
      `Error from server (Forbidden): ${refused(...refusal)}\n`;

    test.each([
      ['get widgets -n team-a', forbidden('list')],
      ['get widget plan -n team-a', forbidden('get', 'plan')],
      ['get widget missing -n team-a', forbidden('get', 'missing')],
      ['get widgets -n team-a -w', forbidden('list')],
      ['describe widget plan -n team-a', forbidden('get', 'plan')],
      ['delete widget plan -n team-a', forbidden('delete', 'plan')],
      ['delete widgets --all -n team-a', forbidden('list')],
      [
        'scale widget plan --replicas=3 -n team-a',
        `error: no objects passed to scale ${refused('get', 'plan')}\n`,
      ],
      ['label widget plan a=b -n team-a', forbidden('get', 'plan')],
      ['patch widget plan -n team-a --type=merge -p={}', forbidden('get', 'plan')],
      [
        'get widgets -A',
        'Error from server (Forbidden): widgets.example.com is forbidden: User "bob" cannot list resource "widgets" in API ' +
          'group "example.com" at the cluster scope\n',
      ],
      [
        'get crds',
        'Error from server (Forbidden): customresourcedefinitions.apiextensions.k8s.io is forbidden: User "bob" cannot list ' +
          'resource "customresourcedefinitions" in API group "apiextensions.k8s.io" at the cluster scope\n',
      ],
      [
        'create namespace mine',
        'Error from server (Forbidden): namespaces is forbidden: User "bob" cannot create resource "namespaces" in API group ' +
          '"" at the cluster scope\n',
      ],
      [
        'create rolebinding mine --clusterrole=cluster-admin --user=bob -n team-b',
        'error: failed to create rolebinding: rolebindings.rbac.authorization.k8s.io is forbidden: User "bob" cannot create ' +
          'resource "rolebindings" in API group "rbac.authorization.k8s.io" in the namespace "team-b"\n',
      ],
    ])('%s', async (command, err) => {
      expect(await kubectl.run(command)).toEqual({ code: 1, out: '', err });
    });

    test('apply, by client and by server', async () => {
      const input = widget('plan', { color: 'blue' }, { namespace: 'team-a' });
      expect(await kubectl.run('apply -f - --server-side --force-conflicts', [], { input })).toEqual({
        code: 1,
        out: '',
        err: forbidden('patch', 'plan'),
      });
      const { err } = await kubectl.run('apply -f -', [], { input });
      expect(err).toContain(`from server for: "STDIN": ${refused('get', 'plan')}`);
      expect((await get(alice.fetch, `${alices}/plan`)).json.spec.color).toBe('red');
    });
  },
);
