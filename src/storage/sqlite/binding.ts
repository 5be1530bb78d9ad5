import type { DatabaseSync } from 'node:sqlite';

/** The class that opens a SQLite file: Node's own or the package with the same interface. */
export type DatabaseConstructor = new (path: string) => DatabaseSync;

/**
 * Finds SQLite: built into Node from 22.13 on, `@photostructure/sqlite` before. Loaded when the first database is
 * opened, so that nobody else pays for it.
 */
export async function loadSqlite(): Promise<DatabaseConstructor> {
  const builtIn = builtInSqlite();
  if (builtIn !== undefined) return builtIn.DatabaseSync;
  const { DatabaseSync: Database } = await import('@photostructure/sqlite');
  // The package promises to be a drop-in replacement, but declares its own looser types (`any` for rows).
  return Database as unknown as DatabaseConstructor;
}

/** Node says `undefined` for a module it does not have, also where 22.5 to 22.12 hide it behind a flag. */
const builtInSqlite = (): typeof import('node:sqlite') | undefined => process.getBuiltinModule('node:sqlite');
