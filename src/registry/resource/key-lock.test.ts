import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { plot, Plots } from '../verbs/plots.test-support.ts';
import { WriteTurns } from './key-lock.ts';

test('who takes the turn has it to himself, in the order of those who asked', async () => {
  const turns = new WriteTurns();
  const told: string[] = [];
  const end = await turns.take('a');
  const next = turns.take('a').then((endNext) => {
    told.push('next');
    endNext();
  });
  const other = await turns.take('b');
  expect([turns.held('a') !== undefined, turns.held('c')]).toEqual([true, undefined]);
  await Promise.resolve();
  expect(told).toEqual([]);
  end();
  await next;
  other();
  expect([told, turns.held('a'), turns.held('b')]).toEqual([['next'], undefined, undefined]);
});

test('a writer who is slower than all others is written before they are through', async () => {
  const validate = async ({ user }: { readonly user: { readonly name: string } }) => {
    if (user.name === 'slow') await sleep(5);
  };
  await using plots = new Plots({}, [{ name: 'Slow', handles: () => true, validate }]);
  await plots.patch('apply', plot('a', { spec: { rows: 0 } }), 'a');
  const codes = { quick: new Set<number>(), writes: 0 };
  let isWritten = false;
  const quick = async (writer: number) => {
    for (let round = 1; !isWritten && codes.writes < 10_000; round += 1) {
      const patch = { metadata: { labels: { [`w${writer}`]: `${round}` } } };
      codes.quick.add((await plots.patch('merge', patch, 'a')).code);
      codes.writes += 1;
      await nextTurn();
    }
  };
  const slow = async () => {
    const { code } = await plots.patch('merge', { spec: { rows: 7 } }, 'a', { user: 'slow' });
    isWritten = true;
    return code;
  };
  const [code] = await Promise.all([slow(), ...[1, 2, 3].map(quick)]);
  expect(code).toBe(200);
  expect([...codes.quick]).toEqual([200]);
  expect(codes.writes).toBeLessThan(10_000);
});
