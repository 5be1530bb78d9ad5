import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';
import {
  openEtcdStore,
  openPostgresStore,
  type StorageOptions,
  type Store,
} from '../../src/storage/index.ts';
import { PostgresProcess, postgresBin } from '../../src/storage/postgres/postgres-process.test-support.ts';

/** A database that several servers can share. */
export interface SharedDatabase extends AsyncDisposable {
  readonly storage: StorageOptions;
  /** The storage behind the servers' backs. */
  open(): Promise<Store>;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** One that this machine has. */
interface DatabaseCase {
  readonly kind: 'etcd' | 'postgres';
  readonly name: string;
  start(): Promise<SharedDatabase>;
}

const etcds = etcdBinaries.map(
  (binary): DatabaseCase => ({
    kind: 'etcd',
    name: `etcd ${binary.version}`,
    async start() {
      const etcd = await EtcdProcess.start({ binary });
      const endpoints = [etcd.url];
      return {
        storage: { kind: 'etcd', endpoints },
        open: () => openEtcdStore({ endpoints, prefix: '/registry', root: '/registry' }),
        kill: async () => void (await etcd.kill()),
        restart: async () => void (await etcd.restart()),
        [Symbol.asyncDispose]: () => etcd[Symbol.asyncDispose](),
      };
    },
  }),
);

const postgresCase: DatabaseCase = {
  kind: 'postgres',
  name: 'PostgreSQL',
  async start() {
    const postgres = await PostgresProcess.start();
    const url = postgres.url();
    return {
      storage: { kind: 'postgres', url },
      open: () => openPostgresStore({ url }),
      kill: () => postgres.kill(),
      restart: () => postgres.restart(),
      [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
    };
  },
};

export const databases: readonly DatabaseCase[] =
  postgresBin === undefined ? etcds : [...etcds, postgresCase];
