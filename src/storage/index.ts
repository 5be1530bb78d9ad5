// The seam
export * from './store.ts';

export { compactPeriodically } from './compaction.ts';

// Drivers
export { copyToMemory, createMemoryStore, type ForkableStore, isForkable } from './memory/memory-store.ts';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts';
export { snapshotDirectory } from './sqlite/snapshot-directory.ts';
