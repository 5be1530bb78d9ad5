import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { systemTimers } from '../../meta/index.ts';
import { ThreadChannel } from './thread-channel.ts';

type Sums = { readonly add: (values: readonly number[]) => Promise<number> };
type Nothing = Record<never, never>;

const open: { close(): void }[] = [];
afterEach(() => {
  for (const channel of open.splice(0)) channel.close();
});

/** Two ends: the one that asks, and the one that answers. */
function channel(add: Sums['add']) {
  const { port1, port2 } = new MessageChannel();
  const asks = new ThreadChannel<Sums, Nothing>({ port: port1, answers: {}, timers: systemTimers });
  const answers = new ThreadChannel<Nothing, Sums>({ port: port2, answers: { add }, timers: systemTimers });
  open.push(asks, answers);
  return { asks, answers };
}

const sum = async (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

test('calls arrive in order, and each has its answer', async () => {
  const seen: number[] = [];
  const { asks } = channel(async (values) => {
    seen.push(values[0] ?? 0);
    return sum(values);
  });
  const calls = [1, 2, 3].map((value) => asks.call('add', [value, 10]));
  expect(await Promise.all(calls)).toEqual([11, 12, 13]);
  expect(seen).toEqual([1, 2, 3]);
});

test('an error of the other side is the error of the call', async () => {
  const { asks } = channel(async () => {
    throw new Error('no numbers today');
  });
  await expect(asks.call('add', [])).rejects.toThrow('no numbers today');
});

test('a call that is not answered in time fails, and the next one works', async () => {
  let isHeld = true;
  const { asks } = channel((values) => (isHeld ? new Promise(() => {}) : sum(values)));
  await expect(asks.call('add', [1], 1)).rejects.toThrow('the thread did not answer add in time');
  isHeld = false;
  expect(await asks.call('add', [1])).toBe(1);
});

test('calls that wait fail when the other side ends, and further ones too', async () => {
  const { asks, answers } = channel(() => new Promise(() => {}));
  const waiting = asks.call('add', [1]);
  answers.close();
  await expect(waiting).rejects.toThrow('the thread has ended');
  await expect(asks.call('add', [2])).rejects.toThrow('the thread has ended');
});
