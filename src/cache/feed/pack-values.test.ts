import { expect, test } from 'vitest';
import { packValues } from './pack-values.ts';

const record = (key: string, length: number) => ({
  key,
  modRevision: 7,
  value: new Uint8Array(length).fill(length % 251),
});

test('values are the same bytes, in few buffers', () => {
  const records = Array.from({ length: 200 }, (_, index) => record(`k${index}`, 1 + index * 5));
  const packed = packValues(records);
  expect(packed).toEqual(records);
  expect(new Set(packed.map(({ value }) => value.buffer)).size).toBe(1);
});

test('large values stay where they are', () => {
  const large = record('large', 100_000);
  expect(packValues([large])[0]).toBe(large);
});
