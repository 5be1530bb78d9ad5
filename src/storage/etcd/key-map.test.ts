import { expect, test } from 'vitest';
import { prefixRange } from '../store.ts';
import { KeyMap } from './key-map.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test.each([
  ['/registry', '/registry', '/registry/x', '/registry/x'],
  ['/registry', '/tenants/a', '/registry/x/y', '/tenants/a/x/y'],
  ['/registry', 'tenants//a/', '/registry/é😀', '/tenants/a/é😀'],
  ['', '/t', '/x', '/t/x'],
  ['/registry', '', '/registry/x', '/x'],
])('root %j, prefix %j: %s is %s', (root, prefix, key, inEtcd) => {
  const keys = new KeyMap({ root, prefix });
  expect(text(keys.toEtcd(key))).toBe(inEtcd);
  expect(keys.fromEtcd(Buffer.from(inEtcd))).toBe(key);
});

test('what is beside the prefix is not ours', () => {
  const keys = new KeyMap({ root: '/registry', prefix: '/a' });
  const others = ['/a', '/ab/x', '/', '', '/b/x'];
  expect(others.map((key) => keys.fromEtcd(Buffer.from(key)))).toEqual(others.map(() => undefined));
  for (const key of ['/registryx/y', '/other', 'registry/x', '/registry']) {
    expect(() => keys.toEtcd(key)).toThrow(`${JSON.stringify(key)} does not begin with /registry/`);
  }
});

test.each([
  ['/registry/x/', '/a/x/', '/a/x0'],
  ['/registry/', '/a/', '/a0'],
  ['/reg', '/a/', '/a0'],
  ['', '/a/', '/a0'],
  ['/z', '/a0', '/a0'],
  ['/b', '/a/', '/a/'],
])('the range of %j is cut to what is ours: %s to %s', (prefix, start, end) => {
  const { key, rangeEnd } = new KeyMap({ root: '/registry', prefix: '/a' }).rangeToEtcd(prefixRange(prefix));
  expect([text(key), text(rangeEnd)]).toEqual([start, end]);
});
