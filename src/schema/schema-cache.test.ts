import { expect, test } from 'vitest';
import { defaultFeatureGates, SchemaCache } from './index.ts';

test('equal schemas are compiled once, whatever the order of their keywords', () => {
  const cache = new SchemaCache({ gates: defaultFeatureGates() });
  const first = cache.get({ type: 'object', properties: { a: { type: 'string', maxLength: 1 } } });
  expect(cache.get({ properties: { a: { maxLength: 1, type: 'string' } }, type: 'object' })).toBe(first);
  expect(cache.get({ type: 'object', properties: { a: { type: 'string', maxLength: 2 } } })).not.toBe(first);
});
