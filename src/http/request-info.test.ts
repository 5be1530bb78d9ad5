import { describe, expect, test } from 'vitest';
import { parseResourcePath, splitPath } from './request-info.ts';

const widgets = {
  group: 'example.com',
  version: 'v1',
  resource: 'widgets',
  namespace: '',
  name: '',
  subresource: '',
  hasMore: false,
  watch: false,
};
const core = { ...widgets, group: '' };

describe('a path of the API', () => {
  test.each([
    ['/apis/example.com/v1', { ...widgets, resource: '' }],
    ['/apis/example.com/v1/widgets', widgets],
    ['/apis/example.com/v1/widgets/', widgets],
    ['/apis/example.com/v1/widgets/a', { ...widgets, name: 'a' }],
    ['/apis/example.com/v1/widgets/a/status', { ...widgets, name: 'a', subresource: 'status' }],
    [
      '/apis/example.com/v1/widgets/a/scale/x',
      { ...widgets, name: 'a', subresource: 'scale', hasMore: true },
    ],
    ['/apis/example.com/v1/namespaces/shop/widgets', { ...widgets, namespace: 'shop' }],
    ['/apis/example.com/v1/namespaces/shop/widgets/a', { ...widgets, namespace: 'shop', name: 'a' }],
    ['/apis/example.com/v1/widgets/a%2Fb', { ...widgets, name: 'a', subresource: 'b' }],
    ['/apis/example.com/v1/namespaces/shop%2Fwidgets', { ...widgets, namespace: 'shop' }],
    ['/api/v1', { ...core, resource: '' }],
    ['/api/v1/namespaces', { ...core, resource: 'namespaces' }],
    ['/api/v1/namespaces/shop', { ...core, resource: 'namespaces', name: 'shop' }],
    [
      '/api/v1/namespaces/shop/status',
      { ...core, resource: 'namespaces', name: 'shop', subresource: 'status' },
    ],
    [
      '/api/v1/namespaces/shop/finalize',
      { ...core, resource: 'namespaces', name: 'shop', subresource: 'finalize' },
    ],
    ['/api/v1/namespaces/shop/pods', { ...core, resource: 'pods', namespace: 'shop' }],
    ['/api/v1/watch/namespaces/shop/pods', { ...core, resource: 'pods', namespace: 'shop', watch: true }],
    ['/api/v1/watch', { ...core, resource: 'watch' }],
  ])('%s', (path, expected) => expect(parseResourcePath(path)).toEqual(expected));
});

test.each(['/', '/api', '/apis', '/apis/example.com', '/healthz', '/other/v1/widgets', '/api/v1/%zz'])(
  '%s is none',
  (path) => expect(parseResourcePath(path)).toBeUndefined(),
);

test.each([
  ['', []],
  ['///', []],
  ['//a//b/', ['a', '', 'b']],
  ['/a%20b', ['a b']],
  ['/%', undefined],
])('the steps of %j', (path, steps) => expect(splitPath(path)).toEqual(steps));
