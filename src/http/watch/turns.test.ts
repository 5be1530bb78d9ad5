import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Starts a number of tasks at once; returns how many have continued after each turn. */
async function progress(turns: Turns, count: number): Promise<number[]> {
  const order: number[] = [];
  const goOn = async (index: number) => {
    const turn = turns.take();
    if (turn !== undefined) await turn;
    order.push(index);
  };
  const all = Promise.all(Array.from({ length: count }, (_, index) => goOn(index)));
  const seen = [order.length];
  while (order.length < count) {
    await nextTurn();
    seen.push(order.length);
  }
  await all;
  expect(order).toEqual(Array.from({ length: count }, (_, index) => index));
  return seen;
}

test('a few continue at once', async () => {
  const turns = new Turns(4);
  expect(await progress(turns, 3)).toEqual([3]);
  await nextTurn();
  expect(await progress(turns, 4)).toEqual([4]);
});

test('many continue in order, a few per turn', async () => {
  expect(await progress(new Turns(4), 11)).toEqual([4, 8, 11]);
});

test('a later task in the same turn gets the rest of it', async () => {
  const turns = new Turns(4);
  expect(turns.take()).toBeUndefined();
  expect(await progress(turns, 5)).toEqual([3, 5]);
});

test('starts over after a pause', async () => {
  const turns = new Turns(4);
  await progress(turns, 9);
  await nextTurn();
  await nextTurn();
  expect(await progress(turns, 4)).toEqual([4]);
});
