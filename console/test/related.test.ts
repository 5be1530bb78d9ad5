import { expect, test } from 'vitest';
import { layoutOf } from '../src/object/graph-layout.ts';
import { goingAlong, type OwnedObject, relatedAmong } from '../src/object/related.ts';

const ref = { group: 'example.com', version: 'v1', plural: 'parts' };
const reference = (uid: string) => ({ apiVersion: 'example.com/v1', kind: 'Part', name: uid, uid });
const part = (uid: string, ...owners: readonly string[]): OwnedObject => ({
  uid,
  kind: 'Part',
  ref,
  name: uid,
  namespace: 'n',
  owners: owners.map(reference),
});
const self = (...owners: readonly string[]) => ({
  kind: 'Part',
  metadata: { name: 'self', namespace: 'n', uid: 'self', ownerReferences: owners.map(reference) },
});
const levels = (owned: readonly OwnedObject[], object = self('up')) =>
  relatedAmong(object, owned, []).nodes.map(({ uid, level }) => `${level} ${uid}`);

test('owners of owners are to the left, dependents of dependents to the right', () => {
  expect(
    levels([part('up', 'top'), part('self', 'up'), part('a', 'self'), part('b', 'a'), part('x', 'y')]),
  ).toEqual(['-2 top', '-1 up', '0 self', '1 a', '2 b']);
});

test('circles end, and thousands are cut', () => {
  expect(levels([part('up', 'self'), part('self', 'up')])).toEqual(['0 self', '1 up']);
  const many = Array.from({ length: 5_000 }, (_, at) => part(`p${at}`, 'self'));
  const { nodes, edges, isCut } = relatedAmong(self(), many, []);
  expect([nodes.length, edges.length, isCut]).toEqual([200, 199, true]);
});

test('what has another owner stays', () => {
  const { nodes } = relatedAmong(
    self(),
    [part('a', 'self'), part('b', 'self', 'other'), part('c', 'a', 'b'), part('d', 'a', 'self')],
    [],
  );
  expect([...goingAlong(nodes)].sort()).toEqual(['a', 'd']);
});

test('boxes do not overlap, and lines go from box to box', () => {
  const { nodes, edges } = relatedAmong(
    self('up'),
    [part('a', 'self'), part('b', 'self'), part('c', 'b')],
    [],
  );
  const { columns, lines, width, height } = layoutOf(nodes, edges);
  expect(columns.map((column) => column.map(({ uid, x, y }) => [uid, x, y]))).toEqual([
    [['up', 0, 29]],
    [['self', 192, 29]],
    [
      ['a', 384, 0],
      ['b', 384, 58],
    ],
    [['c', 576, 29]],
  ]);
  expect([lines.length, width, height]).toEqual([4, 732, 104]);
  expect(lines[0]?.path).toBe('M348 52C366 52 366 23 384 23');
});
