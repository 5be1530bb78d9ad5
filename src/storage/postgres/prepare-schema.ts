import { StoreError } from '../store.ts';
import type { Connection, Row, Statement } from './connections.ts';
import { migrations } from './migrations.ts';
import { isServerRefusal } from './postgres-error.ts';
import { literal, type Tables } from './tables.ts';

interface Session {
  readonly run: (text: string) => Promise<Row[]>;
  readonly tables: Tables;
}

/**
 * Creates the tables, or upgrades them to the version of this Ilk; one server at a time. Tables that are up to
 * date are only read, so that a role without the right to create tables is enough.
 *
 * @throws {StoreError} `refused` for tables of a newer Ilk, databases that are not UTF-8, and roles that may not
 */
export async function prepareSchema(
  connection: Connection,
  tables: Tables,
  timeoutMs: number,
): Promise<void> {
  const run = (text: string): Promise<Row[]> => {
    const statement: Statement = { text, values: [] };
    return connection.query(statement, timeoutMs);
  };
  const session = { run, tables };
  await checkDatabase(session);
  if ((await versionOf(session)) === migrations.length) return;
  try {
    await migrate(session);
  } catch (error) {
    if (!isServerRefusal(error) || error.code !== '42501') throw error;
    const text = `the role may not make the tables of Ilk (${error.message}): start one server with a role that may, once`;
    throw new StoreError('refused', `PostgreSQL: ${text}`, { cause: error });
  }
}

async function checkDatabase({ run }: Session): Promise<void> {
  const [row] = await run(
    "SELECT current_setting('server_encoding'), current_setting('server_version_num')::int",
  );
  if (row?.[0] !== 'UTF8')
    throw refused(`the encoding of the database is ${String(row?.[0])}, it must be UTF8`);
  if (Number(row[1]) < 120_000) throw refused('PostgreSQL 12 or later is needed');
}

/** 0 where there are no tables. */
async function versionOf({ run, tables }: Session): Promise<number> {
  const [found] = await run(`SELECT to_regclass(${literal(tables.meta)}) IS NOT NULL`);
  if (found?.[0] !== true) return 0;
  const [row] = await run(`SELECT value FROM ${tables.meta} WHERE name = 'schema_version'`);
  const version = Number(row?.[0] ?? 0);
  if (version <= migrations.length) return version;
  throw refused(
    `the tables in ${tables.schema} were made by a newer version of Ilk: their version is ${version}, this Ilk knows up to ${migrations.length}`,
  );
}

/** Servers that start together do it one after the other. */
async function migrate(session: Session): Promise<void> {
  const { run, tables } = session;
  await run('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    await run(`SELECT pg_advisory_xact_lock(hashtextextended(${literal(`ilk ${tables.meta}`)}, 0))`);
    // This session's catalog cache is older than the lock; only locking a table refreshes it.
    await run('SELECT 1 FROM pg_catalog.pg_class LIMIT 0');
    const version = await versionOf(session);
    if (version === 0) {
      // IF NOT EXISTS needs the right to create schemas, even if the schema exists.
      const [there] = await run(`SELECT to_regnamespace(${literal(tables.schema)}) IS NOT NULL`);
      if (there?.[0] !== true) await run(`CREATE SCHEMA ${tables.schema}`);
      await run(`CREATE TABLE ${tables.meta} (name text PRIMARY KEY, value bigint NOT NULL)`);
      await run(`INSERT INTO ${tables.meta} VALUES ('schema_version', 0)`);
    }
    for (const step of migrations.slice(version)) await run(step(tables));
    await run(`UPDATE ${tables.meta} SET value = ${migrations.length} WHERE name = 'schema_version'`);
    await run('COMMIT');
  } catch (error) {
    await run('ROLLBACK').catch(() => {});
    throw error;
  }
}

const refused = (text: string): StoreError => new StoreError('refused', `PostgreSQL: ${text}`);
