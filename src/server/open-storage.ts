import type { MetricSource } from '../http/index.ts';
import type { Clock } from '../meta/index.ts';
import { type OpenedStore, openDriver, ownStore, type Store, type StorageOptions } from '../storage/index.ts';
import { answersInTime } from './check-reachable.ts';
import { StorageMetrics } from './storage-metrics.ts';

/** The prefix of all keys, as in kube-apiserver. */
const root = '/registry';

/** A store, and what a server needs to operate it. */
export interface OpenStorage extends OpenedStore {
  /** The health check: rejects with the error of the store, or on a timeout. */
  readonly check: () => Promise<void>;
  /** The metrics of the store. */
  readonly metrics: readonly MetricSource[];
  /** True if other servers, or other threads of this one, write the same objects. */
  readonly hasOtherWriters: boolean;
}

interface StorageParts {
  readonly clock: Clock;
  /** Called with every interruption. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Opens the storage of a server.
 *
 * @throws {StoreError} `refused` for a storage that cannot be used, `unavailable` for a database that cannot be
 * reached
 */
export async function openStorage(storage: StorageOptions, parts: StorageParts): Promise<OpenStorage> {
  const opened = await openDriver(storage, { root, onTrouble: parts.onTrouble });
  if (!opened.shared) return withCheck(opened);
  const metrics = new StorageMetrics(parts.clock);
  return { ...withCheck(opened), store: metrics.observe(opened.store), metrics: [metrics] };
}

/** A store that no other process has. */
export const onlyOurs = (store: Store, known: Partial<OpenedStore> = {}): OpenStorage =>
  withCheck({ ...ownStore(store), ...known });

function withCheck(opened: OpenedStore): OpenStorage {
  const check = () => answersInTime(opened.health());
  return { ...opened, check, metrics: [], hasOtherWriters: opened.shared };
}
