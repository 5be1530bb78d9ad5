import { describe, expect, test } from 'vitest';
import { findService, parseServiceMap } from './service-map.ts';

const service = (namespace: string, name: string, port: number) => ({ namespace, name, port, path: '/x' });

describe('a map of services', () => {
  const services = parseServiceMap([
    'default/converter:8443=https://127.0.0.1:9443',
    'default/other=https://[::1]:9444',
  ]);

  test('finds a service by namespace, name and port', () => {
    expect(findService(services, service('default', 'converter', 8443))?.host).toBe('127.0.0.1:9443');
    expect(findService(services, service('default', 'converter', 443))).toBeUndefined();
    expect(findService(services, service('kube-system', 'converter', 8443))).toBeUndefined();
  });

  test('defaults to port 443', () => {
    expect(findService(services, service('default', 'other', 443))?.host).toBe('[::1]:9444');
  });

  const form = 'is not of the form <namespace>/<name>:<port>=https://<host>:<port>';
  test.each([
    ['', ` ${form}`],
    ['converter=https://127.0.0.1', `converter=https://127.0.0.1 ${form}`],
    ['a/b:x=https://127.0.0.1', `a/b:x=https://127.0.0.1 ${form}`],
    ['a/b=', `a/b= ${form}`],
    ['a/b:0=https://127.0.0.1', '0 is not a port'],
    ['a/b:65536=https://127.0.0.1', '65536 is not a port'],
    ['a/b=http://127.0.0.1', 'http://127.0.0.1 is not of the form https://<host>:<port>'],
    ['a/b=127.0.0.1:9443', '127.0.0.1:9443 is not of the form https://<host>:<port>'],
    ['a/b=https://127.0.0.1/path', 'https://127.0.0.1/path must have nothing but a host and a port'],
    ['a/b=https://me@127.0.0.1', 'https://me@127.0.0.1 must have nothing but a host and a port'],
    ['a/b=https://127.0.0.1?x', 'https://127.0.0.1?x must have nothing but a host and a port'],
  ])('refuses %j', (mapping, text) => {
    expect(() => parseServiceMap([mapping])).toThrow(text);
  });

  test('refuses invalid service names', () => {
    expect(() => parseServiceMap(['A/b=https://127.0.0.1'])).toThrow(/^A\/b: a lowercase RFC 1123 label/);
  });

  test('refuses duplicate services', () => {
    const twice = ['a/b=https://127.0.0.1:1', 'a/b:443=https://127.0.0.1:2'];
    expect(() => parseServiceMap(twice)).toThrow('a/b:443 is mapped twice');
  });
});
