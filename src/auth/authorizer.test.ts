import { expect, test } from 'vitest';
import { authorizeMasters, denialText } from './authorizer.ts';

const asking = (groups: string[], path = '/apis') => ({
  user: { name: 'alice', groups },
  verb: 'get',
  resource: undefined,
  path,
});

test('masters may do everything, probes are open, nothing else is', () => {
  expect(authorizeMasters(asking(['system:masters'])).allowed).toBe(true);
  expect(authorizeMasters(asking(['dev'])).allowed).toBe(false);
  expect(authorizeMasters(asking([], '/readyz/ping')).allowed).toBe(true);
  expect(authorizeMasters(asking([], '/readyzz')).allowed).toBe(false);
});

test.each([
  [['system:unauthenticated'], ['/version', '/healthz'], ['/apis', '/metrics', '/openapi/v2']],
  [
    ['system:authenticated'],
    ['/version', '/api', '/apis/example.com/v1', '/openapi/v3'],
    ['/metrics', '/apiss'],
  ],
])('%s may look around as in every cluster', (groups, open, closed) => {
  const allowed = (path: string) => authorizeMasters(asking(groups, path)).allowed;
  expect([...open, ...closed].filter(allowed)).toEqual(open);
});

test('whoever is somebody may ask who it is and what it may do, and read nothing', () => {
  const review = { version: 'v1', subresource: '', namespace: '', name: '' };
  const ask = (verb: string, group: string, resource: string) =>
    authorizeMasters({ ...asking(['system:authenticated']), verb, resource: { ...review, group, resource } })
      .allowed;
  expect(ask('create', 'authentication.k8s.io', 'selfsubjectreviews')).toBe(true);
  expect(ask('create', 'authorization.k8s.io', 'selfsubjectaccessreviews')).toBe(true);
  expect(ask('get', 'authorization.k8s.io', 'selfsubjectaccessreviews')).toBe(false);
  expect(ask('create', 'authorization.k8s.io', 'subjectaccessreviews')).toBe(false);
  expect(ask('list', '', 'namespaces')).toBe(false);
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
