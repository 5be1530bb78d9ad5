import { join } from 'node:path';
import type { MetricSource } from '../http/index.ts';
import type { Clock } from '../meta/index.ts';
import {
  compactPeriodically,
  createMemoryStore,
  openEtcdStore,
  openSqliteStore,
  type Store,
  type StoreError,
} from '../storage/index.ts';
import { answersInTime } from './check-reachable.ts';
import type { EtcdStorageOptions, SqliteStorageOptions, StorageOptions } from './options.ts';
import { StorageMetrics } from './storage-metrics.ts';

export interface CompactionOptions {
  /** Calls back at the interval until what it gives is called. */
  readonly repeat: (call: () => void) => () => void;
  readonly onTrouble: (error: unknown) => void;
}

/** A store, and what it takes to run on it. */
export interface OpenStorage {
  readonly store: Store;
  /** What the health check about it is called. */
  readonly name: string;
  /** Where the objects are, for errors; empty where that is no place. */
  readonly place: string;
  /** The health check: rejects with what ails the store. */
  readonly check: () => Promise<void>;
  /** Resolves when the store cannot work again until somebody restores it. */
  readonly damaged: Promise<StoreError>;
  /** What is counted about it. */
  readonly metrics: readonly MetricSource[];
  /** True where other servers may have the same objects. */
  readonly shared: boolean;
  /** Forgets the past at an interval; returns what ends that. */
  readonly startCompaction: (options: CompactionOptions) => () => void;
}

export interface StorageParts {
  readonly clock: Clock;
  /** Told of every interruption. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Opens the storage that a server runs on.
 *
 * @throws {StoreError} `refused` for what cannot be used, `unavailable` for an etcd that cannot be reached
 */
export async function openStorage(storage: StorageOptions, parts: StorageParts): Promise<OpenStorage> {
  switch (storage.kind) {
    case 'memory':
      return onlyOurs(createMemoryStore());
    case 'sqlite':
      return openSqlite(storage);
    case 'etcd':
      return openEtcd(storage, parts);
  }
}

/** A store that nobody else has. */
export function onlyOurs(store: Store): OpenStorage {
  return {
    store,
    name: 'storage',
    place: '',
    check: () => answersInTime(store.revision()),
    damaged: never(),
    metrics: [],
    shared: false,
    startCompaction: (options) => compactPeriodically(store, options),
  };
}

/** For stores that do not find out that they are damaged. One for each, as it keeps whoever waits for it. */
const never = (): Promise<StoreError> => new Promise(() => {});

async function openSqlite({ dataDir, acceptMissingWal }: SqliteStorageOptions): Promise<OpenStorage> {
  const { promise: damaged, resolve: onDamage } = withResolvers<StoreError>();
  const store = await openSqliteStore({ dataDir, acceptMissingWal, onDamage });
  const place = join(dataDir, 'ilk.db');
  return { ...onlyOurs(store), place, check: () => answersInTime(store.health()), damaged };
}

/** A promise, and what settles it. */
function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: settle };
}

/** What the layers above call `/registry` is the prefix there. */
const root = '/registry';

async function openEtcd(
  { endpoints, prefix = root, tls, user }: EtcdStorageOptions,
  { clock, onTrouble }: StorageParts,
): Promise<OpenStorage> {
  const store = await openEtcdStore({
    endpoints,
    root,
    prefix,
    ...(tls && { tls }),
    ...(user && { user }),
    onTrouble,
  });
  const startCompaction = ({ repeat, onTrouble: onFailure }: CompactionOptions) => {
    const compaction = store.compaction();
    return repeat(() => void compaction.takeTurn().catch(onFailure));
  };
  const metrics = new StorageMetrics(clock);
  return {
    store: metrics.observe(store),
    name: 'etcd',
    place: endpoints.join(', '),
    check: () => answersInTime(store.health()),
    damaged: never(),
    metrics: [metrics],
    shared: true,
    startCompaction,
  };
}
