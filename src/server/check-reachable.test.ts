import { expect, test, vi } from 'vitest';
import { answersInTime } from './check-reachable.ts';

test('a storage answers, or fails, or does not answer in time', async () => {
  await answersInTime(Promise.resolve());
  await expect(answersInTime(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  vi.useFakeTimers();
  try {
    const waiting = answersInTime(new Promise(() => {}));
    const refused = expect(waiting).rejects.toThrow('the storage does not answer');
    vi.advanceTimersByTime(2_000);
    await refused;
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
