import { existsSync, renameSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { DatabaseConstructor } from './binding.ts';
import { createPrivately } from './data-directory.ts';
import { createTables, isEmptyDatabase, raiseRevision } from './schema.ts';
import { damaged, primaryCode, refused, sqliteCode, storeError } from './sqlite-error.ts';
import { checkpoint, checkWal, walState } from './wal-mark.ts';

/** How long a write waits for a lock of another process, such as `sqlite3`; it blocks the server. */
const busyTimeoutMs = 1_000;
/** What the write-ahead log is cut back to after a burst. */
const keptWalBytes = 64 * 1024 * 1024;

/** What {@link openDatabase} needs beside the path. */
interface DatabaseOptions {
  readonly Database: DatabaseConstructor;
  /** The most that the file may grow to. */
  readonly maxBytes: number | undefined;
  /** Open the database even if its write-ahead log is missing, without the transactions in it. */
  readonly acceptMissingWal?: boolean | undefined;
}

/**
 * Opens a database of Ilk, with its tables, in the mode where a commit is on the disk when it returns.
 *
 * @throws {StoreError} as `openSqliteStore` does.
 */
export function openDatabase(path: string, options: DatabaseOptions): DatabaseSync {
  try {
    return open(path, options);
  } catch (error) {
    throw openError(error, path);
  }
}

function open(path: string, options: DatabaseOptions): DatabaseSync {
  const { Database, maxBytes, acceptMissingWal = false } = options;
  const wal = walState(path);
  if (!acceptMissingWal) checkWal(path, wal);
  if (wal === 'foreign') putAside(`${path}-wal`);
  createPrivately(path);
  const database = new Database(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    const isEmpty = isEmptyDatabase(database, path);
    prepareJournal(database, path);
    if (isEmpty) createTables(database);
    if (wal !== 'fine') raiseRevision(database);
    limitSize(database, maxBytes);
    checkpoint(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** FULL makes each commit wait for the disk; in WAL mode the default of some builds, NORMAL, does not. */
function prepareJournal(database: DatabaseSync, path: string): void {
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
  if (mode !== 'wal') throw refused(`${path} is on a file system where SQLite cannot keep a write-ahead log`);
  // Checkpoints are ours: SQLite's own would not mark what the log still has.
  const settings = ['synchronous = FULL', 'wal_autocheckpoint = 0', `journal_size_limit = ${keptWalBytes}`];
  for (const setting of settings) database.exec(`PRAGMA ${setting}`);
}

function limitSize(database: DatabaseSync, maxBytes: number | undefined): void {
  if (maxBytes === undefined) return;
  const pageBytes = Number(database.prepare('PRAGMA page_size').get()?.['page_size'] ?? 0);
  database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pageBytes))}`);
}

const unusable: readonly number[] = [sqliteCode.readOnly, sqliteCode.cannotOpen, sqliteCode.notADatabase];

/** What a failure to open a database means. */
export function openError(error: unknown, path: string): Error {
  const code = primaryCode(error);
  if (code === sqliteCode.notADatabase) return refused(`${path} is not a database of Ilk`, error);
  if (unusable.includes(code)) return refused(`${path} cannot be opened: ${String(error)}`, error);
  const known = storeError(error, `cannot open ${path}`);
  return known.code === 'damaged' ? damaged(path, known) : known;
}

/** Keeps a log that belongs to another database, out of SQLite's way. */
function putAside(walPath: string): void {
  let number = 1;
  while (existsSync(`${walPath}.${number}`)) number += 1;
  renameSync(walPath, `${walPath}.${number}`);
}
