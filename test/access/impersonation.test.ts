import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { binding, clusterBinding, clusterRole, get, isUser, send } from './requests.ts';

/** Impersonation: `kubectl --as`. Source: apiserver, endpoints/filters/impersonation. */

const rbacPath = '/apis/rbac.authorization.k8s.io/v1';
const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const maps = '/api/v1/namespaces/default/configmaps';
const authentication = ['authentication.k8s.io'];

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ listen: false });
});
afterAll(() => server.close());

const user = (name: string, ...groups: string[]) => server.as({ name, groups }).fetch;

async function may(name: string, ...rules: Parameters<typeof clusterRole>[1][]) {
  await send(server.fetch, 'POST', `${rbacPath}/clusterroles`, clusterRole(name, ...rules));
  const bound = clusterBinding(name, `ClusterRole/${name}`, isUser(name));
  await send(server.fetch, 'POST', `${rbacPath}/clusterrolebindings`, bound);
}

async function whoIs(name: string, headers: Record<string, string>) {
  const { status, json, message } = await send(user(name), 'POST', whoami, {}, headers);
  return status === 201 ? json.status.userInfo : `${status} ${message}`;
}

describe('the verb impersonate', () => {
  beforeAll(async () => {
    await may(
      'alice',
      { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['bob'] },
      { verbs: ['impersonate'], apiGroups: [''], resources: ['groups'], resourceNames: ['dev', 'ops'] },
      { verbs: ['impersonate'], apiGroups: [''], resources: ['serviceaccounts'] },
      {
        verbs: ['impersonate'],
        apiGroups: authentication,
        resources: ['userextras/scopes'],
        resourceNames: ['view'],
      },
      { verbs: ['impersonate'], apiGroups: authentication, resources: ['uids'], resourceNames: ['7'] },
    );
  });

  test('gives the request to the other user, with uid, groups and extra', async () => {
    expect(await whoIs('alice', { 'Impersonate-User': 'bob' })).toEqual({
      username: 'bob',
      groups: ['system:authenticated'],
    });
    const all = {
      'Impersonate-User': 'bob',
      'Impersonate-Group': 'dev, ops',
      'impersonate-uid': '7',
      'Impersonate-Extra-Scopes': 'view',
    };
    expect(await whoIs('alice', all)).toEqual({
      username: 'bob',
      uid: '7',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: { scopes: ['view'] },
    });
  });

  test('each part must be allowed', async () => {
    const refused = (headers: Record<string, string>) =>
      whoIs('alice', { 'Impersonate-User': 'bob', ...headers });
    expect(await refused({ 'Impersonate-Group': 'system:masters' })).toBe(
      '403 groups "system:masters" is forbidden: User "alice" cannot impersonate resource "groups" in API group "" ' +
        'at the cluster scope',
    );
    expect(await refused({ 'Impersonate-Uid': '8' })).toContain(
      '403 uids.authentication.k8s.io "8" is forbidden',
    );
    expect(await refused({ 'Impersonate-Extra-scopes': 'edit' })).toBe(
      '403 userextras.authentication.k8s.io "edit" is forbidden: User "alice" cannot impersonate resource ' +
        '"userextras/scopes" in API group "authentication.k8s.io" at the cluster scope',
    );
    expect(await refused({ 'Impersonate-User': 'carol' })).toContain('403 users "carol" is forbidden');
  });

  test('a user without rights gets the refusal of the constrained mode, which is tried first', async () => {
    expect(await whoIs('zoe', { 'Impersonate-User': 'bob' })).toBe(
      '403 selfsubjectreviews.authentication.k8s.io is forbidden: User "zoe" cannot ' +
        'impersonate-on:user-info:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the ' +
        'cluster scope',
    );
  });

  test('a service account has the groups of its namespace', async () => {
    const name = 'system:serviceaccount:default:builder';
    expect(await whoIs('alice', { 'Impersonate-User': name })).toEqual({
      username: name,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    });
  });

  test('what the other may do is what counts, and no more', async () => {
    expect((await get(server.fetch, maps, { 'Impersonate-User': 'bob' })).message).toContain(
      'User "bob" cannot list resource "configmaps"',
    );
    const group = { 'Impersonate-User': 'bob', 'Impersonate-Group': 'system:masters' };
    expect((await get(server.fetch, maps, group)).status).toBe(200);
    expect(await whoIs('alice', { 'Impersonate-User': 'system:anonymous' })).toContain('403');
    const nobody = await send(server.fetch, 'POST', whoami, {}, { 'Impersonate-User': 'system:anonymous' });
    expect(nobody.message).toContain('User "system:anonymous" cannot create');
  });

  test('headers that name no user are refused', async () => {
    expect(await whoIs('alice', { 'Impersonate-Group': 'dev' })).toBe(
      '400 requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"dev"}, Extra:map[string][]string(nil)} ' +
        'without impersonating a user name',
    );
    expect(await whoIs('alice', { 'Impersonate-Extra-a%2fb': 'x' })).toContain(
      'Extra:map[string][]string{"a/b":[]string{"x"}}}',
    );
  });

  test('what only looks like such a header is none', async () => {
    const headers = { Impersonate_User: 'bob', 'X-Remote-User': 'bob', 'X-Remote-Group': 'system:masters' };
    expect((await whoIs('alice', headers)).username).toBe('alice');
  });
});

describe('constrained impersonation', () => {
  test('allows a mode for some verbs on some objects', async () => {
    await may(
      'agent',
      {
        verbs: ['impersonate:user-info'],
        apiGroups: authentication,
        resources: ['users'],
        resourceNames: ['bob'],
      },
      { verbs: ['impersonate-on:user-info:list'], apiGroups: [''], resources: ['configmaps'] },
    );
    await send(server.fetch, 'POST', `${rbacPath}/namespaces/default/rolebindings`, {
      ...binding('bob', 'ClusterRole/edit', isUser('bob')),
    });
    const asBob = { 'Impersonate-User': 'bob' };
    expect((await get(user('agent'), maps, asBob)).status).toBe(200);
    expect((await send(user('agent'), 'POST', maps, { metadata: { name: 'x' } }, asBob)).message).toBe(
      'configmaps is forbidden: User "agent" cannot impersonate-on:user-info:create resource "configmaps" in API ' +
        'group "" in the namespace "default"',
    );
    expect((await get(user('agent'), maps, { 'Impersonate-User': 'carol' })).message).toContain(
      'users.authentication.k8s.io "carol" is forbidden: User "agent" cannot impersonate:user-info resource "users"',
    );
  });

  test('makes no user an administrator', async () => {
    await may(
      'strong',
      { verbs: ['impersonate:user-info'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['impersonate-on:user-info:list'], apiGroups: ['*'], resources: ['*'] },
    );
    const headers = { 'Impersonate-User': 'bob', 'Impersonate-Group': 'system:masters' };
    expect((await get(user('strong'), maps, headers)).message).toContain(
      'impersonating the system:masters group is not allowed',
    );
  });

  test('of a node needs only the node, and has its group', async () => {
    await may(
      'node-agent',
      {
        verbs: ['impersonate:arbitrary-node'],
        apiGroups: authentication,
        resources: ['nodes'],
        resourceNames: ['n1'],
      },
      {
        verbs: ['impersonate-on:arbitrary-node:create'],
        apiGroups: authentication,
        resources: ['selfsubjectreviews'],
      },
    );
    expect(await whoIs('node-agent', { 'Impersonate-User': 'system:node:n1' })).toEqual({
      username: 'system:node:n1',
      groups: ['system:nodes', 'system:authenticated'],
    });
    expect(await whoIs('node-agent', { 'Impersonate-User': 'system:node:n2' })).toContain('403');
  });
});
