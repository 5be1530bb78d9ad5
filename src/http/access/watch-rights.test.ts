import { expect, test } from 'vitest';
import type { AuthorizationDecision } from '../../auth/index.ts';
import { WatchRights } from './watch-rights.ts';

const alice = { name: 'alice', groups: [] };
const attributes = { user: alice, verb: 'watch', path: '/x', resource: undefined };

/** Watches with manual timers, of a user alice whose authorizer returns `verdict`. */
function server() {
  const state: { now: number; verdict: AuthorizationDecision['verdict']; change: () => void } = {
    now: 0,
    verdict: 'allow',
    change: () => {},
  };
  const due = new Set<{ readonly atMs: number; readonly call: () => void }>();
  const rights = new WatchRights({
    authenticator: { authenticate: () => undefined },
    authorizer: {
      authorize: () => ({ verdict: state.verdict, reason: '' }),
      onChange: (listener) => {
        state.change = listener;
        return () => {};
      },
    },
    clock: { now: () => state.now },
    timers: {
      after: (ms, call) => {
        const timer = { atMs: state.now + ms, call };
        due.add(timer);
        return () => void due.delete(timer);
      },
      every: () => () => {},
    },
  });
  const pass = async (ms: number) => {
    state.now += ms;
    for (const timer of [...due]) {
      if (timer.atMs > state.now) continue;
      due.delete(timer);
      timer.call();
    }
    await new Promise(setImmediate);
  };
  return { state, rights, due, pass };
}

/** A stream without events; `ended` tells whether `return` was called. */
function stream(next: () => Promise<IteratorResult<Uint8Array>> = () => new Promise(() => {})) {
  const seen = { ended: false };
  const body = {
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => {
        seen.ended = true;
        return { done: true as const, value: undefined };
      },
    }),
  };
  return { seen, response: { status: 200, headers: {}, body } };
}

const right = { attributes, expiresAtMs: undefined, authenticate: () => undefined };

/** Guards a stream, and starts to read it. */
function open(rights: WatchRights, more: Partial<Parameters<WatchRights['guard']>[1]> = {}, one = stream()) {
  const { body } = rights.guard(one.response, { ...right, ...more });
  if (!(Symbol.asyncIterator in body)) throw new Error('no stream');
  const iterator = body[Symbol.asyncIterator]();
  const first = iterator.next();
  first.catch(() => {});
  return { seen: one.seen, iterator, first };
}

test('ends a watch whose user lost the right, only after a change', async () => {
  const { state, rights, pass } = server();
  const { seen } = open(rights);
  state.verdict = 'no-opinion';
  await pass(60_000);
  expect(seen.ended).toBe(false);
  state.change();
  await pass(60_000);
  expect(seen.ended).toBe(true);
});

test('continues a watch whose user still has the right', async () => {
  const { state, rights, pass } = server();
  const { seen } = open(rights);
  state.change();
  await pass(60_000);
  expect(seen.ended).toBe(false);
});

test('ends a watch whose credentials became invalid', async () => {
  const { state, rights, pass } = server();
  const revoked = () => {
    throw new Error('revoked');
  };
  const { seen } = open(rights, { authenticate: revoked });
  state.change();
  await pass(60_000);
  expect(seen.ended).toBe(true);
});

test('ends a watch when its credentials expire', async () => {
  const { rights, pass } = server();
  const { seen } = open(rights, { expiresAtMs: 10_000 });
  await pass(9_999);
  expect(seen.ended).toBe(false);
  await pass(1);
  expect(seen.ended).toBe(true);
});

test.each<[string, () => Promise<IteratorResult<Uint8Array>>]>([
  ['ends', async () => ({ done: true, value: undefined })],
  ['breaks', () => Promise.reject(new Error('dropped'))],
])('nothing is kept of a watch that %s by itself', async (_, next) => {
  const { state, rights, due } = server();
  const { first } = open(rights, { expiresAtMs: 10_000 }, stream(next));
  await first.catch(() => {});
  expect(due.size).toBe(0);
  state.change();
  expect(due.size).toBe(0);
});

test('releases a watch that its client ends', async () => {
  const { rights, due } = server();
  const { iterator, seen } = open(rights, { expiresAtMs: 10_000 });
  await iterator.return?.();
  expect([due.size, seen.ended]).toEqual([0, true]);
});

test('does not change a response without a stream', () => {
  const response = { status: 410, headers: {}, body: Buffer.from('x') };
  expect(server().rights.guard(response, right)).toBe(response);
});
