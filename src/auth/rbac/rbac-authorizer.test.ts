import { describe, expect, test } from 'vitest';
import { AccessRules, type RoleBinding } from './access-rules.ts';
import { escalationText } from './escalation.ts';
import { policyRule } from './policy-rule.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';

const readPods = policyRule({ verbs: ['get'], apiGroups: [''], resources: ['pods'] });
const subject = (kind: string, name: string, namespace = '') => ({ kind, name, namespace });
const bound = (namespace: string, role: string, ...subjects: ReturnType<typeof subject>[]): RoleBinding => ({
  namespace,
  name: `to-${role}`,
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects,
});

/** Rules with the ClusterRole `reader`, and these bindings. */
function rulesWith(...bindings: RoleBinding[]): AccessRules {
  const rules = new AccessRules();
  rules.putRole('', 'reader', [readPods]);
  for (const binding of bindings) rules.putBinding(binding);
  return rules;
}
const authorizerOf = (rules: AccessRules) => new RbacAuthorizer({ rules, loading: () => undefined });
const user = (name: string, ...groups: string[]) => ({ name, groups });
const getPod = (namespace: string, who = user('alice')) => ({
  user: who,
  verb: 'get',
  path: '',
  resource: { group: '', version: 'v1', resource: 'pods', subresource: '', namespace, name: 'a' },
});

describe('a binding grants its rules', () => {
  test.each<[RoleBinding, ReturnType<typeof user>, namespace: string, allowed: boolean]>([
    [bound('', 'reader', subject('User', 'alice')), user('alice'), 'shop', true],
    [bound('', 'reader', subject('User', 'alice')), user('alice'), '', true],
    [bound('', 'reader', subject('User', 'alice')), user('bob'), 'shop', false],
    [bound('shop', 'reader', subject('User', 'alice')), user('alice'), 'shop', true],
    [bound('shop', 'reader', subject('User', 'alice')), user('alice'), 'other', false],
    [bound('shop', 'reader', subject('User', 'alice')), user('alice'), '', false],
    [bound('', 'reader', subject('Group', 'dev')), user('alice', 'ops', 'dev'), 'shop', true],
    [bound('', 'reader', subject('Group', 'alice')), user('alice'), 'shop', false],
    [bound('', 'reader', subject('Other', 'alice')), user('alice'), 'shop', false],
    [
      bound('shop', 'reader', subject('ServiceAccount', 'a')),
      user('system:serviceaccount:shop:a'),
      'shop',
      true,
    ],
    [
      bound('shop', 'reader', subject('ServiceAccount', 'a', 'x')),
      user('system:serviceaccount:x:a'),
      'shop',
      true,
    ],
    [bound('', 'reader', subject('ServiceAccount', 'a')), user('system:serviceaccount::a'), 'shop', false],
  ])('%#', (binding, who, namespace, allowed) => {
    const decision = authorizerOf(rulesWith(binding)).authorize(getPod(namespace, who));
    expect(decision).toMatchObject({ verdict: allowed ? 'allow' : 'no-opinion' });
  });
});

test('a decision names its binding', () => {
  const reason = (binding: RoleBinding, who = user('alice')) => {
    const decision = authorizerOf(rulesWith(binding)).authorize(getPod('shop', who));
    return 'reason' in decision ? decision.reason : '';
  };
  expect(reason(bound('', 'reader', subject('User', 'alice')))).toBe(
    'RBAC: allowed by ClusterRoleBinding "to-reader" of ClusterRole "reader" to User "alice"',
  );
  const account = bound('shop', 'reader', subject('ServiceAccount', 'a'));
  expect(reason(account, user('system:serviceaccount:shop:a'))).toBe(
    'RBAC: allowed by RoleBinding "to-reader/shop" of ClusterRole "reader" to ServiceAccount "a/shop"',
  );
  expect(reason(bound('', 'missing', subject('User', 'alice')))).toBe(
    'RBAC: clusterrole.rbac.authorization.k8s.io "missing" not found',
  );
});

test('a change applies to the next request', () => {
  const rules = rulesWith();
  const authorizer = authorizerOf(rules);
  const who = user('alice');
  const allowed = () => {
    const decision = authorizer.authorize(getPod('shop', who));
    return 'verdict' in decision && decision.verdict === 'allow';
  };
  let changes = 0;
  const stop = authorizer.onChange(() => (changes += 1));
  expect(allowed()).toBe(false);
  rules.putBinding(bound('shop', 'reader', subject('User', 'alice')));
  expect(allowed()).toBe(true);
  rules.putBinding(bound('shop', 'reader', subject('User', 'bob')));
  expect(allowed()).toBe(false);
  rules.putBinding(bound('shop', 'reader', subject('User', 'alice')));
  rules.dropRole('', 'reader');
  expect(allowed()).toBe(false);
  rules.putRole('', 'reader', [readPods]);
  expect(allowed()).toBe(true);
  rules.dropBinding('shop', 'to-reader');
  expect(allowed()).toBe(false);
  rules.dropBinding('shop', 'to-reader');
  expect(changes).toBe(6);
  stop();
  rules.dropRole('', 'reader');
  expect(changes).toBe(6);
});

test('a user cannot grant rights that they lack', () => {
  const rules = rulesWith(
    bound('', 'reader', subject('User', 'alice')),
    bound('', 'missing', subject('User', 'alice')),
  );
  const asked = [policyRule({ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] })];
  const text = (who: ReturnType<typeof user>, wanted = asked) =>
    escalationText(rules, wanted, { user: who, namespace: 'shop' });
  expect(text(user('alice'), [readPods])).toBeUndefined();
  expect(text(user('alice', 'dev'))).toBe(
    'user "alice" (groups=["dev"]) is attempting to grant RBAC permissions not currently held:\n' +
      '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}; resolution errors: ' +
      '[clusterrole.rbac.authorization.k8s.io "missing" not found]',
  );
  expect(text(user('bob'))).toContain('Verbs:["get" "list"]');
});
