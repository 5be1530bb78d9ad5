import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { clusterBinding, clusterRole, get, isUser, send } from '../access/requests.ts';
import { Widgets, widget } from './widgets.test-support.ts';

/** For CN=jane, O=team. Made with: openssl req -new -key key.pem -subj /CN=jane/O=team | base64 -w0 */
const request =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYU1JR0FBZ0VBTUI0eERUQUxCZ05WQkFNTUJHcGhibVV4RFRB' +
  'TEJnTlZCQW9NQkhSbFlXMHdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVNyNy9jN2NLWHpzdDdVdVhzUmFNTVlT' +
  'YmFzOHYyUkNjTkRwS0g1CklKVFZUMjRaYTNRcU9HQlJ3Y0xmc0xySkQ4ZzR6cm9pTFNPdys0VEhSRXkxQzNjOW9BQXdDZ1lJS29a' +
  'SXpqMEUKQXdJRFNRQXdSZ0loQUtYM1pNK0FsdXZvb2dBNElmN3FWR0VvUjZlRDhsUCtXa1FBT0VoeFhWME9BaUVBb3JVQwp0SDlp' +
  'LzdLMDA2R0dTSHFiL3BZZWZLdGs2YWNaMkdyU2xCcVZSYjQ9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

describe('the choice of plugins', () => {
  const refusal = async (choice: object) => {
    try {
      await (await startServer({ listen: false, ...choice })).close();
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('has names that Kubernetes knows, and each once', async () => {
    expect(await refusal({ enableAdmissionPlugins: ['Nope'] })).toBe(
      'enable-admission-plugins plugin "Nope" is unknown',
    );
    expect(await refusal({ disableAdmissionPlugins: ['NamespaceLifecycle', 'nope'] })).toBe(
      'disable-admission-plugins plugin "nope" is unknown',
    );
    const both = ['NamespaceLifecycle', 'LimitRanger', 'ServiceAccount'];
    expect(
      await refusal({
        enableAdmissionPlugins: both,
        disableAdmissionPlugins: ['LimitRanger', ...both.slice(0, 1)],
      }),
    ).toBe(
      '[LimitRanger NamespaceLifecycle] in enable-admission-plugins and disable-admission-plugins overlapped',
    );
  });

  test('may leave out what is on by default', async () => {
    await using widgets = await Widgets.start({ disableAdmissionPlugins: ['NamespaceLifecycle'] });
    const path = '/apis/example.com/v1/namespaces/gone/widgets';
    expect((await widgets.call('POST', path, widget('a'))).code).toBe(201);
  });
});

describe('NamespaceAutoProvision', () => {
  let widgets: Widgets;
  beforeAll(async () => {
    widgets = await Widgets.start({ enableAdmissionPlugins: ['NamespaceAutoProvision'] });
  });
  afterAll(() => widgets[Symbol.asyncDispose]());
  const path = (namespace: string) => `/apis/example.com/v1/namespaces/${namespace}/widgets`;

  test('makes the namespace of what is created', async () => {
    expect((await widgets.call('POST', path('new'), widget('a'))).code).toBe(201);
    expect((await widgets.call('POST', path('new'), widget('b'))).code).toBe(201);
    const { body } = await widgets.call('GET', '/api/v1/namespaces/new');
    expect([body.status.phase, body.spec.finalizers]).toEqual(['Active', ['kubernetes']]);
  });

  test('makes none for a dry run, and none of a name that cannot be', async () => {
    expect((await widgets.call('POST', `${path('dry')}?dryRun=All`, widget('a'))).code).toBe(404);
    expect((await widgets.call('GET', '/api/v1/namespaces/dry')).code).toBe(404);
    const { code, body } = await widgets.call('POST', path('No'), widget('a'));
    expect([code, body.message]).toEqual([
      403,
      expect.stringContaining('widgets.example.com "a" is forbidden: Namespace "No" is invalid'),
    ]);
  });

  test('many at once make it once', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `w${index}`);
    const codes = await Promise.all(
      names.map(async (name) => (await widgets.call('POST', path('many'), widget(name))).code),
    );
    expect(new Set(codes)).toEqual(new Set([201]));
  });
});

test('NamespaceExists refuses what is written in a namespace that is gone', async () => {
  const off = { disableAdmissionPlugins: ['NamespaceLifecycle'] };
  await using widgets = await Widgets.start({ ...off, enableAdmissionPlugins: ['NamespaceExists'] });
  const path = '/apis/example.com/v1/namespaces/gone/widgets';
  const { code, body } = await widgets.call('POST', path, widget('a'));
  expect([code, body.message]).toEqual([404, 'namespaces "gone" not found']);
});

describe('OwnerReferencesPermissionEnforcement', () => {
  let server: IlkServer;
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const maps = '/api/v1/namespaces/default/configmaps';
  beforeAll(async () => {
    server = await startServer({
      listen: false,
      enableAdmissionPlugins: ['OwnerReferencesPermissionEnforcement'],
    });
    const rights: Record<string, object[]> = {
      writer: [{ verbs: ['create', 'update', 'get'], apiGroups: [''], resources: ['configmaps'] }],
      deleter: [{ verbs: ['create', 'update', 'get', 'delete'], apiGroups: [''], resources: ['configmaps'] }],
      finalizer: [
        { verbs: ['create', 'update', 'get', 'delete'], apiGroups: [''], resources: ['configmaps'] },
        { verbs: ['update'], apiGroups: [''], resources: ['secrets/finalizers'], resourceNames: ['owner'] },
      ],
    };
    for (const [name, rules] of Object.entries(rights)) {
      // biome-ignore lint/suspicious/noExplicitAny: what a role may say is not for this test.
      await send(server.fetch, 'POST', `${rbac}/clusterroles`, clusterRole(name, ...(rules as any[])));
      const bound = clusterBinding(name, `ClusterRole/${name}`, isUser(name));
      await send(server.fetch, 'POST', `${rbac}/clusterrolebindings`, bound);
    }
  });
  afterAll(() => server.close());

  const owner = (more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    name: 'owner',
    uid: '1',
    ...more,
  });
  const map = (name: string, ...ownerReferences: object[]) => ({ metadata: { name, ownerReferences } });
  const as = (user: string) => server.as({ name: user, groups: [] }).fetch;
  const create = async (user: string, name: string, ...owners: object[]) => {
    const { status, message } = await send(as(user), 'POST', maps, map(name, ...owners));
    return `${status} ${message ?? ''}`;
  };
  const update = async (user: string, name: string, ...owners: object[]) => {
    const { status, message } = await send(as(user), 'PUT', `${maps}/${name}`, map(name, ...owners));
    return `${status} ${message ?? ''}`;
  };

  test('lets anybody create what has an owner', async () => {
    expect(await create('writer', 'a', owner())).toMatch(/^201/);
  });

  test('asks for delete where owners change, and only there', async () => {
    await create('writer', 'b');
    expect(await update('writer', 'b')).toMatch(/^200/);
    expect(await update('writer', 'b', owner())).toBe(
      `403 configmaps "b" is forbidden: cannot set an ownerRef on a resource you can't delete: , <nil>`,
    );
    expect(await update('deleter', 'b', owner())).toMatch(/^200/);
  });

  test('asks for the finalizers of an owner whose deletion is blocked', async () => {
    const text = `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>`;
    const blocking = owner({ blockOwnerDeletion: true });
    expect(await create('deleter', 'c', blocking)).toBe(`403 configmaps "c" is forbidden: ${text}`);
    expect(await create('finalizer', 'c', blocking)).toMatch(/^201/);
    // What blocked already needs no right again.
    expect(await update('deleter', 'c', blocking, owner({ uid: '2', name: 'other' }))).toMatch(/^200/);
    expect(await create('finalizer', 'd', owner({ name: 'another', blockOwnerDeletion: true }))).toContain(
      text,
    );
  });

  test('refuses to block the deletion of a kind that is not served', async () => {
    const unknown = {
      apiVersion: 'example.com/v9',
      kind: 'Gone',
      name: 'x',
      uid: '3',
      blockOwnerDeletion: true,
    };
    expect(await create('deleter', 'e', unknown)).toBe(
      '403 configmaps "e" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion example.com/v9 Kind Gone: no matches for kind "Gone" in version "example.com/v9"',
    );
    expect((await send(server.fetch, 'POST', maps, map('e', unknown))).status).toBe(201);
    expect((await get(server.fetch, `${maps}/e`)).status).toBe(200);
  });
});

describe('CertificateApproval and CertificateSigning', () => {
  const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  let server: IlkServer;
  beforeAll(async () => {
    server = await startServer({ listen: false });
    const group = 'certificates.k8s.io';
    const kind = 'certificatesigningrequests';
    const resources = [kind, `${kind}/approval`, `${kind}/status`];
    const rules = [{ verbs: ['*'], apiGroups: [group], resources }];
    const signers = (verb: string, name: string) => [
      ...rules,
      { verbs: [verb], apiGroups: [group], resources: ['signers'], resourceNames: [name] },
    ];
    const rights = {
      writer: rules,
      approver: signers('approve', 'example.com/mine'),
      signer: signers('sign', 'example.com/*'),
    };
    for (const [name, allowed] of Object.entries(rights)) {
      const rbac = '/apis/rbac.authorization.k8s.io/v1';
      await send(server.fetch, 'POST', `${rbac}/clusterroles`, clusterRole(name, ...allowed));
      const bound = clusterBinding(name, `ClusterRole/${name}`, isUser(name));
      await send(server.fetch, 'POST', `${rbac}/clusterrolebindings`, bound);
    }
    await send(server.fetch, 'POST', requests, {
      metadata: { name: 'one' },
      spec: { request, signerName: 'example.com/mine', usages: ['client auth'] },
    });
  });
  afterAll(() => server.close());

  const change = async (user: string, endpoint: string, type: string) => {
    const { fetch } = server.as({ name: user, groups: [] });
    const path = `${requests}/one`;
    const text = await (await server.fetch(path)).text();
    const old: object = JSON.parse(text);
    const status = { conditions: [{ type, status: 'True' }] };
    const answer = await send(fetch, 'PUT', `${path}${endpoint}?dryRun=All`, { ...old, status });
    return `${answer.status} ${answer.message ?? ''}`;
  };
  const refusal = (verb: string) =>
    `403 certificatesigningrequests.certificates.k8s.io "one" is forbidden: user not permitted to ${verb} requests ` +
    'with signerName "example.com/mine"';

  test.each([
    ['writer', '/approval', 'Approved', refusal('approve')],
    ['signer', '/approval', 'Approved', refusal('approve')],
    ['approver', '/approval', 'Approved', '200 '],
    ['writer', '/status', 'Failed', refusal('sign')],
    ['approver', '/status', 'Failed', refusal('sign')],
    ['signer', '/status', 'Failed', '200 '],
  ])('%s %s %s: %s', async (user, endpoint, type, said) => {
    expect(await change(user, endpoint, type)).toBe(said);
  });
});
