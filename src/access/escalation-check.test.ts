import { describe, expect, test } from 'vitest';
import { AccessRules, type Authorizer, policyRule } from '../auth/index.ts';
import type { JsonObject } from '../meta/index.ts';
import type { CheckedWrite } from '../registry/index.ts';
import { accessResources, placeOf } from './access-resources.ts';
import { EscalationCheck } from './escalation-check.ts';

const readPods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const rules = new AccessRules();
rules.putRole('', 'reader', [policyRule(readPods)]);
rules.putRole('', 'admin', [policyRule({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] })]);
rules.putBinding({
  namespace: 'shop',
  name: 'a',
  roleRef: { apiGroup: '', kind: 'ClusterRole', name: 'reader' },
  subjects: [{ kind: 'User', name: 'alice', namespace: '' }],
});

/** The refusal of alice's write of a role or binding; `may` are her additional verbs. */
async function refusal(
  resource: string,
  object: JsonObject,
  more: {
    readonly oldObject?: JsonObject;
    readonly may?: readonly string[];
    readonly groups?: string[];
  } = {},
): Promise<string | undefined> {
  const asked: string[] = [];
  const authorizer: Authorizer = {
    authorize: ({ verb, resource: one }) => {
      asked.push(`${verb} ${one?.resource}/${one?.name}`);
      return {
        verdict: more.may?.includes(`${verb} ${one?.resource}/${one?.name}`) ? 'allow' : 'deny',
        reason: '',
      };
    },
  };
  const write: CheckedWrite = {
    resource: { group: 'rbac.authorization.k8s.io', resource },
    requestName: 'r',
    namespace: resource.startsWith('cluster') ? '' : 'shop',
    user: { name: 'alice', groups: more.groups ?? [] },
    object: { metadata: { name: 'r' }, ...object },
    oldObject: more.oldObject && { metadata: { name: 'r' }, ...more.oldObject },
  };
  try {
    await new EscalationCheck({ rules, loading: () => undefined }, authorizer).check(write);
    return undefined;
  } catch (error) {
    return (error as Error).message.split('\n')[0];
  }
}

const list = { rules: [{ ...readPods, verbs: ['list'] }] };
const notHeld = (resource: string) =>
  `${resource}.rbac.authorization.k8s.io "r" is forbidden: user "alice" (groups=[]) is attempting to grant RBAC permissions not currently held:`;

describe('a role', () => {
  test('with what its author has', async () => {
    expect(await refusal('roles', { rules: [readPods] })).toBeUndefined();
    expect(await refusal('clusterroles', { rules: [readPods] })).toBe(notHeld('clusterroles'));
  });

  test('with more needs the verb escalate, or the group of masters', async () => {
    expect(await refusal('roles', list)).toBe(notHeld('roles'));
    expect(await refusal('roles', list, { may: ['escalate roles/r'] })).toBeUndefined();
    expect(await refusal('roles', list, { may: ['escalate roles/other'] })).toBe(notHeld('roles'));
    expect(await refusal('roles', list, { groups: ['system:masters'] })).toBeUndefined();
  });

  test('of which the garbage collector changes the owners alone', async () => {
    const owned = { ...list, metadata: { name: 'r', finalizers: ['x'] } };
    expect(await refusal('roles', list, { oldObject: owned })).toBeUndefined();
    const labelled = { ...owned, metadata: { name: 'r', labels: { a: 'b' } } };
    expect(await refusal('roles', list, { oldObject: labelled })).toBe(notHeld('roles'));
  });

  test('that aggregates, or did, needs everything', async () => {
    const aggregating = { aggregationRule: { clusterRoleSelectors: [{}] } };
    const text =
      'clusterroles.rbac.authorization.k8s.io "r" is forbidden: must have cluster-admin privileges to use the aggregationRule';
    expect(await refusal('clusterroles', aggregating)).toBe(text);
    expect(await refusal('clusterroles', {}, { oldObject: aggregating })).toBe(text);
    expect(await refusal('clusterroles', { aggregationRule: {} })).toBeUndefined();
  });
});

describe('a binding', () => {
  const to = (name: string) => ({ roleRef: { apiGroup: '', kind: 'ClusterRole', name } });
  test('to a role that its author has', async () => {
    expect(await refusal('rolebindings', to('reader'))).toBeUndefined();
    expect(await refusal('clusterrolebindings', to('reader'))).toBe(notHeld('clusterrolebindings'));
  });

  test('to another one needs the verb bind', async () => {
    expect(await refusal('rolebindings', to('admin'))).toBe(notHeld('rolebindings'));
    expect(await refusal('rolebindings', to('admin'), { may: ['bind clusterroles/admin'] })).toBeUndefined();
  });

  test('to one that is missing', async () => {
    expect(await refusal('rolebindings', to('none'))).toBe(
      'clusterroles.rbac.authorization.k8s.io "none" not found',
    );
  });
});

test('keys say where roles and bindings are', () => {
  const places = (key: string) =>
    accessResources.flatMap((one) => {
      const place = placeOf(key, one);
      return place === undefined ? [] : [`${one.resource} ${place.namespace}/${place.name}`];
    });
  expect(places('/registry/roles/shop/a')).toEqual(['roles shop/a']);
  expect(places('/registry/clusterroles/a')).toEqual(['clusterroles /a']);
  expect(places('/registry/rolebindings/shop/a')).toEqual(['rolebindings shop/a']);
  expect(places('/registry/pods/shop/a')).toEqual([]);
});
