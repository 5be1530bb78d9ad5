import type { DatabaseSync } from 'node:sqlite';
import { refused } from './sqlite-error.ts';

/** The class that opens a SQLite file: Node's own or the package with the same interface. */
export type DatabaseConstructor = new (path: string) => DatabaseSync;

/**
 * Finds SQLite: built into Node from 22.13 on, `@photostructure/sqlite` before. Loaded when the first database is
 * opened.
 *
 * @throws {StoreError} `refused` where this Node has none and the package is not installed
 */
export async function loadSqlite(): Promise<DatabaseConstructor> {
  const builtIn = builtInSqlite();
  if (builtIn !== undefined) return builtIn.DatabaseSync;
  try {
    const { DatabaseSync: Database } = await import('@photostructure/sqlite');
    // The package promises to be a drop-in replacement, but declares its own looser types (`any` for rows).
    return Database as unknown as DatabaseConstructor;
  } catch (error) {
    if (error instanceof Error && 'code' in error && notFoundCodes.has(error.code))
      throw refused(missingText(process.versions.node), error);
    throw error;
  }
}

/** Of an import, and of the bundle's `require`. */
const notFoundCodes = new Set<unknown>(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** What to do on an old Node. */
function missingText(version: string): string {
  return `Node ${version} has no SQLite: use Node 22.13 or later, or \`npm install @photostructure/sqlite@1.2.1\` beside ilk-apiserver, or --storage memory`;
}

/** Node returns `undefined` for a missing module, also if 22.5 to 22.12 hide it behind a flag. */
const builtInSqlite = (): typeof import('node:sqlite') | undefined => process.getBuiltinModule('node:sqlite');
