import { expect, test } from 'vitest';
import { beforeDeadline, deadlineMsOf } from './request-deadline.ts';

const asked = (search: string, maxMs?: number, verb: 'list' | 'watch' = 'list') =>
  deadlineMsOf({ query: new URLSearchParams(search) }, { verb, maxMs });

test('uses the shorter timeout of client and server', () => {
  expect(asked('')).toBeUndefined();
  expect(asked('', 60_000)).toBe(60_000);
  expect(asked('timeout=32s', 60_000)).toBe(32_000);
  expect(asked('timeout=100h', 60_000)).toBe(60_000);
  expect(asked('timeout=32s')).toBe(32_000);
  expect(asked('timeout=0s', 60_000)).toBe(60_000);
  expect(asked('timeout=-1s', 60_000)).toBe(60_000);
});

test('a watch has its own timeout', () => expect(asked('timeout=abc', 60_000, 'watch')).toBeUndefined());

test('refuses an invalid timeout', () => {
  const text = 'invalid timeout specified in the request URL - time: missing unit in duration "5"';
  expect(() => asked('timeout=5')).toThrow(expect.objectContaining({ code: 400, message: text }));
});

/** Manual timers. */
function manualTimers() {
  const calls = new Set<() => void>();
  const after = (_: number, call: () => void) => {
    calls.add(call);
    return () => void calls.delete(call);
  };
  return { calls, timers: { after, every: after } };
}

test('work that finishes in time clears the timer', async () => {
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

test('late work is aborted, and its later errors are ignored', async () => {
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
