import { expect, test } from 'vitest';
import { defaultFeatureGates, SchemaCache } from './index.ts';

test('compiles equal schemas once', () => {
  const cache = new SchemaCache({ gates: defaultFeatureGates() });
  const first = cache.get({ type: 'object', properties: { a: { type: 'string', maxLength: 1 } } });
  expect(cache.get({ type: 'object', properties: { a: { type: 'string', maxLength: 1 } } })).toBe(first);
  expect(cache.get({ type: 'object', properties: { a: { type: 'string', maxLength: 2 } } })).not.toBe(first);
});

test('distinguishes numbers that JSON.stringify prints alike', () => {
  const cache = new SchemaCache({ gates: defaultFeatureGates() });
  const compiled = [0, -0, 2n ** 60n, 2n ** 60n + 1n, null].map((value) =>
    cache.get({ type: 'object', properties: { a: { type: 'integer', default: value } } }),
  );
  expect(new Set(compiled).size).toBe(5);
});
