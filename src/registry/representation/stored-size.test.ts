import { expect, test } from 'vitest';
import { type JsonValue, limits } from '../../meta/index.ts';
import { encodeJson } from '../../codec/index.ts';
import { refuseSurelyTooLarge, refuseTooLarge } from './stored-size.ts';

const max = limits.storedObjectBytesMax;
const tooLarge = 'etcdserver: request is too large';

test('an object is refused beyond the limit, unless it takes the place of a larger one', () => {
  expect(() => refuseTooLarge(max)).not.toThrow();
  expect(() => refuseTooLarge(max + 1)).toThrow(tooLarge);
  expect(() => refuseTooLarge(max + 1, max + 2)).not.toThrow();
  expect(() => refuseTooLarge(max + 3, max + 2)).toThrow(tooLarge);
});

const texts = (length: number) => ({ a: { b: ['x'.repeat(length)] } });
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, '']));

test.each<[string, JsonValue, boolean]>([
  ['a text', texts(max), true],
  ['a shorter text', texts(max - 100), false],
  ['many keys', keys(150_000), true],
  ['fewer keys', keys(90_000), false],
  ['many items', Array.from({ length: max }, () => 1), true],
])('%s', (_, value, refused) => {
  const refuse = () => refuseSurelyTooLarge(value);
  if (refused) expect(refuse).toThrow(tooLarge);
  else expect(refuse).not.toThrow();
  if (refused) expect(encodeJson(value).length).toBeGreaterThan(max);
});
