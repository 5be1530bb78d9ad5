import { existsSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Revision, StoredRecord } from '../store.ts';
import { loadSqlite } from './binding.ts';
import { claimDirectory, createPrivately } from './data-directory.ts';
import { createTables } from './schema.ts';
import { refused, storeError } from './sqlite-error.ts';
import { syncPath } from './sync-path.ts';

const batchRecords = 1_000;

/** A data directory that is being filled. Servers cannot open it before {@link finish}. */
export interface RestoredDirectory {
  add(record: StoredRecord): void;
  /**
   * Puts the database in its place, on the disk.
   *
   * @param revision the next resourceVersion; revisions before it count as compacted, so that a watch from a revision that
   *   the backup does not have must list again
   */
  finish(revision: Revision): void;
  /** Releases the directory; without {@link finish} before, the incomplete database is removed. */
  close(): void;
}

/**
 * Makes the database of a data directory from records, each with the revision that it had.
 *
 * @throws {StoreError} `refused` where the directory has a database already, is in use or cannot be written
 */
export async function restoreDirectory(directory: string): Promise<RestoredDirectory> {
  const Database = await loadSqlite();
  const { databasePath, release } = claimDirectory(directory, Database);
  try {
    if (existsSync(databasePath)) throw refused(`${directory} has a database already`);
    const unfinished = `${databasePath}.unfinished`;
    rmSync(unfinished, { force: true });
    createPrivately(unfinished);
    const database: DatabaseSync = new Database(unfinished);
    // The file is not used before it is complete; after a crash it is removed.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
    createTables(database);
    return new DirectoryBeingFilled(database, { databasePath, directory, unfinished, release });
  } catch (error) {
    release();
    throw error;
  }
}

interface Paths {
  readonly directory: string;
  readonly databasePath: string;
  readonly unfinished: string;
  readonly release: () => void;
}

class DirectoryBeingFilled implements RestoredDirectory {
  readonly #database: DatabaseSync;
  readonly #paths: Paths;
  readonly #append: ReturnType<DatabaseSync['prepare']>;
  readonly #setLatest: ReturnType<DatabaseSync['prepare']>;
  #added = 0;
  #spare = 0;
  #isFinished = false;

  constructor(database: DatabaseSync, paths: Paths) {
    this.#database = database;
    this.#paths = paths;
    this.#append = database.prepare(
      'INSERT INTO log (revision, key, previous, deleted, value) VALUES (?, ?, 0, 0, ?) ON CONFLICT DO NOTHING',
    );
    this.#setLatest = database.prepare(
      'INSERT INTO latest (key, revision) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    database.exec('BEGIN');
  }

  add({ key, modRevision, value }: StoredRecord): void {
    try {
      const revision = this.#appended(modRevision, key, value);
      if (this.#setLatest.run(key, revision).changes !== 1) throw refused(`${key} is in the backup twice`);
      this.#added += 1;
      if (this.#added % batchRecords === 0) this.#database.exec('COMMIT; BEGIN');
    } catch (error) {
      throw storeError(error, `cannot write ${this.#paths.unfinished}`);
    }
  }

  /** A database that several writers share may have changed two keys at one revision; here each change has its own. */
  #appended(revision: Revision, key: string, value: Uint8Array): Revision {
    if (this.#append.run(revision, key, value).changes === 1) return revision;
    this.#spare -= 1;
    const own = this.#spare;
    this.#append.run(own, key, value);
    return own;
  }

  finish(revision: Revision): void {
    const { unfinished, databasePath, directory } = this.#paths;
    try {
      this.#giveRevisions(revision);
      this.#database.exec(`INSERT OR REPLACE INTO meta (name, value)
        VALUES ('revision_floor', ${revision}), ('compact_revision', ${revision}); COMMIT`);
      this.#database.close();
      this.#isFinished = true;
      syncPath(unfinished);
      renameSync(unfinished, databasePath);
      syncPath(directory);
    } catch (error) {
      throw storeError(error, `cannot write ${databasePath}`);
    }
  }

  /** Records whose revision is taken get revisions just below the next one. */
  #giveRevisions(top: Revision): void {
    for (const table of ['log', 'latest']) {
      this.#database.exec(`UPDATE ${table} SET revision = revision + ${top} WHERE revision < 0`);
    }
  }

  close(): void {
    const { unfinished, release } = this.#paths;
    if (!this.#isFinished) this.#database.close();
    rmSync(unfinished, { force: true });
    release();
  }
}
