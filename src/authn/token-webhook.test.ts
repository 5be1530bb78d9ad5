import { describe, expect, test } from 'vitest';
import type { Credentials } from '../auth/index.ts';
import type { JsonObject } from '../meta/index.ts';
import { WebhookError } from '../webhook/index.ts';
import { TokenWebhook } from './token-webhook.ts';

const asking = (bearerToken: string, audiences?: readonly string[]): Credentials => ({
  bearerToken,
  certificate: undefined,
  path: '/',
  header: () => undefined,
  headersFrom: () => [],
  ...(audiences && { audiences }),
});

/** A webhook that responds to each token with a status, cached for 1000 ms. */
function webhook(answer: (token: string) => JsonObject, audiences: readonly string[] = []) {
  const clock = { ms: 0, now: () => clock.ms };
  const asked: JsonObject[] = [];
  const post = async ({ spec }: JsonObject) => {
    const one = spec as JsonObject;
    asked.push(one);
    return { status: answer(String(one['token'])) };
  };
  const client = { post, close: () => {} };
  return { clock, asked, made: new TokenWebhook({ client, clock, cacheMs: 1_000, audiences }) };
}

const good = (user: JsonObject, more: JsonObject = {}) => ({ authenticated: true, user, ...more });

describe('a response', () => {
  test.each<[string, JsonObject, object | undefined]>([
    ['that it is not authenticated', { authenticated: false }, undefined],
    ['that is no boolean', { authenticated: 'true', user: { username: 'a' } }, undefined],
    ['with a name', good({ username: 'a' }), { user: { name: 'a', groups: [] }, audiences: [] }],
    [
      'with everything',
      good({ username: 'a', uid: 'u', groups: ['g', 7], extra: { Key: ['v'] } }),
      { user: { name: 'a', uid: 'u', groups: ['g'], extra: new Map([['key', ['v']]]) }, audiences: [] },
    ],
  ])('%s', async (_, status, expected) => {
    expect(await webhook(() => status).made.authenticate(asking('t'))).toEqual(expected);
  });

  test('with an error refuses the token, also when it is repeated', async () => {
    const { made, asked } = webhook(() => ({ authenticated: false, error: 'expired' }));
    await expect(made.authenticate(asking('t'))).rejects.toThrow('expired');
    expect(() => made.authenticate(asking('t'))).toThrow('expired');
    expect(asked).toHaveLength(1);
  });
});

describe('audiences', () => {
  const answering = (audiences: readonly string[]) =>
    webhook(() => good({ username: 'a' }, { audiences: [...audiences] }), ['x', 'y']);
  test.each<[answered: string[], expected: readonly string[] | undefined]>([
    [[], ['x', 'y']],
    [['y', 'z'], ['y']],
    [['z'], undefined],
  ])('answered with %j', async (answered, expected) => {
    expect((await answering(answered).made.authenticate(asking('t')))?.audiences).toEqual(expected);
  });

  test('sends the requested audiences, by default those of the server', async () => {
    const { made, asked } = answering([]);
    await made.authenticate(asking('t'));
    await made.authenticate(asking('t', ['z']));
    expect(asked).toEqual([
      { token: 't', audiences: ['x', 'y'] },
      { token: 't', audiences: ['z'] },
    ]);
  });
});

test('does not call the webhook without a token', () => {
  const { made, asked } = webhook(() => good({}));
  expect(made.authenticate(asking(''))).toBeUndefined();
  expect(asked).toEqual([]);
});

test('caches a response, and returns it without a promise', async () => {
  const { made, clock, asked } = webhook((token) => good({ username: token }));
  await made.authenticate(asking('t'));
  clock.ms = 999;
  expect(made.authenticate(asking('t'))).toMatchObject({ user: { name: 't' } });
  clock.ms = 1_000;
  await made.authenticate(asking('t'));
  expect(asked).toHaveLength(2);
});

test('calls once for concurrent requests with the same token', async () => {
  const { made, asked } = webhook((token) => good({ username: token }));
  const all = await Promise.all(['t', 't', 'u'].map((token) => made.authenticate(asking(token))));
  expect(all.map((one) => one?.user.name)).toEqual(['t', 't', 'u']);
  expect(asked).toHaveLength(2);
});

test('a failed call means bad credentials, and is not cached', async () => {
  let calls = 0;
  const post = async () => {
    calls += 1;
    throw new WebhookError('unreachable');
  };
  const client = { post, close: () => {} };
  const made = new TokenWebhook({ client, clock: { now: () => 0 }, cacheMs: 1_000, audiences: [] });
  for (const _ of [1, 2])
    await expect(made.authenticate(asking('t'))).rejects.toMatchObject({
      name: 'BadCredentialsError',
      message: 'token webhook: unreachable',
    });
  expect(calls).toBe(2);
});
