// The seam
export * from './store.ts';

export { compactPeriodically } from './compaction.ts';
export { type CopyOptions, type CopyProgress, type CopyResult, copyStore } from './copy-store.ts';

// Drivers
export { openEtcdStore } from './etcd/open-etcd-store.ts';
export type { EtcdOptions, EtcdTiming, EtcdTls, EtcdUser } from './etcd/options.ts';
export { copyToMemory, createMemoryStore, type ForkableStore, isForkable } from './memory/memory-store.ts';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts';
export { snapshotDirectory } from './sqlite/snapshot-directory.ts';
