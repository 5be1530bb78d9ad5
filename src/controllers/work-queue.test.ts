import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WorkQueue } from './work-queue.ts';

test('a key that is added many times while it waits is worked on once', async () => {
  const done: string[] = [];
  const queue = new WorkQueue({
    work: async (key) => void done.push(key),
    workersMax: 1,
    onTrouble: () => {},
  });
  for (const key of ['a', 'b', 'b', 'b']) queue.add(key);
  await expect.poll(() => done, { interval: 5 }).toEqual(['a', 'b']);
  await queue.close();
});

test('a key that is added while it is worked on is worked on again, never at the same time', async () => {
  let [running, most, runs] = [0, 0, 0];
  const work = async () => {
    running += 1;
    runs += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
  };
  const queue = new WorkQueue({ work, onTrouble: () => {} });
  queue.add('a');
  queue.add('a');
  queue.add('a');
  await expect.poll(() => runs, { interval: 5 }).toBe(2);
  await queue.close();
  expect({ runs, most }).toEqual({ runs: 2, most: 1 });
});

test('what fails is tried again until it succeeds', async () => {
  const troubles: unknown[] = [];
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    if (attempts < 3) throw new Error(`attempt ${attempts}`);
  };
  const queue = new WorkQueue({ work, retryMsMin: 1, onTrouble: (error) => troubles.push(error) });
  queue.add('a');
  await expect.poll(() => attempts, { interval: 5 }).toBe(3);
  expect(troubles).toHaveLength(2);
  await queue.close();
});

test('a closed queue finishes what is under way and takes nothing new', async () => {
  const done: string[] = [];
  const work = async (key: string) => {
    await sleep(5);
    done.push(key);
  };
  const queue = new WorkQueue({ work, workersMax: 1, onTrouble: () => {} });
  queue.add('a');
  queue.add('b');
  await queue.close();
  queue.add('c');
  expect(done).toEqual(['a']);
});
