import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { widget, Widgets } from '../verbs/widgets.test-support.ts';
import { KeyLock } from './key-lock.ts';

test('who takes the turn has it to himself, in the order of those who asked', async () => {
  const turns = new KeyLock();
  const told: string[] = [];
  const end = await turns.acquire('a');
  const next = turns.acquire('a').then((endNext) => {
    told.push('next');
    endNext();
  });
  const other = await turns.acquire('b');
  expect([turns.whenFree('a') !== undefined, turns.whenFree('c')]).toEqual([true, undefined]);
  await Promise.resolve();
  expect(told).toEqual([]);
  end();
  await next;
  other();
  expect([told, turns.whenFree('a'), turns.whenFree('b')]).toEqual([['next'], undefined, undefined]);
});

test('a writer who is slower than all others is written before they are through', async () => {
  const validate = async ({ user }: { readonly user: { readonly name: string } }) => {
    if (user.name === 'slow') await sleep(5);
  };
  await using widgets = new Widgets({}, [{ name: 'Slow', handles: () => true, validate }]);
  await widgets.patch('apply', widget('a', { spec: { rows: 0 } }), 'a');
  const codes = { quick: new Set<number>(), writes: 0 };
  let isWritten = false;
  const quick = async (writer: number) => {
    for (let round = 1; !isWritten && codes.writes < 10_000; round += 1) {
      const patch = { metadata: { labels: { [`w${writer}`]: `${round}` } } };
      codes.quick.add((await widgets.patch('merge', patch, 'a')).code);
      codes.writes += 1;
      await nextTurn();
    }
  };
  const slow = async () => {
    const { code } = await widgets.patch('merge', { spec: { rows: 7 } }, 'a', { user: 'slow' });
    isWritten = true;
    return code;
  };
  const [code] = await Promise.all([slow(), ...[1, 2, 3].map(quick)]);
  expect(code).toBe(200);
  expect([...codes.quick]).toEqual([200]);
  expect(codes.writes).toBeLessThan(10_000);
});
