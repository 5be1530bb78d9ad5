import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { StoreView } from '../driver.ts';
import type { StoredRecord } from '../store.ts';
import { loadSqlite } from './binding.ts';
import { integer, recordOf } from './row.ts';
import { isEmptyDatabase } from './schema.ts';
import { refused, storeError } from './sqlite-error.ts';
import { prepareStatements } from './statements.ts';
import { checkWal, walState } from './wal-mark.ts';

const busyTimeoutMs = 5_000;

/**
 * Opens a data directory for reading, also while a server uses it: SQLite's readers see a snapshot and do not block
 * writers.
 *
 * @throws {StoreError} `refused` where there is no database of Ilk, or it is of a newer one
 */
export async function readDirectory(directory: string): Promise<StoreView> {
  const path = join(directory, 'ilk.db');
  if (!existsSync(path)) throw refused(`${directory} is no data directory: it has no ilk.db`);
  checkWal(path, walState(path));
  const Database = await loadSqlite();
  const database: DatabaseSync = new Database(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    if (isEmptyDatabase(database, path)) throw refused(`${path} is not a database of Ilk`);
    // The read transaction begins with the first read.
    database.exec('BEGIN');
    const revision = integer(prepareStatements(database).head.get(), 'revision');
    return { revision, records: recordsIn(database), close: async () => database.close() };
  } catch (error) {
    database.close();
    throw storeError(error, `cannot read ${path}`);
  }
}

function* recordsIn(database: DatabaseSync): Generator<StoredRecord> {
  const statement = database.prepare(
    'SELECT latest.key, latest.revision, value FROM latest JOIN log ON log.revision = latest.revision ORDER BY latest.key',
  );
  // The binding for Node 20 frees a statement that is unreachable, even while its rows are read.
  const reachable = new Set([statement]);
  try {
    for (const row of statement.iterate()) yield recordOf(row);
  } finally {
    reachable.delete(statement);
  }
}
