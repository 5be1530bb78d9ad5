import { compactPeriodically } from '../compaction.ts';
import { neverDamaged, type OpenedStore, type StorageDriver } from '../driver.ts';
import type { Store } from '../store.ts';
import { createMemoryStore } from './memory-store.ts';
import type { MemoryStorageOptions } from './options.ts';

export const memoryDriver: StorageDriver<MemoryStorageOptions> = {
  kind: 'memory',
  addressFlag: undefined,
  flags: [],
  migrate: undefined,
  fromFlags: async () => ({ kind: 'memory' }),
  open: async () => ownStore(createMemoryStore()),
};

/** A store that no other server has. */
export function ownStore(store: Store): OpenedStore {
  return {
    store,
    name: 'storage',
    place: '',
    health: () => store.revision(),
    damaged: neverDamaged(),
    shared: false,
    startCompaction: (options) => compactPeriodically(store, options),
  };
}
