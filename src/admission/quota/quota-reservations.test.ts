import { expect, test } from 'vitest';
import { conflictError, type KubeObject } from '../../meta/index.ts';
import { writeOf } from '../attributes.test-support.ts';
import { countObjects } from './count-objects.ts';
import { QuotaReservations } from './quota-reservations.ts';

const counter = countObjects({ group: 'example.com', resource: 'widgets' });
const name = 'count/widgets.example.com';

/** A namespace with one quota; the first status writes lose against another writer, who adds one each time. */
function namespaceWith(hard: number, losses = 0) {
  let used = 0;
  const writes: number[] = [];
  const access = {
    list: async (): Promise<readonly KubeObject[]> => [
      { metadata: { name: 'q' }, status: { hard: { [name]: `${hard}` }, used: { [name]: `${used}` } } },
    ],
    updateStatus: async (quota: KubeObject) => {
      const status = quota['status'] as { used: Record<string, string> };
      if (writes.push(Number(status.used[name])) <= losses) {
        used += 1;
        throw conflictError({ group: '', resource: 'resourcequotas' }, 'q', 'changed');
      }
      used = Number(status.used[name]);
    },
  };
  return { reservations: new QuotaReservations(access), writes, used: () => used };
}

const outcomes = async (calls: Promise<void>[]) =>
  (await Promise.allSettled(calls)).map(({ status }) => (status === 'fulfilled' ? 'granted' : 'refused'));

test('writes at the same time get what there is, and share a write of the status', async () => {
  const { reservations, writes, used } = namespaceWith(3);
  const calls = Array.from({ length: 5 }, () => reservations.reserve(writeOf().attributes, counter));
  expect(await outcomes(calls)).toEqual(['granted', 'granted', 'granted', 'refused', 'refused']);
  expect(writes).toEqual([1, 3]);
  expect(used()).toBe(3);
});

test('a dry run is checked, and takes nothing', async () => {
  const { reservations, writes } = namespaceWith(1);
  const dry = () => reservations.reserve(writeOf({ dryRun: true }).attributes, counter);
  expect(await outcomes([dry(), dry()])).toEqual(['granted', 'granted']);
  expect(writes).toEqual([]);
  const full = namespaceWith(0).reservations;
  expect(await outcomes([full.reserve(writeOf({ dryRun: true }).attributes, counter)])).toEqual(['refused']);
});

test('a status with a conflict is read and checked again', async () => {
  const { reservations, writes, used } = namespaceWith(5, 2);
  await reservations.reserve(writeOf().attributes, counter);
  expect(writes).toEqual([1, 2, 3]);
  expect(used()).toBe(3);
});

test('what is taken meanwhile is not there any more', async () => {
  const { reservations } = namespaceWith(1, 1);
  await expect(reservations.reserve(writeOf().attributes, counter)).rejects.toThrow('exceeded quota: q');
});

test('after four losses the write is refused with the conflict', async () => {
  const { reservations, writes } = namespaceWith(99, 9);
  await expect(reservations.reserve(writeOf().attributes, counter)).rejects.toMatchObject({ code: 409 });
  expect(writes).toHaveLength(4);
});
