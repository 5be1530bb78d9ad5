import { describe, expect, test } from 'vitest';
import { endpointOf } from './endpoint.ts';
import { parseServiceMap } from './service-map.ts';
import { WebhookError } from './webhook-error.ts';

const services = parseServiceMap(['shop/converter:8443=https://[::1]:9443']);
const ofUrl = (url: string) => endpointOf({ address: { url }, caPem: '' }, services);
const ofService = (name: string, path: string) =>
  endpointOf({ address: { service: { namespace: 'shop', name, port: 8443, path } }, caPem: '' }, services);

describe('of a URL', () => {
  test.each([
    ['https://a.example/x', 'a.example', 'a.example', '/x', { host: 'a.example', port: 443 }],
    ['https://a.example:8443', 'a.example:8443', 'a.example', '/', { host: 'a.example', port: 8443 }],
    ['https://[::1]:8443//x//y/', '[::1]:8443', '::1', '/x/y', { host: '::1', port: 8443 }],
    // Only HTTPS is supported.
    ['http://a.example/', 'a.example', 'a.example', '/', { host: 'a.example', port: 443 }],
  ])('%s', (url, shownHost, serverName, path, connectTo) => {
    expect(ofUrl(url)).toEqual({ shownHost, serverName, path, connectTo });
  });

  test('that cannot be parsed', () => {
    expect(ofUrl('https://a b/"x"')).toEqual({
      shownHost: 'a b',
      serverName: '',
      path: '/',
      connectTo: new WebhookError('Unparsable URL: "https://a b/\\"x\\""'),
    });
  });
});

describe('of a service', () => {
  test.each([
    ['', '/'],
    ['convert', '/convert'],
    ['/a//b/', '/a/b'],
    ['//a/../b', '/b'],
  ])('with the path %j', (path, expected) => {
    expect(ofService('converter', path)).toEqual({
      shownHost: 'converter.shop.svc:8443',
      serverName: 'converter.shop.svc',
      path: expected,
      connectTo: { host: '::1', port: 9443 },
    });
  });

  test('without a mapping', () => {
    expect(ofService('other', '').connectTo).toEqual(new WebhookError('service "other" not found'));
  });
});
