import type { PostgresOptions } from './options.ts';
import type { PostgresStore } from './postgres-store.ts';

/**
 * Opens a store in PostgreSQL. The driver, and its client library with it, is loaded only then.
 *
 * @throws {StoreError} `refused` for what cannot be used: no address, wrong password, tables of a newer Ilk, a role that
 *   may not; `unavailable` where the database cannot be reached
 */
export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const { PostgresStore } = await import('./postgres-store.ts');
  const store = new PostgresStore(options, Math.random);
  try {
    await store.prepare();
    await store.revision();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
