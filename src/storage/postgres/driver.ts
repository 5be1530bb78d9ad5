import { neverDamaged, type StorageDriver } from '../driver.ts';
import { addressText, countFlag, passwordFlag, textFlag } from '../flag-values.ts';
import { tlsFlagForms, tlsFlags } from '../tls-flags.ts';
import { viewOfStore } from '../view-of-store.ts';
import { shown } from './address.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import type { PostgresStorageOptions } from './options.ts';
import { turnsPerInterval } from './shared-compaction.ts';

export const postgresDriver: StorageDriver<PostgresStorageOptions> = {
  kind: 'postgres',
  addressFlag: {
    form: '--postgres <url>',
    help: 'store objects in PostgreSQL at this URL: postgres://user@host:5432/database',
  },
  flags: [
    {
      form: '--postgres-password-file <file>',
      help: 'file with the password (default: the PGPASSWORD variable)',
    },
    ...tlsFlagForms('postgres', 'PostgreSQL', "PostgreSQL's certificate"),
    { form: '--postgres-schema <name>', help: 'schema that holds the tables (default: ilk)' },
    { form: '--postgres-table-prefix <text>', help: 'prefix of the table names' },
    {
      form: '--postgres-pool-size <count>',
      help: 'connections for reads; the server opens three more for other work (default: 4)',
      kind: 'count',
    },
  ],
  migrate: { suffix: '-postgres', form: '<url>', what: 'the PostgreSQL' },
  async fromFlags(address, flags, readFile) {
    const password = await passwordFlag(flags, 'postgresPasswordFile', readFile);
    const schema = textFlag(flags, 'postgresSchema');
    const tablePrefix = textFlag(flags, 'postgresTablePrefix');
    const poolMax = countFlag(flags, 'postgresPoolSize');
    return {
      kind: 'postgres',
      url: addressText(address),
      ...(password !== undefined && { password }),
      ...(schema !== undefined && { schema }),
      ...(tablePrefix !== undefined && { tablePrefix }),
      ...(poolMax !== undefined && { poolMax }),
      ...(await tlsFlags('postgres', flags, readFile)),
    };
  },
  view: async (options, parts) => viewOfStore(await postgresDriver.open(options, parts), parts),
  async open({ kind: _kind, ...options }, { onTrouble }) {
    const store = await openPostgresStore({ ...options, onTrouble });
    return {
      store,
      name: 'postgres',
      place: shown(options.url),
      health: () => store.health(),
      damaged: neverDamaged(),
      shared: true,
      startCompaction({ repeat, onTrouble: onFailure }) {
        const compaction = store.compaction();
        return repeat(() => void compaction.takeTurn().catch(onFailure), turnsPerInterval);
      },
    };
  },
};
