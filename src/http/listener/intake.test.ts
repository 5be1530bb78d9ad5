import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Intake } from './intake.ts';

/** So many requests that arrive together; gives the numbers of those that have begun. */
function arrive(intake: Intake, count: number): number[] {
  const begun: number[] = [];
  for (let index = 0; index < count; index += 1) void intake.turn(() => begun.push(index));
  return begun;
}

test('requests begin in the order in which they came, a few at each turn of the event loop', async () => {
  const begun = arrive(new Intake(), 40);
  expect(begun).toEqual([]);
  const counts: number[] = [];
  while (begun.length < 40) {
    await nextTurn();
    counts.push(begun.length);
  }
  expect(counts).toEqual([16, 32, 40]);
  expect(begun).toEqual([...begun].sort((a, b) => a - b));
});

test('one that comes while others wait begins after them, and one that comes later begins too', async () => {
  const intake = new Intake();
  const begun = arrive(intake, 20);
  await nextTurn();
  const later = arrive(intake, 1);
  while (later.length === 0) await nextTurn();
  expect(begun.length).toBe(20);
});

test('a turn tells what is so when it has come', async () => {
  let isThere = true;
  const turn = new Intake().turn(() => isThere);
  isThere = false;
  expect(await turn).toBe(false);
});
