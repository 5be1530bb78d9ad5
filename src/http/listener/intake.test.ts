import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seededRandom } from '../../meta/index.ts';
import { Intake } from './intake.ts';

/** Submits requests at once; returns the numbers of those that have started. */
function arrive(intake: Intake, count: number): number[] {
  const begun: number[] = [];
  for (let index = 0; index < count; index += 1) void intake.turn('alice', () => begun.push(index));
  return begun;
}

test('requests start in order of arrival, a few per turn of the event loop', async () => {
  const begun = arrive(new Intake(), 40);
  const counts = [begun.length];
  while (begun.length < 40) {
    await nextTurn();
    counts.push(begun.length);
  }
  expect(counts).toEqual([1, 17, 33, 40]);
  expect(begun).toEqual([...begun].sort((a, b) => a - b));
});

test('a request can wait for the next turn in any case', async () => {
  const begun: string[] = [];
  void new Intake().nextTurn('alice', () => begun.push('alice'));
  expect(begun).toEqual([]);
  await nextTurn();
  expect(begun).toEqual(['alice']);
});

test('a request that arrives while others wait starts after them', async () => {
  const intake = new Intake();
  const begun = arrive(intake, 20);
  await nextTurn();
  const later = arrive(intake, 1);
  while (later.length === 0) await nextTurn();
  expect(begun.length).toBe(20);
});

test('a turn resolves with the current state', async () => {
  let isThere = true;
  const intake = new Intake();
  const turns = [0, 1].map(() => intake.turn('alice', () => isThere));
  isThere = false;
  expect(await Promise.all(turns)).toEqual([true, false]);
});

test('the first request of a flow in a turn starts on arrival, of eight flows at most', async () => {
  const intake = new Intake();
  const begun: string[] = [];
  const arrives = (flow: string) => void intake.turn(flow, () => begun.push(flow));
  for (let count = 0; count < 20; count += 1) arrives('flood');
  for (let flow = 1; flow <= 9; flow += 1) arrives(String(flow));
  expect(begun).toEqual(['flood', '1', '2', '3', '4', '5', '6', '7']);
  await nextTurn();
  begun.length = 0;
  for (const flow of ['flood', '1', '1']) arrives(flow);
  expect(begun).toEqual(['1']);
});

test('flows take turns: one with many requests does not delay another; order within a flow is kept', async () => {
  const intake = new Intake();
  const begun: string[] = [];
  const arrives = (flow: string, count: number) => {
    for (let index = 0; index < count; index += 1)
      void intake.turn(flow, () => begun.push(`${flow} ${index}`));
  };
  arrives('flood', 300);
  arrives('quiet', 2);
  arrives('__proto__', 1);
  await nextTurn();
  expect(begun.slice(0, 6)).toEqual(['flood 0', 'quiet 0', '__proto__ 0', 'flood 1', 'quiet 1', 'flood 2']);
  begun.length = 0;
  arrives('quiet', 2);
  await nextTurn();
  expect(begun.slice(0, 4)).toEqual(['quiet 0', 'flood 16', 'quiet 1', 'flood 17']);
});

test('every request starts once, in the order of its flow, for random arrivals', async () => {
  const random = seededRandom(21);
  const intake = new Intake(3);
  const begun: Record<string, number[]> = { a: [], b: [], c: [], d: [] };
  const sent: Record<string, number> = { a: 0, b: 0, c: 0, d: 0 };
  for (let turn = 0; turn < 300; turn += 1) {
    for (const flow of Object.keys(begun)) {
      for (let count = Math.floor(random() * 2); count > 0; count -= 1) {
        const index = sent[flow] ?? 0;
        sent[flow] = index + 1;
        void intake.turn(flow, () => begun[flow]?.push(index));
      }
    }
    await nextTurn();
  }
  while (Object.values(begun).flat().length < Object.values(sent).reduce((sum, count) => sum + count))
    await nextTurn();
  for (const [flow, indexes] of Object.entries(begun))
    expect(indexes).toEqual(Array.from({ length: sent[flow] ?? 0 }, (_, index) => index));
});
