import { expect, test } from 'vitest';
import type { AuthorizationDecision, Authorizer } from './authorizer.ts';
import { AuthorizerChain } from './authorizer-chain.ts';

const request = { user: { name: 'alice', groups: [] }, verb: 'get', path: '/apis', resource: undefined };
const says = (verdict: AuthorizationDecision['verdict'], reason = ''): Authorizer => ({
  authorize: () => ({ verdict, reason }),
});
const saysLater = (verdict: AuthorizationDecision['verdict'], reason = ''): Authorizer => ({
  authorize: async () => ({ verdict, reason }),
});
const never: Authorizer = {
  authorize: () => {
    throw new Error('nobody should ask');
  },
};
const ask = (...links: Authorizer[]) => new AuthorizerChain(links).authorize(request);

test('the first that allows or denies decides', async () => {
  expect(ask(says('no-opinion', 'a'), says('allow', 'b'), never)).toEqual({ verdict: 'allow', reason: 'b' });
  expect(ask(says('deny', 'a'), never)).toEqual({ verdict: 'deny', reason: 'a' });
  expect(await ask(says('no-opinion'), saysLater('deny', 'b'), never)).toEqual({
    verdict: 'deny',
    reason: 'b',
  });
});

test('joins the reasons of all if none has an opinion', async () => {
  expect(ask()).toEqual({ verdict: 'no-opinion', reason: '' });
  expect(await ask(saysLater('no-opinion', 'a'), says('no-opinion'), saysLater('no-opinion', 'c'))).toEqual({
    verdict: 'no-opinion',
    reason: 'a\nc',
  });
});

test('returns no promise if no authorizer does', () => {
  expect(ask(says('no-opinion'), says('allow'))).not.toBeInstanceOf(Promise);
});

test('lists the rules of all authorizers', async () => {
  const rule = { verbs: ['get'], nonResourceURLs: ['/x'] };
  const lists: Authorizer = {
    ...says('no-opinion'),
    rulesFor: () => ({ rules: [rule], incomplete: true, evaluationError: 'half' }),
  };
  const chain = new AuthorizerChain([says('allow'), lists, lists]);
  expect(await chain.rulesFor(request.user, 'ns')).toEqual({
    rules: [rule, rule],
    incomplete: true,
    evaluationError: 'half',
  });
});
