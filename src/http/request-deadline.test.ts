import { expect, test } from 'vitest';
import { beforeDeadline, deadlineMsOf } from './request-deadline.ts';

const asked = (search: string, maxMs?: number, verb: 'list' | 'watch' = 'list') =>
  deadlineMsOf({ query: new URLSearchParams(search) }, { verb, maxMs });

test('the shorter of what the client and the server say counts', () => {
  expect(asked('')).toBeUndefined();
  expect(asked('', 60_000)).toBe(60_000);
  expect(asked('timeout=32s', 60_000)).toBe(32_000);
  expect(asked('timeout=100h', 60_000)).toBe(60_000);
  expect(asked('timeout=32s')).toBe(32_000);
  expect(asked('timeout=0s', 60_000)).toBe(60_000);
  expect(asked('timeout=-1s', 60_000)).toBe(60_000);
});

test('a watch has a time of its own', () => expect(asked('timeout=abc', 60_000, 'watch')).toBeUndefined());

test('a timeout that is no duration is refused', () => {
  const text = 'invalid timeout specified in the request URL - time: missing unit in duration "5"';
  expect(() => asked('timeout=5')).toThrow(expect.objectContaining({ code: 400, message: text }));
});

/** Timers that strike when they are told to. */
function manualTimers() {
  const calls = new Set<() => void>();
  const after = (_: number, call: () => void) => {
    calls.add(call);
    return () => void calls.delete(call);
  };
  return { calls, timers: { after, every: after } };
}

test('work that is done in time leaves no timer behind', async () => {
  const { calls, timers } = manualTimers();
  const late: string[] = [];
  const onLate = () => late.push('late');
  await expect(beforeDeadline(Promise.resolve(1), { ms: 5, timers, onLate })).resolves.toBe(1);
  await expect(beforeDeadline(Promise.reject(new Error('no')), { ms: 5, timers, onLate })).rejects.toThrow(
    'no',
  );
  await expect.poll(() => calls.size).toBe(0);
  expect(late).toEqual([]);
});

test("work that is late is ended, and what it throws then is nobody's", async () => {
  const { calls, timers } = manualTimers();
  let end = (_: Error) => {};
  const working = new Promise((_, reject) => {
    end = reject;
  });
  const answer = beforeDeadline(working, { ms: 5, timers, onLate: () => end(new Error('aborted')) });
  for (const call of calls) call();
  const message = 'Timeout: request did not complete within the allotted timeout';
  await expect(answer).rejects.toMatchObject({ code: 504, message });
});
