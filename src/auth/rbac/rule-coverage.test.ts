import { describe, expect, test } from 'vitest';
import { type PolicyRule, policyRule } from './policy-rule.ts';
import { ruleCoversName, ruleCoversResource, ruleCoversUrl } from './rule-allows.ts';
import { uncoveredRules } from './rule-coverage.ts';
import { compactRules, ruleText } from './rule-text.ts';

const pods = { group: '', version: 'v1', resource: 'pods', subresource: '', namespace: '', name: '' };
const readPods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

describe('a rule covers a request', () => {
  test.each<[rule: Partial<PolicyRule>, asked: Partial<typeof pods>, expected: boolean]>([
    [readPods, {}, true],
    [{ ...readPods, verbs: ['list'] }, {}, false],
    [{ ...readPods, verbs: ['*'] }, {}, true],
    [{ ...readPods, apiGroups: ['apps'] }, {}, false],
    [{ ...readPods, apiGroups: ['*'] }, { group: 'apps' }, true],
    [readPods, { subresource: 'log' }, false],
    [{ ...readPods, resources: ['pods/log'] }, { subresource: 'log' }, true],
    [{ ...readPods, resources: ['*/log'] }, { subresource: 'log' }, true],
    [{ ...readPods, resources: ['*/log'] }, {}, false],
    // `pods/*` covers only itself.
    [{ ...readPods, resources: ['pods/*'] }, { subresource: 'log' }, false],
    [{ ...readPods, resources: ['*'] }, { subresource: 'log' }, true],
  ])('%j: %j %s', (rule, asked, expected) => {
    expect(ruleCoversResource(policyRule(rule), 'get', { ...pods, ...asked })).toBe(expected);
  });

  test('by the name of its object', () => {
    const named = policyRule({ resourceNames: ['a'] });
    expect(['a', 'b', ''].map((name) => ruleCoversName(named, name))).toEqual([true, false, false]);
    expect(ruleCoversName(policyRule({}), '')).toBe(true);
  });

  test.each([
    ['*', '/x', true],
    ['/healthz', '/healthz', true],
    ['/healthz', '/healthz/etcd', false],
    ['/healthz/*', '/healthz/etcd', true],
    ['/healthz/*', '/healthz', false],
    ['/healthz**', '/healthz/etcd', true],
  ])('%s of the path %s: %s', (url, path, expected) => {
    const rule = policyRule({ verbs: ['get'], nonResourceURLs: [url] });
    expect(ruleCoversUrl(rule, 'get', path)).toBe(expected);
    expect(ruleCoversUrl(rule, 'post', path)).toBe(false);
  });
});

describe('the uncovered rules are', () => {
  /** The uncovered pieces as refusals print them. */
  const missing = (owned: Partial<PolicyRule>[], asked: Partial<PolicyRule>) =>
    compactRules(uncoveredRules(owned.map(policyRule), [policyRule(asked)])).map(ruleText);

  const podText = (verbs: string) => `{APIGroups:[""], Resources:["pods"], Verbs:[${verbs}]}`;
  test.each<[Partial<PolicyRule>[], Partial<PolicyRule>, string[]]>([
    [[readPods], readPods, []],
    [[], { ...readPods, verbs: ['get', 'list'] }, [podText('"get" "list"')]],
    [[readPods], { ...readPods, verbs: ['get', 'list'] }, [podText('"list"')]],
    [[readPods, { ...readPods, verbs: ['list'] }], { ...readPods, verbs: ['get', 'list'] }, []],
    [[{ ...readPods, verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], readPods, []],
    [[readPods], { ...readPods, verbs: ['*'] }, [podText('"*"')]],
    [[{ ...readPods, resources: ['*/log'] }], { ...readPods, resources: ['pods/log'] }, []],
    [[{ ...readPods, resourceNames: ['a'] }], readPods, [podText('"get"')]],
    [[readPods], { ...readPods, resourceNames: ['a'] }, []],
    [
      [{ ...readPods, resourceNames: ['a'] }],
      { ...readPods, resourceNames: ['a', 'b'] },
      ['{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}'],
    ],
    [
      [{ verbs: ['get'], nonResourceURLs: ['/a/*'] }],
      { verbs: ['get'], nonResourceURLs: ['/a/b', '/b'] },
      ['{NonResourceURLs:["/b"], Verbs:["get"]}'],
    ],
    // A single rule must cover a piece.
    [
      [
        { ...readPods, verbs: ['list'] },
        { ...readPods, resources: ['nodes'] },
      ],
      readPods,
      [podText('"get"')],
    ],
  ])('%j, %j', (owned, asked, expected) => expect(missing(owned, asked)).toEqual(expected));
});
