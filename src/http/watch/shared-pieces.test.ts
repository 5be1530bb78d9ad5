import { expect, test } from 'vitest';
import { SharedPieces } from './shared-pieces.ts';

const frame = (text: string) => Buffer.from(text);

test('joins frames once for all watchers that get the same ones', () => {
  const pieces = new SharedPieces();
  const [one, two] = [frame('one\n'), frame('two\n')];
  const joined = pieces.join([one, two]);
  expect(joined.toString()).toBe('one\ntwo\n');
  expect(pieces.join([one, two])).toBe(joined);
});

test('a single frame is its own chunk', () => {
  const one = frame('one\n');
  expect(new SharedPieces().join([one])).toBe(one);
});

test('different frames, more frames or another order give another chunk', () => {
  const pieces = new SharedPieces();
  const [one, two] = [frame('one\n'), frame('two\n')];
  const joined = pieces.join([one, two]);
  expect(pieces.join([two, one]).toString()).toBe('two\none\n');
  expect(pieces.join([one, two, one]).toString()).toBe('one\ntwo\none\n');
  expect(pieces.join([one, frame('two\n')])).not.toBe(joined);
  expect(pieces.join([]).length).toBe(0);
});

test('caches only the latest chunks', () => {
  const pieces = new SharedPieces();
  const frames = Array.from({ length: 6 }, (_, index) => frame(`${index}`));
  const first = pieces.join([frames[0] ?? frame(''), frame('-')]);
  const pairs = frames.slice(1).map((one) => [one, one]);
  for (const pair of pairs) pieces.join(pair);
  expect(pieces.join([frames[0] ?? frame(''), frame('-')])).not.toBe(first);
  const last = pairs.at(-1) ?? [];
  expect(pieces.join(last)).toBe(pieces.join(last));
});
