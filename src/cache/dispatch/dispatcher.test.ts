import { afterEach, expect, test, vi } from 'vitest';
import { Dispatcher } from './dispatcher.ts';

afterEach(() => vi.useRealTimers());

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A dispatcher, and the readers that were woken so far. */
function setUp() {
  const dispatcher = new Dispatcher<null>([]);
  const woken: number[] = [];
  const ask = (from: number, to: number) => {
    for (let reader = from; reader < to; reader += 1) dispatcher.wakeSoon({ wake: () => woken.push(reader) });
  };
  return { woken, ask };
}

test('of many readers, 64 are woken in one turn, in the order in which they asked', async () => {
  const { woken, ask } = setUp();
  ask(0, 150);
  const afterEachTurn: number[] = [];
  while (woken.length < 150) {
    await turn();
    afterEachTurn.push(woken.length);
  }
  expect(afterEachTurn).toEqual([64, 128, 150]);
  expect(woken).toEqual(woken.toSorted((a, b) => a - b));
});

test('few readers are woken in the next turn, each time', async () => {
  const { woken, ask } = setUp();
  for (const first of [0, 64, 128]) {
    ask(first, first + 64);
    await turn();
    expect(woken.length).toBe(first + 64);
  }
});

test('after many, the next are woken together after a pause of 15 ms, and at once when the pause is over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { woken, ask } = setUp();
  ask(0, 65);
  while (woken.length < 65) await turn();
  for (const reader of [65, 66]) {
    ask(reader, reader + 1);
    await turn();
  }
  vi.advanceTimersByTime(14);
  expect(woken.length).toBe(65);
  vi.advanceTimersByTime(1);
  expect(woken.length).toBe(67);
  ask(67, 68);
  await turn();
  expect(woken.length).toBe(68);
});
