import { join, resolve } from 'node:path';
import type { StorageDriver } from '../driver.ts';
import { addressText } from '../flag-values.ts';
import { ownStore } from '../memory/driver.ts';
import type { StoreError } from '../store.ts';
import { readDirectory } from './read-directory.ts';
import type { SqliteStorageOptions } from './options.ts';
import { openSqliteStore } from './sqlite-store.ts';

export const sqliteDriver: StorageDriver<SqliteStorageOptions> = {
  kind: 'sqlite',
  addressFlag: undefined,
  flags: [
    {
      form: '--accept-missing-wal',
      help: 'open a database whose write-ahead log is missing; the writes in that log are lost',
      kind: 'switch',
    },
  ],
  migrate: { suffix: '', form: '<dir>', what: 'the data directory' },
  fromFlags: async (address, flags) => ({
    kind: 'sqlite',
    dataDir: resolve(addressText(address)),
    acceptMissingWal: flags['acceptMissingWal'] === true,
  }),
  view: ({ dataDir }) => readDirectory(dataDir),
  async open({ dataDir, acceptMissingWal }) {
    let onDamage: (error: StoreError) => void = () => {};
    const damaged = new Promise<StoreError>((resolved) => {
      onDamage = resolved;
    });
    const store = await openSqliteStore({ dataDir, acceptMissingWal, onDamage });
    return { ...ownStore(store), place: join(dataDir, 'ilk.db'), health: () => store.health(), damaged };
  },
};
