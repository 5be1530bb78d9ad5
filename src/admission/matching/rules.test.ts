import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { isConfiguration, matchesRule, mayMatchRule, ruleOf } from './rules.ts';

const any = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
const pod = {
  operation: 'CREATE',
  resource: { group: '', version: 'v1', resource: 'pods' },
  subresource: '',
  namespace: 'shop',
  name: 'a',
} as const;
const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

describe('a rule with these fields', () => {
  test.each<[fields: JsonObject, subject: object, expected: boolean]>([
    [{}, {}, true],
    [{ operations: ['CREATE', 'UPDATE'] }, {}, true],
    [{ operations: ['UPDATE'] }, {}, false],
    [{ operations: [] }, {}, false],
    [{ apiGroups: [''] }, {}, true],
    [{ apiGroups: ['apps'] }, {}, false],
    [{ apiVersions: ['v1beta1'] }, {}, false],
    [{ resources: ['pods'] }, {}, true],
    [{ resources: ['pods'] }, { subresource: 'status' }, false],
    [{ resources: ['*'] }, { subresource: 'status' }, false],
    [{ resources: ['pods/*'] }, { subresource: 'status' }, true],
    [{ resources: ['pods/*'] }, {}, true],
    [{ resources: ['*/*'] }, { subresource: 'status' }, true],
    [{ resources: ['*/status'] }, { subresource: 'status' }, true],
    [{ resources: ['*/scale'] }, { subresource: 'status' }, false],
    [{ resources: ['services', 'pods'] }, {}, true],
    [{ resourceNames: ['a'] }, {}, true],
    [{ resourceNames: ['b'] }, {}, false],
    [{ scope: '*' }, { namespace: '' }, true],
    [{ scope: 'Namespaced' }, {}, true],
    [{ scope: 'Namespaced' }, { namespace: '' }, false],
    [{ scope: 'Cluster' }, { namespace: '' }, true],
    [{ scope: 'Cluster' }, {}, false],
    [{ scope: 'Other' }, {}, false],
    // A Namespace is cluster-scoped, although its writes have a namespace.
    [{ scope: 'Cluster' }, { resource: namespaces }, true],
    [{ scope: 'Namespaced' }, { resource: namespaces }, false],
  ])('%j about %j: %s', (fields, subject, expected) => {
    expect(matchesRule(ruleOf({ ...any, ...fields }), { ...pod, ...subject })).toBe(expected);
  });
});

describe('before anything is known of the object', () => {
  const may = (fields: JsonObject, more: object = {}) =>
    mayMatchRule(ruleOf({ ...any, ...fields }), { ...pod, ...more });

  test('version, scope and names leave it open', () => {
    expect(may({ apiVersions: ['v9'], scope: 'Cluster', resourceNames: ['b'] })).toBe(true);
  });

  test.each([[{ operations: ['DELETE'] }], [{ apiGroups: ['apps'] }], [{ resources: ['pods/status'] }]])(
    '%j decides',
    (fields) => expect(may(fields)).toBe(false),
  );

  test.each(['', 'events.k8s.io'])('events of the group %j are those of both groups', (group) => {
    const resource = { group, version: 'v1', resource: 'events' };
    expect(may({ apiGroups: [''] }, { resource })).toBe(true);
    expect(may({ apiGroups: ['events.k8s.io'] }, { resource })).toBe(true);
    expect(may({ apiGroups: ['apps'] }, { resource })).toBe(false);
  });
});

test.each([
  ['admissionregistration.k8s.io', 'validatingwebhookconfigurations', true],
  ['admissionregistration.k8s.io', 'mutatingadmissionpolicybindings', true],
  ['admissionregistration.k8s.io', 'others', false],
  ['example.com', 'validatingwebhookconfigurations', false],
])('of %s, %s configure admission: %s', (group, resource, expected) => {
  const scope = { operation: 'CREATE', subresource: '' } as const;
  expect(isConfiguration({ ...scope, resource: { group, version: 'v1', resource } })).toBe(expected);
});
