import { describe, expect, test } from 'vitest';
import { readAuthorizationConfiguration } from './authorization-configuration.ts';

const header = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n';
const read = (authorizers: string) =>
  readAuthorizationConfiguration(`${header}authorizers: ${authorizers}`, ['Node', 'RBAC']);

const webhook = {
  timeout: '3s',
  authorizedTTL: '5m0s',
  unauthorizedTTL: '30s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/etc/webhook' },
};
/** A webhook with these fields changed; undefined ones are removed. */
const readWebhook = (more: object = {}) =>
  read(JSON.stringify([{ type: 'Webhook', name: 'a', webhook: { ...webhook, ...more } }]));

test('authorizers come in their order', () => {
  expect(read('[{type: RBAC, name: rbac}, {type: Node, name: node}]')).toEqual([
    { type: 'RBAC' },
    { type: 'Node' },
  ]);
});

test('a webhook', () => {
  expect(readWebhook()).toEqual([
    {
      type: 'Webhook',
      webhook: {
        timeoutMs: 3_000,
        allowedMs: 300_000,
        otherMs: 30_000,
        onFailure: 'deny',
        kubeconfigFile: '/etc/webhook',
        conditions: [],
      },
    },
  ]);
});

test('what is not cached counts for no time', () => {
  const fields = { cacheAuthorizedRequests: false, cacheUnauthorizedRequests: false };
  expect(readWebhook(fields)[0]?.webhook).toMatchObject({ allowedMs: 0, otherMs: 0 });
});

test('webhooks may be several, and have conditions', () => {
  const more = {
    matchConditionSubjectAccessReviewVersion: 'v1',
    matchConditions: [{ expression: 'a' }, { expression: 'b' }],
    failurePolicy: 'NoOpinion',
  };
  const authorizers = [
    { type: 'Webhook', name: 'a', webhook },
    { type: 'Webhook', name: 'b', webhook: { ...webhook, ...more } },
  ];
  const [, second] = read(JSON.stringify(authorizers));
  expect(second?.webhook).toMatchObject({ conditions: ['a', 'b'], onFailure: 'no-opinion' });
});

test.each([
  ['1h', 3_600_000],
  ['1h1m1s1ms', 3_661_001],
  ['1.5s', 1_500],
])('the duration %s', (authorizedTTL, allowedMs) => {
  expect(readWebhook({ authorizedTTL })[0]?.webhook).toMatchObject({ allowedMs });
});

describe('refuses', () => {
  const kind = 'want kind AuthorizationConfiguration of apiserver.config.k8s.io/v1';
  test.each([
    ['{}', kind],
    ['kind: AuthorizationConfiguration\napiVersion: apiserver.config.k8s.io/v2', kind],
    [header, 'authorizers: Required value: at least one authorization mode must be defined'],
    [
      `${header}authorizers: []`,
      'authorizers: Required value: at least one authorization mode must be defined',
    ],
  ])('%j', (text, message) => {
    expect(() => readAuthorizationConfiguration(text, ['RBAC'])).toThrow(
      expect.objectContaining({ message }),
    );
  });

  test.each([
    ['[{name: a}]', 'authorizers[0].type: Required value'],
    [
      '[{name: a, type: ABAC}]',
      'authorizers[0].type: Unsupported value: "ABAC": supported values: "Node", "RBAC", "Webhook"',
    ],
    ['[{name: a, type: RBAC}, {name: b, type: RBAC}]', 'authorizers[1].type: Duplicate value: "RBAC"'],
    ['[{type: RBAC}]', 'authorizers[0].name: Required value'],
    ['[{name: a, type: RBAC}, {name: a, type: Node}]', 'authorizers[1].name: Duplicate value: "a"'],
    [
      '[{name: a, type: RBAC, webhook: {}}]',
      'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
    ],
    ['[{name: a, type: Webhook}]', 'authorizers[0].webhook: Required value: required when type=Webhook'],
  ])('%s', (authorizers, message) => {
    expect(() => read(authorizers)).toThrow(expect.objectContaining({ message }));
  });

  test('a name that is no subdomain', () => {
    expect(() => read('[{name: A, type: RBAC}]')).toThrow(
      /^authorizers\[0\]\.name: Invalid value: "A": authorizer name is invalid: a lowercase RFC 1123 subdomain/,
    );
  });

  const at = 'authorizers[0]';
  test.each([
    [{ timeout: undefined }, `${at}.timeout: Required value`],
    [{ timeout: '31s' }, `${at}.timeout: Invalid value: "31s": must be > 0s and <= 30s`],
    [{ timeout: '0s' }, `${at}.timeout: Invalid value: "0s": must be > 0s`],
    [{ authorizedTTL: '-1s' }, `${at}.authorizedTTL: Invalid value: "-1s": must be > 0s`],
    [{ unauthorizedTTL: '5' }, `${at}.unauthorizedTTL: Invalid value: "5": must be > 0s`],
    [{ subjectAccessReviewVersion: undefined }, `${at}.subjectAccessReviewVersion: Required value`],
    [
      { subjectAccessReviewVersion: 'v2' },
      `${at}.subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1"`,
    ],
    [
      { matchConditions: [{ expression: 'a' }] },
      `${at}.matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified`,
    ],
    [
      { matchConditionSubjectAccessReviewVersion: 'v2' },
      `${at}.matchConditionSubjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1"`,
    ],
    [{ failurePolicy: undefined }, `${at}.failurePolicy: Required value`],
    [
      { failurePolicy: 'Ignore' },
      `${at}.failurePolicy: Unsupported value: "Ignore": supported values: "NoOpinion", "Deny"`,
    ],
    [{ connectionInfo: {} }, `${at}.connectionInfo.type: Required value`],
    [
      { connectionInfo: { type: 'InClusterConfig' } },
      `${at}.connectionInfo.type: Unsupported value: "InClusterConfig": supported values: "KubeConfigFile"`,
    ],
    [{ connectionInfo: { type: 'KubeConfigFile' } }, `${at}.connectionInfo.kubeConfigFile: Required value`],
    [
      { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'x' } },
      `${at}.connectionInfo.kubeConfigFile: Invalid value: "x": must be an absolute path`,
    ],
  ])('%j', (more, message) => {
    expect(() => readWebhook(more)).toThrow(expect.objectContaining({ message }));
  });

  test('empty and repeated conditions, all at once', () => {
    const matchConditions = [{ expression: 'a' }, { expression: ' ' }, { expression: 'a' }, 7];
    const more = { matchConditionSubjectAccessReviewVersion: 'v1', matchConditions };
    expect(() => readWebhook(more)).toThrow(
      expect.objectContaining({
        message:
          '[authorizers[0].matchConditions[1].expression: Required value, ' +
          'authorizers[0].matchConditions[2].expression: Duplicate value: "a", ' +
          'authorizers[0].matchConditions[3].expression: Required value]',
      }),
    );
  });
});
