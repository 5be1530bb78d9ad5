import { expect, test } from 'vitest';
import { formatTime } from '../time/clock.ts';
import { formatGroupVersion, parseGroupVersion, qualify } from '../names/group-version.ts';
import { InvariantError, invariant } from '../invariant.ts';
import {
  ensureMetadata,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  stringList,
  stringMap,
} from './object.ts';
import type { JsonObject } from '../value/value.ts';

test('metadata is read where it is an object', () => {
  const object = { metadata: { name: 'a', namespace: 'ns', generation: 1 } };
  expect([nameOf(object), namespaceOf(object), metadataString(object, 'generation')]).toEqual([
    'a',
    'ns',
    '',
  ]);
  expect(metadataOf({ metadata: 'x' })).toEqual({});
  expect(nameOf({})).toBe('');
  expect(metadataString(object, 'toString')).toBe('');
});

test('metadata is added where it is missing', () => {
  const object: JsonObject = { metadata: null };
  ensureMetadata(object)['name'] = 'a';
  ensureMetadata(object)['uid'] = 'u';
  expect(object).toEqual({ metadata: { name: 'a', uid: 'u' } });
});

test('maps and lists of strings', () => {
  expect([...stringMap(JSON.parse('{"a":"x","b":1,"__proto__":"y"}'))]).toEqual([
    ['a', 'x'],
    ['__proto__', 'y'],
  ]);
  expect(stringMap(['x']).size).toBe(0);
  expect(stringList(['a', 1, null, 'b'])).toEqual(['a', 'b']);
  expect(stringList(undefined)).toEqual([]);
});

test.each([
  ['v1', { group: '', version: 'v1' }],
  ['apps/v1', { group: 'apps', version: 'v1' }],
  ['', { group: '', version: '' }],
])('apiVersion %j', (text, parts) => {
  expect(parseGroupVersion(text)).toEqual(parts);
  expect(formatGroupVersion(parts.group, parts.version)).toBe(text);
});

test('an apiVersion has one slash at the most', () => expect(parseGroupVersion('a/b/c')).toBeUndefined());

test('how refusals name things', () => {
  expect(qualify('widgets', 'example.com')).toBe('widgets.example.com');
  expect(qualify('namespaces', '')).toBe('namespaces');
});

test('times are written in whole seconds', () => {
  expect(formatTime(Date.parse('2026-11-21T04:05:06.999Z'))).toBe('2026-11-21T04:05:06Z');
});

test('an invariant that does not hold is a bug', () => {
  expect(() => invariant(true, 'x')).not.toThrow();
  expect(() => invariant(false, 'x')).toThrow(new InvariantError('invariant broken: x'));
});
