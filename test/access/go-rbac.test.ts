import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  AccessRules,
  escalationText,
  policyRule,
  type PolicyRule,
  RbacAuthorizer,
  roleRefOf,
  rulesOf,
  subjectsOf,
} from '../../src/auth/index.ts';
import { aggregatedRules } from '../../src/controllers/cluster-role-aggregation.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../src/meta/index.ts';

/**
 * What Kubernetes' own code answers: upstream's tables for rules, subjects, coverage, compact rules and aggregation, and random
 * roles and bindings. Recorded by tools/record/rbac.
 */

interface Request {
  readonly user: string;
  readonly groups: readonly string[];
  readonly verb: string;
  readonly resource?: Record<'group' | 'resource' | 'subresource' | 'namespace' | 'name', string>;
  readonly path?: string;
  readonly allowed?: string;
  readonly denied?: string;
}

type Question = { readonly name: string; readonly objects: readonly KubeObject[] } & (
  | { readonly ask: 'decide'; readonly requests: readonly Request[] }
  | {
      readonly ask: 'confirm';
      readonly user?: string;
      readonly groups?: readonly string[];
      readonly namespace?: string;
      readonly rules: readonly Partial<PolicyRule>[];
      readonly refused?: string;
    }
  | { readonly ask: 'aggregate'; readonly role: string; readonly applied?: KubeObject }
);

const questions = readFileSync(new URL('go-rbac.test-data.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Question => JSON.parse(line));

const asked = <Ask extends Question['ask']>(ask: Ask) =>
  questions.filter((one): one is Extract<Question, { ask: Ask }> => one.ask === ask);

function accessRules(objects: readonly KubeObject[]): AccessRules {
  const rules = new AccessRules();
  for (const object of objects) {
    const [namespace, name] = [namespaceOf(object), nameOf(object)];
    if (String(object.kind).endsWith('Role')) rules.putRole(namespace, name, rulesOf(object));
    else rules.putBinding({ namespace, name, roleRef: roleRefOf(object), subjects: subjectsOf(object) });
  }
  return rules;
}

test('the file has all three kinds of questions', () => {
  expect([asked('decide').length, asked('confirm').length, asked('aggregate').length]).toEqual([85, 167, 26]);
});

test.each(asked('decide'))('$name: who may do what, and by which binding', async ({ objects, requests }) => {
  const authorizer = new RbacAuthorizer({ rules: accessRules(objects), loading: () => undefined });
  for (const { user: name, groups, verb, resource, path = '', allowed, denied = '' } of requests) {
    const decision = await authorizer.authorize({
      user: { name, groups },
      verb,
      path,
      resource: resource && { ...resource, version: 'v1' },
    });
    const expected =
      allowed === undefined
        ? { verdict: 'no-opinion', reason: denied }
        : { verdict: 'allow', reason: allowed };
    expect({ name, verb, resource, path, ...decision }).toEqual({ name, verb, resource, path, ...expected });
  }
});

test.each(asked('confirm'))('$name: rules that a user may not grant', (question) => {
  const { objects, user: name = '', groups = [], namespace = '', rules, refused } = question;
  const wanted = rules.map((rule) => policyRule(rule));
  expect(escalationText(accessRules(objects), wanted, { user: { name, groups }, namespace })).toBe(refused);
});

test.each(asked('aggregate'))('$name: the rules of an aggregated role', ({ objects, role, applied }) => {
  const found = objects.find((one) => nameOf(one) === role);
  const rules = found && aggregatedRules(objects, found);
  expect(rules).toEqual(applied && (applied.rules ?? []));
});
