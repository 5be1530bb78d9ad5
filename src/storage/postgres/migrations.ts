import { literal, type Tables } from './tables.ts';

/** One step from a version of the tables to the next one. Steps that were published are never changed. */
type Migration = (tables: Tables) => string;

/**
 * `log` holds every change, and the only copy of each value; `latest` finds the newest one by key. `counter` is the one
 * row that every write locks before it takes revisions, until its transaction ends: so revisions become visible in their
 * order (docs/decisions/0019). Keys are bytes: their order is that of bytes, in every database, and a bound may hold NUL.
 *
 * `stamp` is a random number of the transaction: where the change of a revision has another stamp than it had, the
 * database was put back to an earlier state and went on from there.
 */
const first: Migration = (t) => `
  CREATE TABLE ${t.counter} (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    revision bigint NOT NULL,
    compacted bigint NOT NULL
  ) WITH (fillfactor = 10);
  CREATE TABLE ${t.log} (
    revision bigint PRIMARY KEY,
    previous bigint NOT NULL,
    stamp bigint NOT NULL,
    deleted boolean NOT NULL,
    key bytea NOT NULL,
    value bytea
  );
  CREATE TABLE ${t.latest} (key bytea PRIMARY KEY, revision bigint NOT NULL) WITH (fillfactor = 70);
  CREATE TABLE ${t.turns} (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    turn bigint NOT NULL,
    cleaned bigint NOT NULL
  );
  INSERT INTO ${t.counter} (revision, compacted) VALUES (1, 1);
  INSERT INTO ${t.turns} (turn, cleaned) VALUES (0, 1);
  CREATE VIEW ${t.objects} AS
    SELECT convert_from(l.key, 'UTF8') AS key, l.revision, convert_from(g.value, 'UTF8') AS value
    FROM ${t.latest} l JOIN ${t.log} g ON g.revision = l.revision;
`;

/**
 * The function that commits. Rows are looked up by subqueries, which use indexes: joins were planned while the tables were
 * empty, and each batch then read all of them until the next ANALYZE. Version 1 had the function with joins.
 */
const second: Migration = (t) => `
  -- Carries out conditional writes of different keys, as if one after the other. Keys and values stand in one piece each,
  -- with their lengths; a value of length -1 is a delete.
  CREATE OR REPLACE FUNCTION ${t.commitBatch}(
    keys bytea, key_bytes int[], contents bytea, content_bytes int[], expects bigint[],
    guarded int[], guard_keys bytea, guard_key_bytes int[], guard_revisions bigint[], stamp bigint
  ) RETURNS TABLE (ok boolean, revision bigint, there bigint, current_value bytea)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    base bigint;
    head bigint;
  BEGIN
    -- A later statement of a function sees what was committed while an earlier one waited, only at this level.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE 'the isolation level must be read committed, not %', current_setting('transaction_isolation');
    END IF;
    IF current_setting('synchronous_commit') = 'off' THEN
      PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    SELECT c.revision INTO STRICT base FROM ${t.counter} c FOR UPDATE;
    RETURN QUERY
      WITH lengths AS (
        SELECT o.n, o.expect, o.kb, o.cb,
          sum(o.kb) OVER (ORDER BY o.n) - o.kb AS key_at,
          sum(greatest(o.cb, 0)) OVER (ORDER BY o.n) - greatest(o.cb, 0) AS content_at
        FROM unnest(key_bytes, content_bytes, expects) WITH ORDINALITY AS o(kb, cb, expect, n)
      ), wanted AS (
        SELECT n, expect, substring(keys FROM key_at::int + 1 FOR kb) AS key,
          CASE WHEN cb >= 0 THEN substring(contents FROM content_at::int + 1 FOR cb) END AS value
        FROM lengths
      ), guards AS (
        SELECT g.n, g.r, substring(guard_keys FROM (sum(g.kb) OVER (ORDER BY g.i) - g.kb)::int + 1 FOR g.kb) AS key
        FROM unnest(guarded, guard_key_bytes, guard_revisions) WITH ORDINALITY AS g(n, kb, r, i)
      ), broken AS MATERIALIZED (
        SELECT g.n FROM guards g
        WHERE coalesce((SELECT l.revision FROM ${t.latest} l WHERE l.key = g.key), 0) <> g.r
      ), found AS MATERIALIZED (
        SELECT w.*, coalesce((SELECT l.revision FROM ${t.latest} l WHERE l.key = w.key), 0) AS there FROM wanted w
      ), judged AS (
        SELECT f.*, f.there = f.expect AND (f.value IS NOT NULL OR f.expect > 0)
          AND NOT EXISTS (SELECT 1 FROM broken b WHERE b.n = f.n) AS ok
        FROM found f
      ), numbered AS (
        SELECT j.*, base + count(*) FILTER (WHERE j.ok) OVER (ORDER BY j.n) AS revision FROM judged j
      ), logged AS (
        INSERT INTO ${t.log} (revision, previous, stamp, deleted, key, value)
        SELECT n.revision, n.there, $10, n.value IS NULL, n.key, n.value
        FROM numbered n WHERE n.ok
      ), put AS (
        INSERT INTO ${t.latest} AS l (key, revision)
        SELECT n.key, n.revision FROM numbered n WHERE n.ok AND n.value IS NOT NULL
        ON CONFLICT (key) DO UPDATE SET revision = excluded.revision
      ), gone AS (
        DELETE FROM ${t.latest} l USING numbered n WHERE l.key = n.key AND n.ok AND n.value IS NULL
      ), counted AS (
        UPDATE ${t.counter} c SET revision = (SELECT max(n.revision) FROM numbered n)
        WHERE EXISTS (SELECT 1 FROM numbered n WHERE n.ok)
      )
      SELECT n.ok, n.revision, n.there,
        CASE WHEN NOT n.ok AND n.there > 0 THEN (SELECT g.value FROM ${t.log} g WHERE g.revision = n.there) END
      FROM numbered n
      ORDER BY n.n;
    SELECT c.revision INTO STRICT head FROM ${t.counter} c;
    IF head > base THEN PERFORM pg_notify(${literal(t.channel)}, head::text); END IF;
  END $$;
`;

/**
 * Settings of the function that commits, for the time of a call. PostgreSQL planned each call anew, which took twice as
 * long as carrying it out. The plan of a connection is kept, so it must be good for tables of any size: it uses indexes,
 * even if the tables are small when it is made. A later migration that replaces the function must repeat them.
 */
const third: Migration = (t) =>
  [
    'plan_cache_mode = force_generic_plan',
    'enable_seqscan = off',
    'enable_hashjoin = off',
    'enable_mergejoin = off',
    'jit = off',
  ]
    .map((setting) => `ALTER FUNCTION ${t.commitBatch} SET ${setting};`)
    .join('\n');

/** In the order of their versions: the first one makes version 1. */
export const migrations: readonly Migration[] = [first, second, third];
