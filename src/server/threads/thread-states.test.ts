import { expect, test } from 'vitest';
import type { Timers } from '../../meta/index.ts';
import { ThreadStates } from './thread-states.ts';

/** The states as two threads see them; time passes in them only by `beat`. */
function threads() {
  const memory = ThreadStates.memory(2);
  const clock = { ms: 1 };
  const beats: (() => void)[] = [];
  const timers: Timers = {
    after: () => () => {},
    every: (_, call) => {
      beats.push(call);
      return () => {};
    },
  };
  const [first, second] = [0, 1].map(
    (index) => new ThreadStates({ memory, index, timers, nowMs: () => BigInt(clock.ms) }),
  );
  if (first === undefined || second === undefined) throw new Error('there are two');
  return { first, second, clock, beat: (index: number) => beats[index]?.() };
}

test('a server is ready when all threads serve, whichever one is asked', async () => {
  const { first, second } = threads();
  await expect(first.checkReady()).rejects.toThrow('worker 0 is starting');
  first.set('serving');
  await expect(first.checkReady()).rejects.toThrow('worker 1 is starting');
  await expect(second.checkReady()).rejects.toThrow('worker 1 is starting');
  second.set('serving');
  await first.checkReady();
  await second.checkReady();
});

test('a thread that does not run makes probes of the others fail, until it runs again', async () => {
  const { first, second, clock, beat } = threads();
  first.set('serving');
  second.set('serving');
  clock.ms += 10_000;
  await first.checkLive();
  clock.ms += 1;
  await expect(first.checkLive()).rejects.toThrow('worker 1 has not run for 10001 ms');
  await expect(first.checkReady()).rejects.toThrow('worker 1 has not run for 10001 ms');
  beat(1);
  await first.checkLive();
  await second.checkReady();
});

test('a thread that closes is neither starting nor dead', async () => {
  const { first, second } = threads();
  first.set('serving');
  second.set('closing');
  await first.checkReady();
});
