import { describe, expect, test } from 'vitest';
import { defaultSelectorOptions } from '../../meta/index.ts';
import type { KnownRequest } from '../filter.ts';
import type { HttpRequest } from '../message.ts';
import { parseResourcePath } from '../request-info.ts';
import { requestAttributes } from './request-attributes.ts';

/** The attributes of a request such as `list /api/v1/pods?x=y`. */
function attributesOf(request: string, method = 'GET') {
  const [verb = '', url = ''] = request.split(' ');
  const [path = '', query = ''] = url.split('?');
  const http: Pick<HttpRequest, 'method' | 'path' | 'query'> = {
    method,
    path,
    query: new URLSearchParams(query),
  };
  const known = {
    http: http as HttpRequest, // Only these fields of the request are read.
    user: { name: 'alice', groups: [] },
    path: parseResourcePath(path),
    verb: verb === '-' ? undefined : (verb as KnownRequest['verb']),
  };
  const { verb: shown, resource, path: shownPath } = requestAttributes(known, defaultSelectorOptions);
  if (resource === undefined) return { verb: shown, path: shownPath };
  const { fieldSelector: fields, labelSelector: labels, namespace, name } = resource;
  return { verb: shown, namespace, name, fields, labels };
}

const pods = '/api/v1/namespaces/shop/pods';
const plain = { verb: 'list', namespace: 'shop', name: '', fields: undefined, labels: undefined };

describe('non-resource paths', () => {
  test.each(['/healthz', '/api/v1', '/apis'])('%s', (path) => {
    expect(attributesOf(`- ${path}`, 'POST')).toEqual({ verb: 'post', path });
  });
});

describe('resources', () => {
  const app = [{ key: 'app', operator: '=', values: ['a'] }];
  const named = (value: string) => [{ field: 'metadata.name', operator: '=', value }];
  test.each<[string, object]>([
    [`get ${pods}/a?labelSelector=app=a`, { verb: 'get', name: 'a' }],
    [`list ${pods}`, {}],
    [`list ${pods}?labelSelector=app=a`, { labels: app }],
    [`list ${pods}?labelSelector=`, {}],
    // Invalid selectors are ignored.
    [`list ${pods}?labelSelector=((&fieldSelector=((`, {}],
    [`list ${pods}?fieldSelector=metadata.name%3Da`, { name: 'a', fields: named('a') }],
    [`watch ${pods}?fieldSelector=metadata.name%3Da`, { verb: 'watch', name: 'a', fields: named('a') }],
    [
      `deletecollection ${pods}?fieldSelector=metadata.name%3Da`,
      { verb: 'deletecollection', fields: named('a') },
    ],
    [`list ${pods}?fieldSelector=metadata.name%3D..`, { fields: named('..') }],
    [
      `list ${pods}?fieldSelector=metadata.name!%3Da`,
      { fields: [{ field: 'metadata.name', operator: '!=', value: 'a' }] },
    ],
    ['watch /api/v1/watch/namespaces/shop/pods?labelSelector=app=a', { verb: 'watch' }],
    [
      'watch /api/v1/watch/namespaces/shop/pods/a?fieldSelector=metadata.name%3Db',
      { verb: 'watch', name: 'a' },
    ],
    // A Namespace object belongs to itself.
    ['get /api/v1/namespaces/shop', { verb: 'get', name: 'shop' }],
    ['list /api/v1/namespaces', { namespace: '' }],
  ])('%s', (request, more) => expect(attributesOf(request)).toEqual({ ...plain, ...more }));

  test('the method is the verb of a non-resource request', () => {
    expect(attributesOf(`- ${pods}`, 'OPTIONS')).toMatchObject({ verb: 'options' });
  });
});
