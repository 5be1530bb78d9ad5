// The seam
export * from './store.ts';

export { type CompactionOptions, compactPeriodically } from './compaction.ts';
export { mapWatch } from './map-watch.ts';
export { transformedStore, type ValueTransform } from './transformed-store.ts';
export { type CopyOptions, type CopyProgress, type CopyResult, copyStore } from './copy-store.ts';

// Backups
export type { BackupEnd, BackupFile, BackupHead } from './backup/format.ts';
export { readBackup } from './backup/read-backup.ts';
export { type BackupSource, writeBackup } from './backup/write-backup.ts';

// Drivers
export {
  type DriverFlag,
  type FlagValues,
  neverDamaged,
  type OpenedStore,
  type StorageDriver,
  type StoreView,
} from './driver.ts';
export { driverOf, drivers, openDriver, type StorageOptions } from './drivers.ts';
export { openEtcdStore } from './etcd/open-etcd-store.ts';
export type { EtcdOptions, EtcdStorageOptions, EtcdTiming, EtcdTls, EtcdUser } from './etcd/options.ts';
export { ownStore } from './memory/driver.ts';
export { copyToMemory, createMemoryStore, type ForkableStore, isForkable } from './memory/memory-store.ts';
export { openPostgresStore } from './postgres/open-postgres-store.ts';
export type { PostgresOptions, PostgresStorageOptions, PostgresTls } from './postgres/options.ts';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts';
export { type RestoredDirectory, restoreDirectory } from './sqlite/restore-directory.ts';
export { snapshotDirectory } from './sqlite/snapshot-directory.ts';

// Threads
export { openSharedStore, type SharedStore } from './thread/shared-store.ts';
export { type SharedStoreOwner, shareStore, type StoreShare } from './thread/share-store.ts';
