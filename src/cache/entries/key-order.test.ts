import { expect, test } from 'vitest';
import { orderedKey } from './key-order.ts';

test('ordered keys compare as the UTF-8 bytes of the keys do', () => {
  const pieces = ['a', 'z', '~', '\u007f', '\u00e9', '\ud7ff', '\ue000', '\ufffd', '\u{10000}', '\u{1f600}'];
  const keys = pieces.flatMap((first) => [first, ...pieces.map((second) => first + second)]);
  const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const byOrder = (a: string, b: string) => (orderedKey(a) < orderedKey(b) ? -1 : 1);
  expect([...keys].sort(byOrder)).toEqual([...keys].sort(byBytes));
  // Plain JavaScript order is not sufficient.
  expect([...keys].sort()).not.toEqual([...keys].sort(byBytes));
});

test('an ASCII key stays the same string', () => {
  expect(orderedKey('/registry/example.com/widgets/a/1')).toBe('/registry/example.com/widgets/a/1');
});
