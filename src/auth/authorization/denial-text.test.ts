import { expect, test } from 'vitest';
import { AuthorizerChain } from './authorizer-chain.ts';
import { authorizeBootstrap } from './bootstrap-rules.ts';
import { denialText } from './denial-text.ts';
import { authorizeMasters } from './masters.ts';
import type { AuthorizationAttributes } from './authorization-attributes.ts';

const chain = new AuthorizerChain([authorizeMasters, authorizeBootstrap]);
const allows = async (attributes: AuthorizationAttributes) =>
  (await chain.authorize(attributes)).verdict === 'allow';

const asking = (groups: string[], path = '/apis') => ({
  user: { name: 'alice', groups },
  verb: 'get',
  resource: undefined,
  path,
});

test('masters may do everything, probes are open, nothing else is', async () => {
  expect(await allows(asking(['system:masters']))).toBe(true);
  expect(await allows(asking(['dev']))).toBe(false);
  expect(await allows(asking([], '/readyz/ping'))).toBe(true);
  expect(await allows(asking([], '/readyzz'))).toBe(false);
});

test.each([
  [['system:unauthenticated'], ['/version', '/healthz'], ['/apis', '/metrics', '/openapi/v2']],
  [
    ['system:authenticated'],
    ['/version', '/api', '/apis/example.com/v1', '/openapi/v3'],
    ['/metrics', '/apiss'],
  ],
])('%s may look around as in every cluster', async (groups, open, closed) => {
  for (const path of open) expect(await allows(asking(groups, path))).toBe(true);
  for (const path of closed) expect(await allows(asking(groups, path))).toBe(false);
});

test('whoever is somebody may ask who it is and what it may do, and read nothing', async () => {
  const review = { version: 'v1', subresource: '', namespace: '', name: '' };
  const ask = (verb: string, group: string, resource: string) =>
    allows({ ...asking(['system:authenticated']), verb, resource: { ...review, group, resource } });
  expect(await ask('create', 'authentication.k8s.io', 'selfsubjectreviews')).toBe(true);
  expect(await ask('create', 'authorization.k8s.io', 'selfsubjectaccessreviews')).toBe(true);
  expect(await ask('get', 'authorization.k8s.io', 'selfsubjectaccessreviews')).toBe(false);
  expect(await ask('create', 'authorization.k8s.io', 'subjectaccessreviews')).toBe(false);
  expect(await ask('list', '', 'namespaces')).toBe(false);
});

test('a denial says who cannot do what, where', () => {
  const resource = {
    group: 'example.com',
    version: 'v1',
    resource: 'widgets',
    subresource: 'status',
    namespace: 'ns',
    name: 'x',
  };
  expect(denialText({ ...asking([]), verb: 'patch', resource }, '')).toBe(
    'User "alice" cannot patch resource "widgets/status" in API group "example.com" in the namespace "ns"',
  );
  expect(denialText({ ...asking([]), resource: { ...resource, namespace: '', subresource: '' } }, 'no')).toBe(
    'User "alice" cannot get resource "widgets" in API group "example.com" at the cluster scope: no',
  );
  expect(denialText(asking([]), '')).toBe('User "alice" cannot get path "/apis"');
});
