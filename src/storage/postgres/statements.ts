import type { KeyRange, Revision } from '../store.ts';
import type { Statement } from './connections.ts';
import type { Tables } from './tables.ts';

const bound = (text: string): Buffer => Buffer.from(text);

/** A read of the past, or of the present where `at` is undefined. */
interface ListStatement {
  readonly range: KeyRange;
  readonly at: Revision | undefined;
  readonly limit: number | undefined;
  /** Whether the first row has the count; it is null if not. */
  readonly counted: boolean;
}

/** The SQL statements; each one sees one snapshot of the database. */
export class Statements {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Row: revision, compacted, the stamp of the change at a revision. */
  head(of: Revision = 0): Statement {
    const { counter, log } = this.#tables;
    const text = `SELECT revision, compacted, (SELECT stamp FROM ${log} WHERE revision = $1) FROM ${counter}`;
    return { text, values: [of] };
  }

  /** One row: revision, compacted, key, revision, value; the last three are null where the key is absent. */
  get(key: string): Statement {
    const { counter, latest, log } = this.#tables;
    const text = `SELECT c.revision, c.compacted, l.key, l.revision, g.value FROM ${counter} c
      LEFT JOIN (${latest} l JOIN ${log} g ON g.revision = l.revision) ON l.key = $1`;
    return { text, values: [bound(key)] };
  }

  /** First a row of revision, compacted, count; then key, revision, value in the order of keys, one more than `limit`. */
  list({ range, at, limit, counted }: ListStatement): Statement {
    const { counter, log } = this.#tables;
    const values: unknown[] = [bound(range.start), bound(range.end)];
    if (at !== undefined) values.push(at);
    const most = limit === undefined ? '' : `ORDER BY key LIMIT ${limit + 1}`;
    const count = counted ? `(SELECT count(*) FROM (${this.#state(at)}) state)` : 'NULL';
    const text = `
      (SELECT c.revision, c.compacted, ${count}, NULL::bytea, NULL::bigint, NULL::bytea FROM ${counter} c)
      UNION ALL
      (SELECT NULL, NULL, NULL, s.key, s.revision, g.value
       FROM (SELECT * FROM (${this.#state(at, most)}) state ${most}) s JOIN ${log} g ON g.revision = s.revision ORDER BY s.key)`;
    return { text, values };
  }

  /**
   * Key and revision of what was there. Of the past: keys that were not touched since keep their record, and of each key
   * that was, the first change after it knows what it replaced. Each part has the limit of the page: without it, each page
   * would read both to the end of the range.
   */
  #state(at: Revision | undefined, most = ''): string {
    const { latest, log } = this.#tables;
    const range = 'key >= $1 AND key < $2';
    if (at === undefined) return `SELECT key, revision FROM ${latest} WHERE ${range}`;
    return `(SELECT key, revision FROM ${latest} WHERE ${range} AND revision <= $3 ${most})
      UNION ALL
      (SELECT key, previous FROM (
        SELECT DISTINCT ON (key) key, previous FROM ${log} WHERE revision > $3 AND ${range} ORDER BY key, revision
      ) first WHERE previous > 0 ${most})`;
  }

  /**
   * Rows of revision, compacted, stamp of `after`, then of each change: revision, key, deleted, value, previous, previous
   * value, stamp. One row without a change where there is none. Previous values are looked up by subqueries: a join could
   * read all of the log, as long as PostgreSQL has no statistics of it.
   */
  changes(after: Revision, limit: number, range?: KeyRange): Statement {
    const { counter, log } = this.#tables;
    const values: unknown[] = [after, limit];
    if (range !== undefined) values.push(bound(range.start), bound(range.end));
    const inRange = range === undefined ? '' : 'AND log.key >= $3 AND log.key < $4';
    const text = `SELECT c.revision, c.compacted, (SELECT stamp FROM ${log} WHERE revision = $1),
        e.revision, e.key, e.deleted, e.value, e.previous,
        (SELECT value FROM ${log} WHERE revision = e.previous), e.stamp
      FROM ${counter} c LEFT JOIN (
        SELECT log.revision, log.key, log.deleted, log.value, log.previous, log.stamp
        FROM ${log} log WHERE log.revision > $1 ${inRange} ORDER BY log.revision LIMIT $2
      ) e ON true
      WHERE c.one`;
    return { text, values };
  }

  commitBatch(values: readonly unknown[]): Statement {
    const places = values.map((_, index) => `$${index + 1}`).join(', ');
    return { text: `SELECT * FROM ${this.#tables.commitBatch}(${places})`, values };
  }

  /** From then on reads before a revision are refused. */
  compact(revision: Revision): Statement {
    const text = `UPDATE ${this.#tables.counter} SET compacted = $1 WHERE compacted < $1`;
    return { text, values: [revision] };
  }

  /** Row: the revision up to which compacted history is removed. */
  cleaned(): Statement {
    return { text: `SELECT cleaned FROM ${this.#tables.turns}`, values: [] };
  }

  /**
   * Removes a part of the compacted history, unless another server did. A value is needed until the change that replaced
   * it is compacted. It does not wait for the disk: rows that a crash restores are removed again.
   */
  clean(from: Revision, to: Revision): Statement {
    const { log, turns } = this.#tables;
    const text = `WITH step AS (
        UPDATE ${turns} SET cleaned = $2 WHERE cleaned = $1 AND set_config('synchronous_commit', 'off', true) = 'off'
        RETURNING cleaned
      ), replaced AS (
        DELETE FROM ${log} WHERE EXISTS (SELECT FROM step) AND revision IN (
          SELECT previous FROM ${log} WHERE revision >= $1 AND revision < $2 AND previous > 0)
      ), deletes AS (
        DELETE FROM ${log} WHERE EXISTS (SELECT FROM step) AND revision >= $1 AND revision < $2 AND deleted
      ) SELECT cleaned FROM step`;
    return { text, values: [from, to] };
  }

  /** Row: turn, revision, where the turn was still the one that was seen. */
  takeTurn(seen: number): Statement {
    const { turns, counter } = this.#tables;
    const text = `UPDATE ${turns} SET turn = turn + 1 WHERE turn = $1 RETURNING turn, (SELECT revision FROM ${counter})`;
    return { text, values: [seen] };
  }

  /** Row: turn, revision. */
  seeTurn(): Statement {
    const { turns, counter } = this.#tables;
    return { text: `SELECT turn, (SELECT revision FROM ${counter}) FROM ${turns}`, values: [] };
  }

  /** Continues above a revision that was assigned and lost, and compacts everything before. */
  raise(known: Revision): Statement {
    const text = `UPDATE ${this.#tables.counter}
      SET revision = greatest(revision, $1) + 2, compacted = greatest(revision, $1) + 2 WHERE compacted <= $1 + 1`;
    return { text, values: [known] };
  }

  /** A write that needs new pages, and is undone: whether there is room. Updates find theirs where old rows were. */
  probe(): Statement {
    const bytes =
      "SELECT string_agg(decode(md5(i || random()::text), 'hex'), '') FROM generate_series(1, 4096) i";
    const text = `DO $$ BEGIN
        INSERT INTO ${this.#tables.log} (revision, previous, stamp, deleted, key, value)
          VALUES (-1, 0, 0, true, '', (${bytes}));
        RAISE SQLSTATE 'ILK00';
      EXCEPTION WHEN SQLSTATE 'ILK00' THEN NULL;
      END $$`;
    return { text, values: [] };
  }
}
