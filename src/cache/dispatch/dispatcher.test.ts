import { expect, test } from 'vitest';
import { Dispatcher } from './dispatcher.ts';

test('of thousands of readers, 500 are woken in one turn, in the order in which they asked', async () => {
  const dispatcher = new Dispatcher<null>([]);
  const woken: number[] = [];
  for (let reader = 0; reader < 1_200; reader += 1) {
    dispatcher.wakeSoon({ wake: () => woken.push(reader) });
  }
  const afterEachTurn: number[] = [];
  while (woken.length < 1_200) {
    await new Promise((resolve) => setImmediate(resolve));
    afterEachTurn.push(woken.length);
  }
  expect(afterEachTurn).toEqual([500, 1_000, 1_200]);
  expect(woken).toEqual(woken.toSorted((a, b) => a - b));
});
