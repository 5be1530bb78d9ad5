import { expect, test } from 'vitest';
import { AdmissionChain, type AdmissionPlugin } from '../admission/index.ts';
import { systemClock } from '../meta/index.ts';
import { createMemoryStore } from '../storage/index.ts';
import type { CatalogSource, Found } from './catalog/catalog-source.ts';
import { Registry } from './registry.ts';
import { GateCounts } from './write/gate-counts.ts';

/** The verbs whose writes of services may start from cached state if a plugin handles them. */
function cachedVerbs(plugin: AdmissionPlugin): string[] {
  const found = {} as Found; // Only its presence matters.
  const catalogs = { cached: () => found } as Partial<CatalogSource> as CatalogSource;
  const store = createMemoryStore();
  const parts = { store, clock: systemClock, random: () => Buffer.alloc(16), gateCounts: new GateCounts() };
  const registry = new Registry({ ...parts, admission: new AdmissionChain([plugin]) }, catalogs);
  const name = { group: '', version: 'v1', resource: 'services' };
  const verbs = ['create', 'update', 'patch', 'delete'] as const;
  return verbs.filter(
    (verb) => registry.findCached({ verb, name, namespace: 'a', subresource: '' }) !== undefined,
  );
}

test('no write starts from cached state, and is then tried twice, while a plugin is asked that may have side effects', () => {
  const plugin = (more: Partial<AdmissionPlugin>) => ({ name: 'Quota', handles: () => true, ...more });
  expect(cachedVerbs(plugin({}))).toEqual([]);
  expect(cachedVerbs(plugin({ handles: ({ operation }) => operation === 'CREATE' }))).toEqual(['delete']);
  expect(cachedVerbs(plugin({ handles: ({ operation }) => operation === 'UPDATE' }))).toEqual([
    'create',
    'delete',
  ]);
  expect(cachedVerbs(plugin({ isRepeatable: true }))).toEqual(['create', 'update', 'patch', 'delete']);
});
