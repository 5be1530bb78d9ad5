import { expect, test } from 'vitest';
import { denialText } from './denial-text.ts';
import { authorizeMasters } from './masters.ts';

const asking = (groups: string[], path = '/apis') => ({
  user: { name: 'alice', groups },
  verb: 'get',
  resource: undefined,
  path,
});

test('allows masters everything, and has no opinion on others', () => {
  expect(authorizeMasters.authorize(asking(['system:masters']))).toEqual({ verdict: 'allow', reason: '' });
  expect(authorizeMasters.authorize(asking(['dev']))).toEqual({ verdict: 'no-opinion', reason: '' });
});

test('a denial names the user, the verb, the resource and the namespace', () => {
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
