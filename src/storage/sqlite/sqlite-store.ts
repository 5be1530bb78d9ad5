import type { DatabaseSync } from 'node:sqlite';
import { LogStore } from '../log-store.ts';
import type { Store } from '../store.ts';
import { loadSqlite } from './binding.ts';
import { claimDirectory } from './data-directory.ts';
import { openDatabase } from './open-database.ts';
import { SqliteLog } from './sqlite-log.ts';

export interface SqliteStoreOptions {
  /** Where the database lives, `ilk.db`; made where it is missing. One process at a time may have it. */
  readonly dataDir: string;
  /** The most that the database file may grow to; writes beyond it fail with `no-space`. The disk's end by default. */
  readonly maxBytes?: number;
}

/**
 * Opens the embedded store: every acknowledged write is on the disk.
 *
 * @throws {StoreError} `refused` where another process has the directory, a newer Ilk has written it, it is not a
 *   database of Ilk or cannot be written; `no-space` and `unavailable` where SQLite says so.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const Database = await loadSqlite();
  const directory = claimDirectory(options.dataDir, Database);
  try {
    const database = openDatabase(directory.databasePath, { Database, maxBytes: options.maxBytes });
    const log = makeLog(database, directory.release);
    return new LogStore(log, { groupCommits: true });
  } catch (error) {
    directory.release();
    throw error;
  }
}

function makeLog(database: DatabaseSync, release: () => void): SqliteLog {
  try {
    return new SqliteLog(database, release);
  } catch (error) {
    database.close();
    throw error;
  }
}
