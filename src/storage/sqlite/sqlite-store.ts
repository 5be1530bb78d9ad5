import type { DatabaseSync } from 'node:sqlite';
import { LogStore } from '../log-store.ts';
import type { StoreError } from '../store.ts';
import { loadSqlite } from './binding.ts';
import { claimDirectory } from './data-directory.ts';
import { openDatabase, openError } from './open-database.ts';
import { SqliteLog, type SqliteLogOptions } from './sqlite-log.ts';

export interface SqliteStoreOptions {
  /** Where the database lives, `ilk.db`; made where it is missing. One process at a time may have it. */
  readonly dataDir: string;
  /** The most that the database file may grow to; writes beyond it fail with `no-space`. The disk's end by default. */
  readonly maxBytes?: number;
  /**
   * Opens a database whose write-ahead log is missing, without its content; refused by default. Revisions continue
   * above all that were ever used.
   */
  readonly acceptMissingWal?: boolean | undefined;
  /** Told once, when the database turns out to be damaged. */
  readonly onDamage?: (error: StoreError) => void;
}

/**
 * Opens the embedded store: every acknowledged write is on the disk.
 *
 * @throws {StoreError} `refused` where another process has the directory, a newer Ilk has written it, it is not a
 *   database of Ilk, lacks its write-ahead log or cannot be written; `damaged`, `no-space` and `unavailable` where
 *   SQLite says so.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<LogStore> {
  const Database = await loadSqlite();
  const directory = claimDirectory(options.dataDir, Database);
  try {
    const { maxBytes, acceptMissingWal, onDamage } = options;
    const path = directory.databasePath;
    const database = openDatabase(path, { Database, maxBytes, acceptMissingWal });
    const log = makeLog(database, { path, onClose: directory.release, onDamage });
    return new LogStore(log, { groupCommits: true });
  } catch (error) {
    directory.release();
    throw error;
  }
}

function makeLog(database: DatabaseSync, options: SqliteLogOptions): SqliteLog {
  try {
    return new SqliteLog(database, options);
  } catch (error) {
    database.close();
    throw openError(error, options.path);
  }
}
