import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';
import { binding, isUser, rbac, role, send } from './requests.ts';

/** The errors that client-go gets for objects that its user may not read. Builds a Go program, so it runs only on request. */

const folder = fileURLToPath(new URL('go-client', import.meta.url));

const refused = (verb: string, { name = 'plan', resource = 'widgets' } = {}) =>
  `widgets.example.com ${name === '' ? '' : `"${name}" `}is forbidden: User "bob" cannot ${verb} resource ` +
  `"${resource}" in API group "example.com" in the namespace "team-a"`;

test.skipIf(process.env['ILK_TEST_GO'] === undefined)(
  'client-go (skipped without ILK_TEST_GO)',
  { timeout: 300_000 },
  async () => {
    const listen = { host: '127.0.0.1', port: 0, tls: true };
    await using server = await startServer({ crds: [widgetCrd], listen });
    const bob = await server.addUser({ name: 'bob' });
    for (const namespace of ['team-a', 'team-b'])
      await send(server.fetch, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    const path = `/apis/${rbac}/v1/namespaces/team-b`;
    const rule = { verbs: ['*'], apiGroups: ['example.com'], resources: ['*'] };
    await send(server.fetch, 'POST', `${path}/roles`, role('worker', rule));
    await send(server.fetch, 'POST', `${path}/rolebindings`, binding('worker', 'Role/worker', isUser('bob')));
    for (const [namespace, name] of [
      ['team-a', 'plan'],
      ['team-b', 'one'],
      ['team-b', 'two'],
    ] as const)
      await send(server.fetch, 'POST', widgetsPath(namespace), widget(name));

    const args = ['run', '.', bob.kubeconfigPath, 'team-a', 'team-b'];
    const { stdout } = await promisify(execFile)('go', args, { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({
      list: refused('list', { name: '' }),
      'list of all namespaces':
        'widgets.example.com is forbidden: User "bob" cannot list resource "widgets" in API group "example.com" at the cluster scope',
      get: refused('get'),
      'get scale': refused('get', { resource: 'widgets/scale' }),
      watch: refused('watch', { name: '' }),
      create: refused('create', { name: '' }),
      update: refused('update'),
      'update status': refused('update', { resource: 'widgets/status' }),
      'apply with force': refused('patch'),
      patch: refused('patch'),
      delete: refused('delete'),
      deletecollection: refused('deletecollection', { name: '' }),
      metadata: refused('list', { name: '' }),
      'config map, in protobuf or JSON':
        'configmaps "plan" is forbidden: User "bob" cannot get resource "configmaps" in API group "" in the namespace "team-a"',
      token:
        'serviceaccounts "default" is forbidden: User "bob" cannot create resource "serviceaccounts/token" in API group "" in the namespace "team-a"',
      informer: expect.stringContaining('User "bob" cannot'),
      'as alice': refused('impersonate-on:user-info:list', { name: '' }),
      'may I': 'false',
      'own informer': 'ok 2',
    });
  },
);
