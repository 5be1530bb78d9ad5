import { expect, test } from 'vitest';
import { Slices } from './slices.ts';

/** Slices of 20 ms of a fake clock, and event loop turns that the test triggers. */
function stillSlices() {
  const clock = { ms: 0 };
  const turns: (() => void)[] = [];
  const slices = new Slices({ now: () => clock.ms, nextTurn: (call) => turns.push(call), sliceMs: 20 });
  const turn = async () => {
    turns.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, slices, turn };
}

/** Works through steps of 5 ms each and records them. */
async function work(name: string, steps: number, { clock, slices, log }: ReturnType<typeof started>) {
  for (let step = 1; step <= steps; step += 1) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    clock.ms += 5;
    log.push(`${name}${step}`);
  }
}

const started = () => ({ ...stillSlices(), log: [] as string[] });

test('long work pauses after its slice, and goes on in the next turn', async () => {
  const parts = started();
  const done = work('a', 10, parts);
  expect(parts.log).toEqual(['a1', 'a2', 'a3', 'a4']);
  await parts.turn();
  expect(parts.log).toHaveLength(8);
  await parts.turn();
  await done;
  expect(parts.log).toHaveLength(10);
});

test('the slice is one for all, and those who wait take turns', async () => {
  const parts = started();
  const all = [work('a', 6, parts), work('b', 6, parts)];
  expect(parts.log.join(' ')).toBe('a1 a2 a3 a4');
  expect(parts.slices.waiting).toBe(2);
  await parts.turn();
  expect(parts.log.slice(4).join(' ')).toBe('a5 a6');
  await parts.turn();
  expect(parts.log.slice(6).join(' ')).toBe('b1 b2 b3 b4');
  await parts.turn();
  await Promise.all(all);
  expect(parts.log.slice(10)).toEqual(['b5', 'b6']);
});

test('short work in many turns never pauses', async () => {
  const parts = started();
  for (let index = 0; index < 5; index += 1) {
    expect(parts.slices.pause()).toBeUndefined();
    parts.clock.ms += 19;
    await parts.turn();
  }
});

test('who has gone works no further', async () => {
  const { clock, slices, turn } = stillSlices();
  const abort = new AbortController();
  slices.pause(abort.signal);
  clock.ms += 20;
  const paused = slices.pause(abort.signal);
  abort.abort(new Error('gone'));
  const outcome = expect(paused).rejects.toThrow('gone');
  await turn();
  await outcome;
});

test('slices are short for a while after a request has arrived', async () => {
  const clock = { ms: 0 };
  const turns: (() => void)[] = [];
  const nextTurn = (call: () => void) => void turns.push(call);
  const slices = new Slices({ now: () => clock.ms, nextTurn, sliceMs: 20, busySliceMs: 5 });
  const pausesAfter = async (ms: number) => {
    slices.pause();
    clock.ms += ms;
    const pause = slices.pause();
    while (turns.length > 0) turns.shift()?.();
    await pause;
    return pause !== undefined;
  };
  expect([await pausesAfter(19), await pausesAfter(20)]).toEqual([false, true]);
  slices.requestArrived();
  expect([await pausesAfter(4), await pausesAfter(5)]).toEqual([false, true]);
  clock.ms += 100;
  expect([await pausesAfter(19), await pausesAfter(20)]).toEqual([false, true]);
});
