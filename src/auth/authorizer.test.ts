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
