import { expect, test } from 'vitest';
import type { JsonObject } from '../meta/index.ts';
import { WebhookError } from '../webhook/index.ts';
import { AccessConditions } from './match-conditions.ts';
import { WebhookAuthorizer, type WebhookAuthorizerOptions } from './webhook-authorizer.ts';

const ask = { user: { name: 'alice', groups: [] }, verb: 'get', path: '/healthz', resource: undefined };

/** An authorizer whose webhook answers with this status, or throws. */
function authorizer(
  answer: JsonObject | Error,
  more: Partial<WebhookAuthorizerOptions> & { readonly conditions?: AccessConditions } = {},
) {
  const clock = { ms: 0, now: () => clock.ms };
  const posted: JsonObject[] = [];
  const post = async (document: JsonObject) => {
    posted.push(document);
    if (answer instanceof Error) throw answer;
    return { status: answer };
  };
  const made = new WebhookAuthorizer({
    client: { post, close: () => {} },
    clock,
    conditions: new AccessConditions([], clock),
    allowedMs: 1_000,
    otherMs: 100,
    onFailure: 'deny',
    ...more,
  });
  return { made, clock, posted };
}

test.each([
  [{ allowed: true }, { verdict: 'allow', reason: '' }],
  [
    { allowed: false, reason: 'why' },
    { verdict: 'no-opinion', reason: 'why' },
  ],
  [{}, { verdict: 'no-opinion', reason: '' }],
  [{ allowed: 'true' }, { verdict: 'no-opinion', reason: '' }],
  [
    { denied: true, reason: 'no' },
    { verdict: 'deny', reason: 'no' },
  ],
  [
    { allowed: true, denied: true, reason: 'both' },
    {
      verdict: 'deny',
      reason: 'both',
      evaluationError: 'webhook subject access review returned both allow and deny response',
    },
  ],
])('the answer %j', async (status, decision) => {
  expect(await authorizer(status).made.authorize(ask)).toEqual(decision);
});

test('an answer counts for its time, and is given without a promise', async () => {
  const { made, clock, posted } = authorizer({ allowed: true });
  await made.authorize(ask);
  clock.ms = 999;
  expect(made.authorize(ask)).toEqual({ verdict: 'allow', reason: '' });
  clock.ms = 1_000;
  await made.authorize(ask);
  expect(posted).toHaveLength(2);
});

test('an answer that does not allow counts for a time of its own', async () => {
  const { made, clock, posted } = authorizer({ allowed: false });
  await made.authorize(ask);
  clock.ms = 99;
  await made.authorize(ask);
  expect(posted).toHaveLength(1);
  clock.ms = 100;
  await made.authorize(ask);
  expect(posted).toHaveLength(2);
});

test('an answer is kept for its own question, and none where the time is zero', async () => {
  const { made, posted } = authorizer({ allowed: true });
  await made.authorize(ask);
  await made.authorize({ ...ask, verb: 'post' });
  expect(posted).toHaveLength(2);
  const without = authorizer({ allowed: true }, { allowedMs: 0 });
  await without.made.authorize(ask);
  await without.made.authorize(ask);
  expect(without.posted).toHaveLength(2);
});

test('a long question is not remembered', async () => {
  const { made, posted } = authorizer({ allowed: true });
  const long = { ...ask, path: `/${'x'.repeat(10_000)}` };
  await made.authorize(long);
  await made.authorize(long);
  expect(posted).toHaveLength(2);
});

test('a failure is answered by the policy, and asked about again', async () => {
  const { made, posted } = authorizer(new WebhookError('unreachable'));
  expect(await made.authorize(ask)).toEqual({ verdict: 'deny', reason: '', evaluationError: 'unreachable' });
  await made.authorize(ask);
  expect(posted).toHaveLength(2);
  const lenient = authorizer(new WebhookError('unreachable'), { onFailure: 'no-opinion' }).made;
  expect(await lenient.authorize(ask)).toMatchObject({ verdict: 'no-opinion' });
});

test('a bug is not taken for a failure', async () => {
  await expect(authorizer(new TypeError('bug')).made.authorize(ask)).rejects.toThrow('bug');
});

test('conditions keep questions from the webhook', () => {
  const clock = { now: () => 0 };
  const conditions = (source: string) => ({ conditions: new AccessConditions([source], clock) });
  const skipped = authorizer({ allowed: true }, conditions('request.user == "bob"'));
  expect(skipped.made.authorize(ask)).toEqual({ verdict: 'no-opinion', reason: '' });
  const failing = authorizer({ allowed: true }, conditions('request.resourceAttributes.verb == "get"'));
  expect(failing.made.authorize(ask)).toMatchObject({ verdict: 'deny' });
  expect([...skipped.posted, ...failing.posted]).toEqual([]);
});
