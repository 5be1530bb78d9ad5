import { expect, test } from 'vitest';
import { orderElements } from './element-order.ts';

const order = (merged: string, { patch, original }: { patch: string; original: string }) =>
  orderElements([...merged], { patch: [...patch], original: [...original], mergeKey: undefined }).join('');

test.each([
  ['new items of the patch come first', 'abx', { patch: 'x', original: 'ab' }, 'xab'],
  ['an item of both keeps its place', 'abc', { patch: 'b', original: 'abc' }, 'abc'],
  ['a new item takes the place of the patch', 'abcx', { patch: 'bx', original: 'abc' }, 'abxc'],
  ['items of the patch follow its order', 'abc', { patch: 'cb', original: 'abc' }, 'acb'],
  ['nothing of the patch is left', 'ab', { patch: '', original: 'ab' }, 'ab'],
])('%s', (_, merged, lists, expected) => expect(order(merged, lists)).toBe(expected));
