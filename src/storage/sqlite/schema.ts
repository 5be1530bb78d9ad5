import type { DatabaseSync } from 'node:sqlite';
import { integer } from './row.ts';
import { refused } from './sqlite-error.ts';

/** Raised when an older Ilk could no longer read what this one writes. */
const schemaVersion = 1;

/** Marks a file as ours in its header, https://sqlite.org/pragma.html#pragma_application_id: "Ilk" and a NUL. */
const applicationId = 0x496c6b00;

/**
 * `log` holds every value once, in the order of writing; `latest` finds the newest by key, in the order of the keys'
 * bytes. Values in `latest` would be stored twice, and a clustered table of values over a quarter of a page spills
 * each into a page of its own: 4 times the file and a quarter of the writes per second.
 *
 * `previous` is the revision that a change replaced, 0 for none. `objects` is for people with `sqlite3`.
 */
const tables = `
  PRAGMA application_id = ${applicationId};
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE log (
    revision INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    previous INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    value BLOB
  );
  CREATE TABLE latest (key TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
  CREATE VIEW objects AS
    SELECT latest.key, latest.revision, CAST(log.value AS TEXT) AS value
    FROM latest JOIN log ON log.revision = latest.revision;
  INSERT INTO meta (name, value) VALUES ('schema_version', ${schemaVersion}), ('compact_revision', 1);
`;

/** Makes the tables in an empty file. */
export function createTables(database: DatabaseSync): void {
  database.exec(`BEGIN IMMEDIATE; ${tables} COMMIT`);
}

/** More than a write-ahead log can hold: a change takes 100 bytes there at least, and the log is cut back to 64 MiB. */
const lostRevisionsMax = 1_000_000;

/**
 * Continues above lost revisions, so that none is used twice, and compacts the history: a watch from a
 * lost revision must list again.
 */
export function raiseRevision(database: DatabaseSync): void {
  const head = integer(database.prepare('SELECT coalesce(max(revision), 1) AS head FROM log').get(), 'head');
  const floor = head + lostRevisionsMax;
  database.exec(`BEGIN IMMEDIATE;
    DELETE FROM log WHERE revision NOT IN (SELECT revision FROM latest);
    INSERT OR REPLACE INTO meta (name, value) VALUES ('revision_floor', ${floor}), ('compact_revision', ${floor});
    COMMIT`);
}

/**
 * Looks at a file before anything is written to it: true where it is empty, false where it holds tables of ours.
 *
 * @throws {StoreError} `refused`, with a sentence that names the file, where it is not ours or from the future.
 */
export function isEmptyDatabase(database: DatabaseSync, path: string): boolean {
  const tableCount = database
    .prepare("SELECT count(*) AS count FROM sqlite_master WHERE type = 'table'")
    .get();
  if (integer(tableCount, 'count') === 0) return true;
  const id = integer(database.prepare('PRAGMA application_id').get(), 'application_id');
  if (id !== applicationId) throw refused(`${path} is not a database of Ilk`);
  const version = integer(
    database.prepare("SELECT value FROM meta WHERE name = 'schema_version'").get(),
    'value',
  );
  if (version > schemaVersion) {
    throw refused(
      `${path} was written by a newer version of Ilk: its schema version is ${version}, this Ilk knows up to ${schemaVersion}`,
    );
  }
  return false;
}
