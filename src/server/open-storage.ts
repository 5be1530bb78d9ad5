import {
  compactPeriodically,
  createMemoryStore,
  openEtcdStore,
  openSqliteStore,
  type Store,
} from '../storage/index.ts';
import type { EtcdStorageOptions, StorageOptions } from './options.ts';

export interface CompactionOptions {
  /** Calls back at the interval until what it gives is called. */
  readonly repeat: (call: () => void) => () => void;
  readonly onTrouble: (error: unknown) => void;
}

/** A store, and what it takes to run on it. */
export interface OpenStorage {
  readonly store: Store;
  /** True where other servers may have the same objects. */
  readonly shared: boolean;
  /** Forgets the past at an interval; returns what ends that. */
  readonly startCompaction: (options: CompactionOptions) => () => void;
}

/**
 * Opens the storage that a server runs on.
 *
 * @throws {StoreError} `refused` for what cannot be used, `unavailable` for an etcd that cannot be reached
 */
export async function openStorage(
  storage: StorageOptions,
  onTrouble: (error: unknown) => void,
): Promise<OpenStorage> {
  switch (storage.kind) {
    case 'memory':
      return onlyOurs(createMemoryStore());
    case 'sqlite':
      return onlyOurs(await openSqliteStore({ dataDir: storage.dataDir }));
    case 'etcd':
      return openEtcd(storage, onTrouble);
  }
}

/** A store that nobody else has. */
export function onlyOurs(store: Store): OpenStorage {
  return {
    store,
    shared: false,
    startCompaction: (options) => compactPeriodically(store, options),
  };
}

/** What the rooms above call `/registry` is the prefix there. */
const root = '/registry';

async function openEtcd(
  { endpoints, prefix = root, tls, user }: EtcdStorageOptions,
  onTrouble: (error: unknown) => void,
): Promise<OpenStorage> {
  const store = await openEtcdStore({
    endpoints,
    root,
    prefix: joined(prefix),
    ...(tls && { tls }),
    ...(user && { user }),
    onTrouble,
  });
  const startCompaction = ({ repeat, onTrouble: onFailure }: CompactionOptions) => {
    const compaction = store.compaction();
    return repeat(() => void compaction.takeTurn().catch(onFailure));
  };
  return { store, shared: true, startCompaction };
}

/** One slash in front and none behind, as upstream reads a prefix. `tenants/a/` -> `/tenants/a` */
function joined(prefix: string): string {
  const steps = prefix.split('/').filter((step) => step !== '');
  return steps.map((step) => `/${step}`).join('');
}
