import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type DatabaseConstructor, loadSqlite } from './binding.ts';
import { createPrivately } from './data-directory.ts';
import { refused, storeError } from './sqlite-error.ts';
import { syncPath } from './sync-path.ts';
import { checkWal, markComplete, walState } from './wal-mark.ts';

const databaseName = 'ilk.db';
const busyTimeoutMs = 5_000;

/**
 * Copies a consistent state of the database of a data directory into another directory. A server may be running on
 * it meanwhile: SQLite's readers see one state, and block no writer. The copy is compact, and synced when this
 * resolves; a failed copy is removed.
 *
 * @throws {StoreError} `refused` where there is no database, or the target has one already
 */
export async function snapshotDirectory(directory: string, target: string): Promise<void> {
  const path = join(directory, databaseName);
  const copy = join(target, databaseName);
  if (!existsSync(path)) throw refused(`${directory} is no data directory: it has no ${databaseName}`);
  if (existsSync(copy)) throw refused(`${target} has a database already`);
  checkWal(path, walState(path));
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const unfinished = `${copy}.unfinished`;
  rmSync(unfinished, { force: true });
  // SQLite fills an existing empty file, so that its permissions are restricted from the start.
  createPrivately(unfinished);
  try {
    const Database = await loadSqlite();
    withDatabase(Database, path, (database) => database.prepare('VACUUM INTO ?').run(unfinished));
    // A copy has no write-ahead log, and may have been made between two marks.
    withDatabase(Database, unfinished, markComplete);
    syncPath(unfinished);
    renameSync(unfinished, copy);
    syncPath(target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw storeError(error, `cannot copy ${path}`);
  }
}

function withDatabase(
  Database: DatabaseConstructor,
  path: string,
  use: (database: DatabaseSync) => void,
): void {
  const database: DatabaseSync = new Database(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    use(database);
  } finally {
    database.close();
  }
}
