import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { DatabaseConstructor } from './binding.ts';
import { primaryCode, refused, sqliteCode } from './sqlite-error.ts';

/** The files of a data directory; SQLite puts `ilk.db-wal` and `ilk.db-shm` beside them. */
interface DataDirectory {
  readonly databasePath: string;
  /** Lets another process have the directory. */
  release(): void;
}

/**
 * Takes a directory for this process, making it where it is missing.
 *
 * The claim is an open exclusive transaction on a second, empty SQLite file: the operating system ends it with the
 * process, however that dies, so no stale lock can stay. The database itself is not locked, and `sqlite3` may look into
 * it while the server runs.
 *
 * @throws {StoreError} `refused`, with a sentence that names the directory.
 */
export function claimDirectory(directory: string, Database: DatabaseConstructor): DataDirectory {
  const databasePath = join(directory, 'ilk.db');
  const lockPath = join(directory, 'ilk.lock');
  try {
    makeDirectory(directory);
    checkWritable([directory, databasePath, lockPath]);
  } catch (error) {
    throw refused(`the data directory ${directory} cannot be written: ${String(error)}`, error);
  }
  const lock = claim(directory, lockPath, Database);
  return { databasePath, release: () => lock.close() };
}

/** Makes a directory and those above it. (Node's own `recursive` never returns below /proc, where nothing can be made.) */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** SQLite opens a file that it may not write for reading, and then takes no lock; so this is asked first. */
function checkWritable(paths: readonly string[]): void {
  for (const path of paths) if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
}

function claim(directory: string, path: string, Database: DatabaseConstructor): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    createPrivately(path);
    // Earlier versions made it readable for everybody.
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    lock = new Database(path);
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if (primaryCode(error) === sqliteCode.busy) {
      throw refused(`the data directory ${directory} is in use by another Ilk`, error);
    }
    throw refused(`the data directory ${directory} cannot be locked by ${path}: ${String(error)}`, error);
  }
}

/** Creates an empty file that only its owner may read: it will hold the users' objects, secrets included. */
export function createPrivately(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}
