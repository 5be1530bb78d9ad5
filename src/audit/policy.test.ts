import { describe, expect, test } from 'vitest';
import type { ResourceAttributes } from '../auth/index.ts';
import { type AuditedAttributes, AuditPolicy } from './policy.ts';

const header = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';
const policy = (rules: string) => AuditPolicy.parse(`${header}rules:\n${rules}`);

const pods: ResourceAttributes = {
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'shop',
  name: 'a',
};
const alice = { name: 'alice', groups: ['dev'] };
const ask = (more: Partial<AuditedAttributes> = {}): AuditedAttributes => ({
  user: alice,
  verb: 'get',
  path: '/x',
  resource: pods,
  ...more,
});
const onResource = (more: Partial<ResourceAttributes>) => ask({ resource: { ...pods, ...more } });
const onPath = (path: string) => ask({ path, resource: undefined });

/** Whether a rule of level Metadata matches a request. */
const matches = (rule: string, asked: AuditedAttributes) =>
  policy(`- level: Metadata\n  ${rule}`).ruleFor(asked).level === 'Metadata';

describe('a rule of an audit policy', () => {
  test.each<[rule: string, asked: AuditedAttributes, expected: boolean]>([
    ['users: []', ask(), true],
    ['users: [alice]', ask(), true],
    ['users: [bob]', ask(), false],
    ['users: [alice]', ask({ user: undefined }), false],
    ['userGroups: [ops, dev]', ask(), true],
    ['userGroups: [ops]', ask(), false],
    ['userGroups: [dev]', ask({ user: undefined }), false],
    ['verbs: [list, get]', ask(), true],
    ['verbs: [list]', ask(), false],
    // A rule matches where all of its fields do.
    ['{users: [alice], verbs: [list]}', ask(), false],
  ])('%s: %#', (rule, asked, expected) => {
    const fields = rule.startsWith('{') ? rule.slice(1, -1).replace(', verbs', '\n  verbs') : rule;
    expect(matches(fields, asked)).toBe(expected);
  });

  test.each<[resources: string, asked: Partial<ResourceAttributes>, expected: boolean]>([
    ['{group: ""}', {}, true],
    ['{group: "", resources: [pods]}', {}, true],
    ['{group: "", resources: [pods]}', { subresource: 'log' }, false],
    ['{group: "", resources: [pods/log]}', { subresource: 'log' }, true],
    ['{group: "", resources: [pods/log]}', {}, false],
    ['{group: "", resources: ["pods/*"]}', { subresource: 'log' }, true],
    ['{group: "", resources: ["pods/*"]}', {}, true],
    ['{group: "", resources: ["*/log"]}', { subresource: 'log' }, true],
    ['{group: "", resources: ["*/log"]}', { subresource: 'status' }, false],
    ['{group: "", resources: ["*"]}', { subresource: 'log' }, true],
    ['{group: apps}', {}, false],
    ['{group: apps}', { group: 'apps' }, true],
    ['{group: "", resources: [pods], resourceNames: [a]}', {}, true],
    ['{group: "", resources: [pods], resourceNames: [b]}', {}, false],
    ['{group: "", resources: [pods], resourceNames: [a]}', { name: '' }, false],
    ['{group: apps}, {group: "", resources: [pods]}', {}, true],
  ])('resources: [%s] asked for %j', (resources, asked, expected) => {
    expect(matches(`resources: [${resources}]`, onResource(asked))).toBe(expected);
  });

  test('an empty namespace is that of cluster-scoped resources', () => {
    expect(matches('namespaces: [shop]', ask())).toBe(true);
    expect(matches('namespaces: [default]', ask())).toBe(false);
    expect(matches('namespaces: [""]', onResource({ namespace: '' }))).toBe(true);
    expect(matches('namespaces: [""]', ask())).toBe(false);
    expect(matches('namespaces: [""]', onPath('/healthz'))).toBe(false);
  });

  test.each([
    ['*', '/healthz', true],
    ['/healthz', '/healthz', true],
    ['/healthz', '/healthz/etcd', false],
    ['/healthz*', '/healthz/etcd', true],
    ['/healthz/*', '/healthz', false],
  ])('nonResourceURLs: [%s] asked for %s', (spec, path, expected) => {
    expect(matches(`nonResourceURLs: ["${spec}"]`, onPath(path))).toBe(expected);
  });

  test('rules about paths match no resource, rules about resources match no path', () => {
    expect(matches('nonResourceURLs: ["*"]', ask())).toBe(false);
    expect(matches('resources: [{group: ""}]', onPath('/healthz'))).toBe(false);
  });
});

test('the first rule that matches decides, and None is the level without a match', () => {
  const two = policy('- level: None\n  users: [alice]\n- level: Request\n  userGroups: [dev, ops]\n');
  expect(two.ruleFor(ask()).level).toBe('None');
  expect(two.ruleFor(ask({ user: { name: 'bob', groups: ['ops'] } })).level).toBe('Request');
  expect(two.ruleFor(ask({ user: { name: 'eve', groups: [] } })).level).toBe('None');
});

test('a rule adds to the omitted stages of its policy, and decides about managed fields itself', () => {
  const text = `${header}omitStages: [RequestReceived]
omitManagedFields: true
rules:
- level: Metadata
  users: [alice]
  omitStages: [Panic]
  omitManagedFields: false
- level: Metadata
`;
  const parsed = AuditPolicy.parse(text);
  expect(parsed.ruleFor(ask())).toMatchObject({
    omitStages: new Set(['RequestReceived', 'Panic']),
    omitManagedFields: false,
  });
  expect(parsed.ruleFor(ask({ user: undefined }))).toMatchObject({
    omitStages: new Set(['RequestReceived']),
    omitManagedFields: true,
  });
});

describe('refuses', () => {
  const levels = 'supported values: "None", "Metadata", "Request", "RequestResponse"';
  const stages = 'allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic';
  test.each([
    ['', 'want kind Policy of audit.k8s.io/v1'],
    ['kind: Policy\napiVersion: audit.k8s.io/v1beta1', 'want kind Policy of audit.k8s.io/v1'],
    [header, 'loaded illegal policy with 0 rules'],
    [`${header}rules: []`, 'loaded illegal policy with 0 rules'],
    [`${header}rules: [{}]`, 'rules[0].level: Required value'],
    [`${header}rules: [7]`, 'rules[0].level: Required value'],
    [`${header}rules: [{level: All}]`, `rules[0].level: Unsupported value: "All": ${levels}`],
    [
      `${header}omitStages: [Done]\nrules: [{level: None}]`,
      `omitStages[0]: Invalid value: "Done": ${stages}`,
    ],
    [
      `${header}rules: [{level: None, users: [yes]}]`,
      'rules[0].users: Invalid value: [true]: want a list of strings',
    ],
    [
      `${header}rules: [{level: None, nonResourceURLs: [healthz]}]`,
      `rules[0].nonResourceURLs[0]: Invalid value: "healthz": non-resource URL rules must begin with a '/' character`,
    ],
    [
      `${header}rules: [{level: None, nonResourceURLs: ["/a*b"]}]`,
      `rules[0].nonResourceURLs[0]: Invalid value: "/a*b": non-resource URL wildcards '*' must be the final character of the rule`,
    ],
    [
      `${header}rules: [{level: None, nonResourceURLs: [/a], namespaces: [b]}]`,
      'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
    [
      `${header}rules: [{level: None, resources: [{resourceNames: [a]}]}]`,
      'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
    ],
  ])('%j', (text, message) => {
    expect(() => AuditPolicy.parse(text)).toThrow(expect.objectContaining({ message }));
  });
});
