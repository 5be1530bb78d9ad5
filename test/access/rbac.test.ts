import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { widgetCrd } from '../fixtures/widgets.ts';
import { binding, clusterBinding, clusterRole, get, isGroup, isUser, rbac, role, send } from './requests.ts';

/** Who may do what on a server: RBAC as upstream has it, its bootstrap policy, escalation, reviews, and watches. */

const access = `/apis/${rbac}/v1`;
const widgets = (namespace: string) => `/apis/example.com/v1/namespaces/${namespace}/widgets`;

let server: IlkServer;

beforeAll(async () => {
  server = await startServer({ crds: [widgetCrd], listen: false });
  for (const name of ['team-a', 'team-b']) {
    await send(server.fetch, 'POST', '/api/v1/namespaces', { metadata: { name } });
  }
});
afterAll(() => server.close());

const user = (name: string, ...groups: string[]) => server.as({ name, groups }).fetch;

const collections = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};
const pathOf = (kind: string, namespace = 'team-a') => {
  const collection = collections[kind as keyof typeof collections];
  return kind.startsWith('Cluster')
    ? `${access}/${collection}`
    : `${access}/namespaces/${namespace}/${collection}`;
};
/** Creates roles and bindings as the administrator. */
async function given(...objects: { readonly kind: string }[]) {
  for (const object of objects) {
    const { status, message } = await send(server.fetch, 'POST', pathOf(object.kind), object);
    expect(message).toBe('');
    expect(status).toBe(201);
  }
}

describe('who may do what', () => {
  test('nothing is allowed to a user whom no binding names, beyond what everybody may', async () => {
    const { status, json } = await get(user('nobody'), widgets('team-a'));
    expect(status).toBe(403);
    expect(json).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'widgets.example.com is forbidden: User "nobody" cannot list resource "widgets" in API group ' +
        '"example.com" in the namespace "team-a"',
      reason: 'Forbidden',
      details: { group: 'example.com', kind: 'widgets' },
      code: 403,
    });
    for (const open of ['/version', '/healthz', '/apis', '/api/v1', '/openapi/v3']) {
      expect((await get(user('nobody'), open)).status).toBe(200);
    }
    expect((await get(user('nobody'), '/metrics')).message).toContain(
      'forbidden: User "nobody" cannot get path "/metrics"',
    );
  });

  test('a binding counts for the very next request, and so does its end', async () => {
    const dana = user('dana');
    for (let round = 0; round < 20; round += 1) {
      await given(binding('dana', 'ClusterRole/view', isUser('dana')));
      expect((await get(dana, '/api/v1/namespaces/team-a/configmaps')).status).toBe(200);
      expect((await get(dana, '/api/v1/namespaces/team-b/configmaps')).status).toBe(403);
      await send(server.fetch, 'DELETE', `${pathOf('RoleBinding')}/dana`);
      expect((await get(dana, '/api/v1/namespaces/team-a/configmaps')).status).toBe(403);
    }
  });

  test('a role that changes changes the rights of those bound to it', async () => {
    const read = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] };
    await given(role('reader', read), binding('reader', 'Role/reader', isGroup('readers')));
    const eve = user('eve', 'readers');
    const one = '/api/v1/namespaces/team-a/configmaps/none';
    expect((await get(eve, one)).status).toBe(404);
    await send(server.fetch, 'PATCH', `${pathOf('Role')}/reader`, { rules: [{ ...read, verbs: ['list'] }] });
    expect((await get(eve, one)).status).toBe(403);
    expect((await get(eve, '/api/v1/namespaces/team-a/configmaps')).status).toBe(200);
  });

  test('a namespace can be read by who may get namespaces in it', async () => {
    await given(binding('frank', 'ClusterRole/view', isUser('frank')));
    expect((await get(user('frank'), '/api/v1/namespaces/team-a')).status).toBe(200);
    expect((await get(user('frank'), '/api/v1/namespaces/team-b')).message).toBe(
      'namespaces "team-b" is forbidden: User "frank" cannot get resource "namespaces" in API group "" in the ' +
        'namespace "team-b"',
    );
  });

  test('rules that name objects allow a list or watch of one name, and no create', async () => {
    await given(
      role('one-map', {
        verbs: ['get', 'list', 'watch', 'create', 'deletecollection'],
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: ['mine'],
      }),
      binding('one-map', 'Role/one-map', isUser('gina')),
    );
    const gina = user('gina');
    const maps = '/api/v1/namespaces/team-a/configmaps';
    expect((await get(gina, `${maps}/mine`)).status).toBe(404);
    expect((await get(gina, `${maps}/other`)).status).toBe(403);
    expect((await get(gina, maps)).status).toBe(403);
    expect((await get(gina, `${maps}?fieldSelector=metadata.name=mine`)).status).toBe(200);
    expect((await get(gina, `${maps}?fieldSelector=metadata.name=other`)).status).toBe(403);
    expect((await get(gina, `${maps}?fieldSelector=metadata.name!=mine`)).status).toBe(403);
    const watch = await gina(`${maps}?watch=1&fieldSelector=metadata.name=mine`);
    expect(watch.status).toBe(200);
    await watch.body?.cancel();
    expect((await send(gina, 'POST', maps, { metadata: { name: 'mine' } })).status).toBe(403);
    const collection = `${maps}?fieldSelector=metadata.name=mine`;
    expect((await send(gina, 'DELETE', collection)).status).toBe(403);
  });

  test('a binding to a missing role grants nothing, and the refusal names it', async () => {
    await given(binding('lost', 'Role/lost', isUser('hugo')));
    expect((await get(user('hugo'), '/api/v1/namespaces/team-a/pods')).message).toBe(
      'pods is forbidden: User "hugo" cannot list resource "pods" in API group "" in the namespace "team-a": ' +
        'RBAC: role.rbac.authorization.k8s.io "lost" not found',
    );
  });

  test('authors of CRDs extend admin, edit and view by labels', async () => {
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    const made = clusterRole('widgets-view', {
      verbs: ['get', 'list', 'watch'],
      apiGroups: ['example.com'],
      resources: ['widgets'],
    });
    await given(
      { ...made, metadata: { name: 'widgets-view', labels } } as typeof made,
      ...['view', 'edit', 'admin'].map((name) =>
        binding(`is-${name}`, `ClusterRole/${name}`, isGroup(`g-${name}`)),
      ),
    );
    for (const name of ['view', 'edit', 'admin']) {
      await expect
        .poll(async () => (await get(user('ida', `g-${name}`), widgets('team-a'))).status, {
          timeout: 10_000,
        })
        .toBe(200);
    }
    const { json } = await get(server.fetch, `${access}/clusterroles/view`);
    const managers = json.metadata.managedFields.map(({ manager }: { manager: string }) => manager);
    expect(managers).toContain('clusterrole-aggregation-controller');
  });
});

describe('escalation', () => {
  beforeAll(async () => {
    await given(binding('jo-admin', 'ClusterRole/admin', isUser('jo')));
  });

  test('a role may give no more than its author has', async () => {
    const jo = user('jo', 'dev');
    const granted = await send(
      jo,
      'POST',
      pathOf('Role'),
      role('fine', {
        verbs: ['get', 'list'],
        apiGroups: [''],
        resources: ['configmaps', 'secrets'],
      }),
    );
    expect(granted.status).toBe(201);
    const refused = await send(
      jo,
      'POST',
      pathOf('Role'),
      role('too-much', {
        verbs: ['list', 'get', 'impersonate'],
        apiGroups: ['', 'example.com'],
        resources: ['nodes', 'serviceaccounts'],
      }),
    );
    expect(refused.status).toBe(403);
    expect(refused.message).toBe(
      'roles.rbac.authorization.k8s.io "too-much" is forbidden: user "jo" (groups=["dev" "system:authenticated"]) ' +
        'is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["nodes"], Verbs:["list" "get" "impersonate"]}\n' +
        '{APIGroups:["example.com"], Resources:["nodes"], Verbs:["list" "get" "impersonate"]}\n' +
        '{APIGroups:["example.com"], Resources:["serviceaccounts"], Verbs:["list" "get" "impersonate"]}',
    );
    const widened = { rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] };
    expect((await send(jo, 'PATCH', `${pathOf('Role')}/fine`, widened)).status).toBe(403);
  });

  test('a binding may bind no more than its author has, to anybody', async () => {
    const jo = user('jo');
    const bound = (ref: string) =>
      send(jo, 'POST', pathOf('RoleBinding'), binding(`jo-${ref.slice(-4)}`, ref, isUser('kim')));
    expect((await bound('ClusterRole/view')).status).toBe(201);
    const { status, message } = await bound('ClusterRole/cluster-admin');
    expect(status).toBe(403);
    expect(message).toContain(
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}',
    );
    expect((await bound('ClusterRole/none')).message).toBe(
      'clusterroles.rbac.authorization.k8s.io "none" not found',
    );
  });

  test('subjects cannot be added to a binding of more than one has', async () => {
    await given(binding('strong', 'ClusterRole/cluster-admin', isUser('lea')));
    const path = `${pathOf('RoleBinding')}/strong`;
    const more = { subjects: [isUser('jo')] };
    expect((await send(user('jo'), 'PATCH', path, more)).status).toBe(403);
    const owned = { metadata: { finalizers: ['example.com/hold'] } };
    expect((await send(user('jo'), 'PATCH', path, owned)).status).toBe(200);
    await send(server.fetch, 'PATCH', path, { metadata: { finalizers: null } });
  });

  test('escalate and bind are rights of their own', async () => {
    const on = { apiGroups: [rbac] };
    await given(
      clusterRole(
        'may-escalate',
        { ...on, verbs: ['escalate', 'create', 'update', 'patch'], resources: ['roles'] },
        { ...on, verbs: ['create'], resources: ['rolebindings'] },
        { ...on, verbs: ['bind'], resources: ['clusterroles'], resourceNames: ['cluster-admin'] },
      ),
      binding('mia', 'ClusterRole/may-escalate', isUser('mia')),
    );
    const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    const mia = user('mia');
    expect((await send(mia, 'POST', pathOf('Role'), role('all', everything))).status).toBe(201);
    const bind = (name: string) =>
      send(mia, 'POST', pathOf('RoleBinding'), binding(`mia-${name}`, `ClusterRole/${name}`, isUser('mia')));
    expect((await bind('cluster-admin')).status).toBe(201);
    await send(server.fetch, 'DELETE', `${pathOf('RoleBinding')}/mia-cluster-admin`);
    expect((await bind('edit')).status).toBe(403);
  });

  test('a rule of aggregation takes everything', async () => {
    const full = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    await given(
      clusterRole('role-writer', { verbs: ['create'], apiGroups: [rbac], resources: ['clusterroles'] }),
      clusterBinding('role-writer', 'ClusterRole/role-writer', isUser('nina')),
    );
    const gathers = {
      ...clusterRole('gathers'),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { any: 'thing' } }] },
    };
    expect((await send(user('nina'), 'POST', pathOf('ClusterRole'), gathers)).message).toBe(
      'clusterroles.rbac.authorization.k8s.io "gathers" is forbidden: must have cluster-admin privileges to use ' +
        'the aggregationRule',
    );
    await given(
      clusterRole('all-of-it', full, { verbs: ['*'], nonResourceURLs: ['*'] }),
      clusterBinding('all-of-it', 'ClusterRole/all-of-it', isUser('nina')),
    );
    expect((await send(user('nina'), 'POST', pathOf('ClusterRole'), gathers)).status).toBe(201);
  });
});

describe('reviews', () => {
  const reviews = '/apis/authorization.k8s.io/v1';
  const onWidgets = { group: 'example.com', resource: 'widgets', namespace: 'team-a', verb: 'list' };

  test('users may ask about themselves, and with a right about others', async () => {
    await given(binding('olga', 'ClusterRole/cluster-admin', isUser('olga')));
    const self = `${reviews}/selfsubjectaccessreviews`;
    const own = await send(user('olga'), 'POST', self, { spec: { resourceAttributes: onWidgets } });
    const reason = 'RBAC: allowed by RoleBinding "olga/team-a" of ClusterRole "cluster-admin" to User "olga"';
    expect(own.json.status).toEqual({ allowed: true, reason });
    const others = `${reviews}/subjectaccessreviews`;
    const spec = { user: 'olga', resourceAttributes: onWidgets };
    expect((await send(user('olga'), 'POST', others, { spec })).status).toBe(403);
    expect((await send(server.fetch, 'POST', others, { spec })).json.status).toEqual({
      allowed: true,
      reason,
    });
    expect(
      (await send(server.fetch, 'POST', others, { spec: { ...spec, user: 'paul' } })).json.status,
    ).toEqual({
      allowed: false,
    });
    const local = `${reviews}/namespaces/team-a/localsubjectaccessreviews`;
    expect((await send(user('olga'), 'POST', local, { spec })).json.status.allowed).toBe(true);
    const elsewhere = { spec: { ...spec, resourceAttributes: { ...onWidgets, namespace: 'team-b' } } };
    expect((await send(user('olga'), 'POST', local, elsewhere)).message).toContain(
      'spec.resourceAttributes.namespace: Invalid value: "team-b": must match metadata.namespace',
    );
  });

  test('what cannot be asked is refused', async () => {
    const others = `${reviews}/subjectaccessreviews`;
    expect((await send(server.fetch, 'POST', others, { spec: {} })).message).toBe(
      '.authorization.k8s.io "" is invalid: [spec.resourceAttributes: Invalid value: null: exactly one of ' +
        'nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one ' +
        'of user or group must be specified]',
    );
    expect((await get(server.fetch, others)).status).toBe(405);
  });

  test('a token is reviewed', async () => {
    const tokens = '/apis/authentication.k8s.io/v1/tokenreviews';
    const { json } = await send(server.fetch, 'POST', tokens, { spec: { token: 'unknown' } });
    expect(json.status).toEqual({ user: {}, error: 'invalid bearer token' });
    expect((await send(server.fetch, 'POST', tokens, { spec: {} })).message).toBe(
      'token is required for TokenReview in authentication',
    );
  });

  test('the rules of a user are listed', async () => {
    const rules = `${reviews}/selfsubjectrulesreviews`;
    const { json } = await send(user('nobody'), 'POST', rules, { spec: { namespace: 'team-a' } });
    expect(json.status.incomplete).toBe(false);
    expect(json.status.resourceRules).toEqual([
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ]);
    expect((await send(user('nobody'), 'POST', rules, { spec: {} })).message).toBe('no namespace on request');
  });
});

describe('watches', () => {
  test('a watch ends soon after its user has lost the right, and others go on', async () => {
    await given(
      binding('quinn', 'ClusterRole/view', isUser('quinn')),
      binding('rosa', 'ClusterRole/view', isUser('rosa')),
    );
    const maps = '/api/v1/namespaces/team-a/configmaps?watch=1';
    const [quinn, rosa] = [await user('quinn')(maps), await user('rosa')(maps)];
    const startedMs = Date.now();
    await send(server.fetch, 'DELETE', `${pathOf('RoleBinding')}/quinn`);
    await new WatchStream(quinn).rest();
    expect(Date.now() - startedMs).toBeLessThan(30_000);
    const other = new WatchStream(rosa);
    await send(server.fetch, 'POST', '/api/v1/namespaces/team-a/configmaps', { metadata: { name: 'seen' } });
    expect((await other.next())?.type).toBe('ADDED');
    await other.close();
  });
});

describe('modes', () => {
  test('AlwaysAllow and AlwaysDeny', async () => {
    await using open = await startServer({ listen: false, authorizationModes: ['AlwaysAllow'] });
    expect((await get(open.as({ name: 'bob' }).fetch, '/api/v1/namespaces')).status).toBe(200);
    await using shut = await startServer({ listen: false, authorizationModes: ['AlwaysDeny'] });
    expect((await get(shut.as({ name: 'bob' }).fetch, '/version')).message).toBe(
      'forbidden: User "bob" cannot get path "/version": Everything is forbidden.',
    );
    expect((await get(shut.fetch, '/version')).status).toBe(200);
  });
});

describe('the bootstrap policy', () => {
  test('what was taken from a role is given back at the next start, unless it says otherwise', async () => {
    const { mkdtempSync, rmSync } = await import('node:fs');
    const dataDir = mkdtempSync('/tmp/ilk-policy-');
    const storage = { kind: 'sqlite', dataDir } as const;
    const path = `${access}/clusterroles`;
    {
      await using first = await startServer({ listen: false, storage });
      await send(first.fetch, 'PATCH', `${path}/system:basic-user`, { rules: [] });
      await send(first.fetch, 'PATCH', `${path}/system:monitoring`, {
        rules: [],
        metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } },
      });
      await send(first.fetch, 'DELETE', `${access}/clusterrolebindings/system:discovery`);
    }
    await using second = await startServer({ listen: false, storage });
    expect((await get(second.fetch, `${path}/system:basic-user`)).json.rules).toHaveLength(3);
    expect((await get(second.fetch, `${path}/system:monitoring`)).json.rules ?? []).toEqual([]);
    expect((await get(second.as({ name: 'bob' }).fetch, '/apis')).status).toBe(200);
    rmSync(dataDir, { recursive: true });
  });
});

test('a fork has the rules of its parent, and each its own from there on', async () => {
  await given(binding('sam', 'ClusterRole/view', isUser('sam')));
  await using fork = await server.fork({ listen: false });
  const maps = '/api/v1/namespaces/team-a/configmaps';
  expect((await get(fork.as({ name: 'sam' }).fetch, maps)).status).toBe(200);
  await send(fork.fetch, 'DELETE', `${pathOf('RoleBinding')}/sam`);
  expect((await get(fork.as({ name: 'sam' }).fetch, maps)).status).toBe(403);
  expect((await get(user('sam'), maps)).status).toBe(200);
});
