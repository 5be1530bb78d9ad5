import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AccessConditions,
  readAuthorizationConfiguration,
  WebhookAuthorizer,
  type WebhookAuthorizerOptions,
} from '../../src/authz/index.ts';
import { startServer } from '../../src/server.ts';
import { readServiceKubeconfig, ServiceClient } from '../../src/webhook/index.ts';
import { get, send } from './requests.ts';
import { ReviewServer } from './review-server.test-support.ts';

/** Another server is asked who may do what. Source: apiserver, plugin/pkg/authorizer/webhook. */

const maps = '/api/v1/namespaces/default/configmaps';

let webhook: ReviewServer;
let nowMs = 0;
const clock = { now: () => nowMs };
beforeAll(async () => {
  webhook = await ReviewServer.start(() => 500);
});
afterAll(() => webhook[Symbol.asyncDispose]());

async function serve(more: Partial<WebhookAuthorizerOptions> = {}) {
  webhook.posted.length = 0;
  const service = await readServiceKubeconfig(webhook.kubeconfig, () => Promise.reject(new Error()));
  const authorizer = new WebhookAuthorizer({
    client: new ServiceClient(service, { timeoutMs: 30_000, retryMs: [1] }),
    clock,
    conditions: new AccessConditions([], clock),
    allowedMs: 300_000,
    otherMs: 30_000,
    onFailure: 'no-opinion',
    ...more,
  });
  return startServer({ listen: false, authorizationModes: [authorizer, 'RBAC'] });
}

const answer = (status: object) => {
  webhook.answer = () => ({ status });
};

describe('a webhook that is asked who may do what', () => {
  test('gets a SubjectAccessReview with selectors, and what it allows is allowed', async () => {
    await using server = await serve();
    answer({ allowed: true });
    const alice = server.as({ name: 'alice', groups: ['dev'] }).fetch;
    const query = 'labelSelector=a%3Db,c,!d,e+notin+(f,g)&fieldSelector=metadata.name!%3Dx';
    expect((await get(alice, `${maps}?${query}`)).status).toBe(200);
    expect(webhook.posted[0]?.body).toEqual({
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: { creationTimestamp: null },
      spec: {
        resourceAttributes: {
          namespace: 'default',
          verb: 'list',
          version: 'v1',
          resource: 'configmaps',
          fieldSelector: { requirements: [{ key: 'metadata.name', operator: 'NotIn', values: ['x'] }] },
          labelSelector: {
            requirements: [
              { key: 'a', operator: 'In', values: ['b'] },
              { key: 'c', operator: 'Exists' },
              { key: 'd', operator: 'DoesNotExist' },
              { key: 'e', operator: 'NotIn', values: ['f', 'g'] },
            ],
          },
        },
        user: 'alice',
        groups: ['dev', 'system:authenticated'],
      },
      status: { allowed: false },
    });
    await get(alice, '/metrics');
    expect(webhook.posted[1]?.body.spec.nonResourceAttributes).toEqual({ path: '/metrics', verb: 'get' });
  });

  test('is asked again when its answer is old, sooner where it allowed nothing', async () => {
    await using server = await serve();
    const alice = server.as({ name: 'alice' }).fetch;
    const asked = async (afterMs: number) => {
      nowMs += afterMs;
      await get(alice, maps);
      return webhook.posted.length;
    };
    answer({ allowed: false });
    expect([await asked(0), await asked(29_999), await asked(1)]).toEqual([1, 1, 2]);
    answer({ allowed: true });
    expect([await asked(30_000), await asked(299_999), await asked(1)]).toEqual([3, 3, 4]);
  });

  test('returns the reason of its denial, and later authorizers are not called', async () => {
    await using server = await serve();
    answer({ allowed: false, denied: true, reason: 'not on Sundays' });
    const { status, message } = await get(server.as({ name: 'alice' }).fetch, '/api');
    expect([status, message]).toEqual([
      403,
      'forbidden: User "alice" cannot get path "/api": not on Sundays',
    ]);
    answer({ allowed: true, denied: true });
    expect((await get(server.as({ name: 'bob' }).fetch, '/api')).status).toBe(403);
    answer({ allowed: false });
    // RBAC lets everybody see what there is.
    expect((await get(server.as({ name: 'carol' }).fetch, '/api')).status).toBe(200);
  });

  test('that fails has no opinion, or denies', async () => {
    webhook.answer = () => 503;
    await using open = await serve();
    expect((await get(open.as({ name: 'alice' }).fetch, '/api')).status).toBe(200);
    expect(webhook.posted).toHaveLength(2);
    await using closed = await serve({ onFailure: 'deny' });
    expect((await get(closed.as({ name: 'alice' }).fetch, '/api')).status).toBe(403);
    // The group system:masters is never asked about.
    expect((await get(closed.fetch, '/api')).status).toBe(200);
  });

  test('is asked about what its conditions are true of', async () => {
    const conditions = new AccessConditions(
      [
        "has(request.resourceAttributes) && request.resourceAttributes.namespace == 'default'",
        "!('system:serviceaccounts' in request.groups)",
      ],
      clock,
    );
    await using server = await serve({ conditions });
    answer({ allowed: true });
    const alice = server.as({ name: 'alice' }).fetch;
    expect((await get(alice, maps)).status).toBe(200);
    expect((await get(alice, maps.replace('default', 'other'))).status).toBe(403);
    expect(webhook.posted).toHaveLength(1);
  });

  test('with a condition that fails goes by its failure policy, unless another one is false', async () => {
    const fails = "request.extra['none'][0] == 'x'";
    answer({ allowed: true });
    await using server = await serve({ conditions: new AccessConditions([fails], clock), onFailure: 'deny' });
    expect((await get(server.as({ name: 'alice' }).fetch, '/api')).status).toBe(403);
    const other = new AccessConditions([fails, "request.user == 'bob'"], clock);
    await using skipped = await serve({ conditions: other, onFailure: 'deny' });
    expect((await get(skipped.as({ name: 'alice' }).fetch, '/api')).status).toBe(200);
    expect(webhook.posted).toHaveLength(0);
  });

  test('cannot list what is allowed, and says so', async () => {
    await using server = await serve();
    answer({ allowed: false });
    const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
    const { json } = await send(server.as({ name: 'alice' }).fetch, 'POST', path, {
      spec: { namespace: 'default' },
    });
    expect(json.status).toMatchObject({
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    });
  });
});

const configuration = (authorizers: string) =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers: ${authorizers}`;
const hook = (more = '') =>
  `{timeout: 3s, authorizedTTL: 5m, unauthorizedTTL: 30s, failurePolicy: Deny, subjectAccessReviewVersion: v1, connectionInfo: {type: KubeConfigFile, kubeConfigFile: /k}${more}}`;
const read = (authorizers: string) =>
  readAuthorizationConfiguration(configuration(authorizers), ['RBAC', 'AlwaysAllow']);

describe('an AuthorizationConfiguration', () => {
  test('names authorizers in their order', () => {
    const conditions =
      ', cacheUnauthorizedRequests: false, matchConditionSubjectAccessReviewVersion: v1, matchConditions: [{expression: "true"}]';
    expect(
      read(`[{type: Webhook, name: first, webhook: ${hook(conditions)}}, {type: RBAC, name: rbac}]`),
    ).toEqual([
      {
        type: 'Webhook',
        webhook: {
          allowedMs: 300_000,
          otherMs: 0,
          timeoutMs: 3_000,
          onFailure: 'deny',
          kubeconfigFile: '/k',
          conditions: ['true'],
        },
      },
      { type: 'RBAC' },
    ]);
  });

  test.each([
    ['[]', 'authorizers: Required value: at least one authorization mode must be defined'],
    [
      '[{type: Some, name: a}, {type: RBAC, name: b}, {type: RBAC, name: b}]',
      '[authorizers[0].type: Unsupported value: "Some": supported values: "AlwaysAllow", "RBAC", "Webhook", authorizers[2].type: Duplicate value: "RBAC", authorizers[2].name: Duplicate value: "b"]',
    ],
    ['[{type: Webhook, name: a}]', 'authorizers[0].webhook: Required value: required when type=Webhook'],
    [
      '[{type: Webhook, name: a, webhook: {timeout: 40s, authorizedTTL: x, failurePolicy: Maybe, connectionInfo: {type: InClusterConfig}, matchConditions: [{expression: ""}]}}]',
      '[authorizers[0].timeout: Invalid value: "40s": must be > 0s and <= 30s, authorizers[0].authorizedTTL: Invalid value: "x": must be > 0s, authorizers[0].unauthorizedTTL: Required value, authorizers[0].subjectAccessReviewVersion: Required value, authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified, authorizers[0].failurePolicy: Unsupported value: "Maybe": supported values: "NoOpinion", "Deny", authorizers[0].connectionInfo.type: Unsupported value: "InClusterConfig": supported values: "KubeConfigFile", authorizers[0].matchConditions[0].expression: Required value]',
    ],
  ])('%s is refused', (authorizers, message) => {
    expect(() => read(authorizers)).toThrow(message);
  });

  test('with an expression that cannot be used is refused', () => {
    expect(() => new AccessConditions(['request.nothing'], clock)).toThrow(
      'matchConditions: request.nothing: compilation failed: ERROR: <input>:1:8: undefined field',
    );
  });
});
