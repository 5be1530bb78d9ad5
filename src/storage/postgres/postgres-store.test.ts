import { afterAll, beforeAll, describe, test } from 'vitest';
import { storeSuite } from '../suite.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { PostgresProcess, postgresBin } from './postgres-process.test-support.ts';

if (postgresBin === undefined) test.skip('the postgres store (skipped: there is no PostgreSQL)');

describe.skipIf(postgresBin === undefined)('with PostgreSQL', () => {
  let postgres: PostgresProcess;
  beforeAll(async () => {
    postgres = await PostgresProcess.start();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());
  let count = 0;

  storeSuite({
    name: 'postgres',
    ordersCommits: false,
    open: () => openPostgresStore({ url: postgres.url(), schema: `test_${count++}` }),
  });

  // Nearly every watch falls out of such a window, and is served from the database and handed over again and again.
  storeSuite({
    name: 'postgres (with a small window, and without notifications)',
    ordersCommits: false,
    open: () =>
      openPostgresStore({
        url: postgres.url(),
        schema: 'shared',
        tablePrefix: `test_${count++}_`,
        limits: { windowEventsMax: 10, pageRecordsMax: 7 },
        timing: { notifyMsMax: 0, pollMs: 20 },
      }),
  });
});
