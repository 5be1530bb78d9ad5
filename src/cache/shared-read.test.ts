import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SharedRead } from './shared-read.ts';

/** A read that completes on demand, with the state at its start. */
function slowRead() {
  const answers: (() => void)[] = [];
  const source = { value: 1, reads: 0 };
  const shared = new SharedRead(() => {
    const { value } = source;
    source.reads += 1;
    return new Promise<number>((resolve) => answers.push(() => resolve(value)));
  });
  return { source, shared, answer: () => answers.shift()?.() };
}

test('who asks during a read gets a read that began later, and all of them the same', async () => {
  const { source, shared, answer } = slowRead();
  const first = shared.get();
  source.value = 2;
  const [second, third] = [shared.get(), shared.get()];
  answer();
  expect(await first).toBe(1);
  // The next read has not started, so it is shared.
  const fourth = shared.get();
  while (source.reads < 2) await nextTurn();
  answer();
  expect(await Promise.all([second, third, fourth])).toEqual([2, 2, 2]);
  expect(source.reads).toBe(2);
});

test('a read that fails does not fail the next one', async () => {
  let fails = true;
  const shared = new SharedRead(async () => {
    if (fails) throw new Error('unreachable');
    return 1;
  });
  const [first, second] = [shared.get(), shared.get()];
  fails = false;
  await expect(first).rejects.toThrow('unreachable');
  expect(await second).toBe(1);
  expect(await shared.get()).toBe(1);
});
