import { storeSuite } from '../suite.ts';
import { createMemoryStore } from '../memory/memory-store.ts';
import { openSharedStore } from './shared-store.ts';
import { shareStore } from './share-store.ts';

storeSuite({
  name: 'shared memory',
  open: async () => openSharedStore(shareStore(createMemoryStore()).share()),
});
