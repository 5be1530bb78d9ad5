import type { MetricSource } from '../http/index.ts';
import type { Clock } from '../meta/index.ts';
import { type OpenedStore, openDriver, ownStore, type Store, type StorageOptions } from '../storage/index.ts';
import { answersInTime } from './check-reachable.ts';
import { StorageMetrics } from './storage-metrics.ts';

/** What every key begins with, as a kube-apiserver has it. */
const root = '/registry';

/** A store, and what a server needs to run on it. */
export interface OpenStorage extends OpenedStore {
  /** The health check: rejects with what ails the store, also where that does not answer in time. */
  readonly check: () => Promise<void>;
  /** What is counted about it. */
  readonly metrics: readonly MetricSource[];
}

interface StorageParts {
  readonly clock: Clock;
  /** Told of every interruption. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Opens the storage that a server runs on.
 *
 * @throws {StoreError} `refused` for what cannot be used, `unavailable` for a database that cannot be reached
 */
export async function openStorage(storage: StorageOptions, parts: StorageParts): Promise<OpenStorage> {
  const opened = await openDriver(storage, { root, onTrouble: parts.onTrouble });
  if (!opened.shared) return withCheck(opened);
  const metrics = new StorageMetrics(parts.clock);
  return { ...withCheck(opened), store: metrics.observe(opened.store), metrics: [metrics] };
}

/** A store that nobody else has. */
export const onlyOurs = (store: Store): OpenStorage => withCheck(ownStore(store));

function withCheck(opened: OpenedStore): OpenStorage {
  return { ...opened, check: () => answersInTime(opened.health()), metrics: [] };
}
