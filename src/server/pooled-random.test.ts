import { expect, test } from 'vitest';
import { pooledRandom } from './pooled-random.ts';

test('random bytes are of their own, as many as asked for, and never the same', () => {
  const random = pooledRandom();
  const drawn = Array.from({ length: 1_000 }, () => random(16));
  expect(new Set(drawn.map((bytes) => Buffer.from(bytes).toString('hex'))).size).toBe(1_000);
  expect(drawn.every(({ length, buffer }) => length === 16 && buffer.byteLength === 16)).toBe(true);
  expect([0, 4_096, 4_097].map((count) => random(count).length)).toEqual([0, 4_096, 4_097]);
});
