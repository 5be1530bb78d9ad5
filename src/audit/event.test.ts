import { expect, test } from 'vitest';
import type { JsonObject } from '../meta/index.ts';
import { CommonTexts } from './common-texts.ts';
import { type AuditFacts, EventTexts } from './event.ts';
import { objectNames } from './object-names.ts';
import type { AuditStage } from './policy.ts';

const facts: AuditFacts = {
  auditId: 'id',
  level: 'RequestResponse',
  omitManagedFields: false,
  requestUri: '/api/v1/namespaces/shop/pods?x=1',
  verb: 'create',
  user: { name: 'alice', groups: [] },
  sourceIps: [],
  userAgent: '',
  resource: undefined,
  receivedMs: 0,
  annotations: new Map(),
};
const textOf = (all: AuditFacts, stage: AuditStage) =>
  new EventTexts(all, new CommonTexts()).text(all, stage, 1_234);
const event = (more: Partial<AuditFacts>): JsonObject =>
  JSON.parse(textOf({ ...facts, ...more }, 'ResponseComplete'));

test('an event has the fields that are known, in the order of upstream', () => {
  expect(textOf(facts, 'RequestReceived')).toBe(
    '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"id","stage":"RequestReceived",' +
      '"requestURI":"/api/v1/namespaces/shop/pods?x=1","verb":"create","user":{"username":"alice"},' +
      '"requestReceivedTimestamp":"1970-01-01T00:00:00.000000Z","stageTimestamp":"1970-01-01T00:00:01.234000Z"}',
  );
});

test('a request that failed to say who sends it has an empty user', () => {
  expect(event({ user: undefined })['user']).toEqual({});
});

test('a user with everything, and whom it speaks for', () => {
  const user = {
    name: 'alice',
    uid: 'u',
    groups: ['dev'],
    extra: new Map([
      ['b', ['2']],
      ['__proto__', ['1']],
    ]),
  };
  const shown = event({
    user,
    impersonated: { name: 'bob', groups: [] },
    constraint: 'impersonate:user-info',
  });
  expect(JSON.stringify(shown['user'])).toBe(
    '{"username":"alice","uid":"u","groups":["dev"],"extra":{"__proto__":["1"],"b":["2"]}}',
  );
  expect(shown['impersonatedUser']).toEqual({ username: 'bob' });
  expect(shown['authenticationMetadata']).toEqual({ impersonationConstraint: 'impersonate:user-info' });
});

test('the name that a URL leaves out is that of the object', () => {
  const resource = {
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: 'shop',
    name: '',
  };
  const request = { metadata: { name: 'a', namespace: 'other', uid: 'u', resourceVersion: '7' } };
  expect(event({ resource, request })['objectRef']).toEqual({
    resource: 'pods',
    namespace: 'shop',
    name: 'a',
    uid: 'u',
    apiVersion: 'v1',
    resourceVersion: '7',
  });
});

test('what a create names is known without its body; the code of an answer stands alone', () => {
  const place = { resource: 'deployments', namespace: 'shop' };
  const resource = { ...place, group: 'apps', version: 'v1', subresource: '', name: '' };
  const named = objectNames({ name: 'say "hi"', uid: 7, resourceVersion: '3' });
  const written = event({ resource, named, code: 201, level: 'Metadata' });
  expect(written['objectRef']).toEqual({
    ...place,
    name: 'say "hi"',
    apiGroup: 'apps',
    apiVersion: 'v1',
    resourceVersion: '3',
  });
  expect(written['responseStatus']).toEqual({ metadata: {}, code: 201 });
});

test('times of one second, and of the next', () => {
  const texts = new CommonTexts();
  expect([999, 1_000, 1_001, 999].map((ms) => texts.time(ms))).toEqual([
    '1970-01-01T00:00:00.999000Z',
    '1970-01-01T00:00:01.000000Z',
    '1970-01-01T00:00:01.001000Z',
    '1970-01-01T00:00:00.999000Z',
  ]);
});

test.each([
  ['Metadata', undefined, undefined],
  ['Request', { a: 1 }, undefined],
  ['RequestResponse', { a: 1 }, { b: 2 }],
] as const)('level %s', (level, request, response) => {
  const shown = event({ level, request: { a: 1 }, response: { b: 2 } });
  expect(shown['requestObject']).toEqual(request);
  expect(shown['responseObject']).toEqual(response);
});

test('managed fields are left out of objects, lists and tables', () => {
  const object = { metadata: { name: 'a', managedFields: [{}] } };
  const shown = event({
    omitManagedFields: true,
    request: { items: [object, 'x'] },
    response: { rows: [{ cells: [], object }] },
  });
  expect(shown['requestObject']).toEqual({ items: [{ metadata: { name: 'a' } }, 'x'] });
  expect(shown['responseObject']).toEqual({ rows: [{ cells: [], object: { metadata: { name: 'a' } } }] });
});

test('a long user agent is cut after 1024 characters', () => {
  expect(event({ userAgent: 'x'.repeat(1_024) })['userAgent']).toBe('x'.repeat(1_024));
  expect(event({ userAgent: 'x'.repeat(1_025) })['userAgent']).toBe(`${'x'.repeat(1_024)}...TRUNCATED`);
});

test('annotations are sorted', () => {
  const annotations = new Map([
    ['b', '2'],
    ['a', '1'],
  ]);
  expect(JSON.stringify(event({ annotations })['annotations'])).toBe('{"a":"1","b":"2"}');
});
