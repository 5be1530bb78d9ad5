import type { DatabaseSync } from 'node:sqlite';

/**
 * A bound of a key range, given as bytes: text is bound up to its first NUL, and the page after `a` starts at `a\0`.
 */
const bound = 'CAST(? AS TEXT)';

/**
 * The state at a revision R: keys that were not touched since keep their record, and of each key that was, the first
 * change after R knows what it replaced. (With `min`, SQLite takes the other columns from the row of the minimum.)
 * Each part has a limit of its own: without it, each page would read both to the end of the range.
 */
const past = `
  SELECT * FROM (
    SELECT key, revision FROM latest WHERE key >= ${bound} AND key < ${bound} AND revision <= ?
    ORDER BY key LIMIT ?)
  UNION ALL
  SELECT * FROM (
    SELECT key, previous AS revision FROM (
      SELECT key, previous, min(revision) FROM log
      WHERE revision > ? AND key >= ${bound} AND key < ${bound} GROUP BY key
    ) WHERE previous > 0 ORDER BY key LIMIT ?)`;

const sql = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',

  head: `SELECT max(
    coalesce((SELECT max(revision) FROM log), 1),
    coalesce((SELECT value FROM meta WHERE name = 'revision_floor'), 1)
  ) AS revision`,
  get: `SELECT latest.key, latest.revision, value FROM latest JOIN log ON log.revision = latest.revision
    WHERE latest.key = ?`,
  value: 'SELECT value FROM log WHERE revision = ?',
  list: `SELECT latest.key, latest.revision, value FROM latest JOIN log ON log.revision = latest.revision
    WHERE latest.key >= ${bound} AND latest.key < ${bound} ORDER BY latest.key LIMIT ?`,
  count: `SELECT count(*) AS count FROM latest WHERE key >= ${bound} AND key < ${bound}`,
  /** Values are looked up after the limit: SQLite would sort them with the keys. */
  listPast: `SELECT key, revision, (SELECT value FROM log WHERE log.revision = page.revision) AS value
    FROM (SELECT * FROM (${past}) ORDER BY key LIMIT ?) AS page`,
  countPast: `SELECT count(*) AS count FROM (${past})`,
  history: `SELECT log.revision, log.key, log.deleted, log.value, log.previous, old.value AS previous_value
    FROM log LEFT JOIN log AS old ON old.revision = log.previous
    WHERE log.revision > ? AND log.revision <= ? AND log.key >= ${bound} AND log.key < ${bound}
    ORDER BY log.revision LIMIT ?`,

  // Each of these does nothing where the key is not as expected.
  createLatest: 'INSERT INTO latest (key, revision) VALUES (?, ?) ON CONFLICT DO NOTHING',
  updateLatest: 'UPDATE latest SET revision = ? WHERE key = ? AND revision = ?',
  deleteLatest: 'DELETE FROM latest WHERE key = ? AND revision = ?',
  append: 'INSERT INTO log (revision, key, previous, deleted, value) VALUES (?, ?, ?, ?, ?)',

  /** Writes to find out whether there is room. */
  probe: "INSERT OR REPLACE INTO meta (name, value) VALUES ('probe', ?)",
  endProbe: "DELETE FROM meta WHERE name = 'probe'",

  compactRevision: "SELECT value FROM meta WHERE name = 'compact_revision'",
  setCompactRevision: "UPDATE meta SET value = ? WHERE name = 'compact_revision'",
  /** A value is needed until the change that replaced it is forgotten. */
  forgetReplaced: `DELETE FROM log WHERE revision IN (
    SELECT previous FROM log WHERE revision >= ? AND revision < ? AND previous > 0)`,
  forgetDeletes: 'DELETE FROM log WHERE revision >= ? AND revision < ? AND deleted = 1',
} as const;

export type Statements = Readonly<Record<keyof typeof sql, ReturnType<DatabaseSync['prepare']>>>;

/** Prepares every statement once. */
export const prepareStatements = (database: DatabaseSync): Statements => ({
  begin: database.prepare(sql.begin),
  commit: database.prepare(sql.commit),
  rollback: database.prepare(sql.rollback),
  head: database.prepare(sql.head),
  get: database.prepare(sql.get),
  value: database.prepare(sql.value),
  list: database.prepare(sql.list),
  count: database.prepare(sql.count),
  listPast: database.prepare(sql.listPast),
  countPast: database.prepare(sql.countPast),
  history: database.prepare(sql.history),
  createLatest: database.prepare(sql.createLatest),
  updateLatest: database.prepare(sql.updateLatest),
  deleteLatest: database.prepare(sql.deleteLatest),
  append: database.prepare(sql.append),
  compactRevision: database.prepare(sql.compactRevision),
  setCompactRevision: database.prepare(sql.setCompactRevision),
  forgetReplaced: database.prepare(sql.forgetReplaced),
  forgetDeletes: database.prepare(sql.forgetDeletes),
  probe: database.prepare(sql.probe),
  endProbe: database.prepare(sql.endProbe),
});
