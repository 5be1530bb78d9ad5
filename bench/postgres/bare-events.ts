import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresProcess } from '../../src/storage/postgres/postgres-process.test-support.ts';
import { pacedDelays } from '../http/event-delays.ts';

const value = 'x'.repeat(1_000);

/** From the start of a write until a client that listens has read the row by its revision: nothing but PostgreSQL and `pg`. */
export async function bareEventDelays(postgres: PostgresProcess): Promise<number[]> {
  await postgres.query(
    'CREATE TABLE IF NOT EXISTS bare_events (revision bigserial PRIMARY KEY, step int, value text)',
  );
  const [writer, reader] = [postgres.url(), postgres.url()].map(
    (connectionString) => new pg.Client({ connectionString }),
  );
  if (writer === undefined || reader === undefined) throw new Error('two were made');
  await writer.connect();
  await reader.connect();
  const [last] = await postgres.query('SELECT coalesce(max(revision), 0)::int FROM bare_events');
  let seen = Number(last?.[0]);
  await reader.query('LISTEN bare_events');
  const insert = `WITH made AS (INSERT INTO bare_events (step, value) VALUES ($1, $2) RETURNING revision)
    SELECT pg_notify('bare_events', revision::text) FROM made`;
  const delays = await pacedDelays(
    async (step) => void (await writer.query(insert, [step, value])),
    (tell) => {
      // One read at a time: a notification that comes meanwhile has the next one follow.
      let reading = Promise.resolve();
      const read = async () => {
        const text =
          'SELECT revision::int, step, value FROM bare_events WHERE revision > $1 ORDER BY revision';
        const { rows } = await reader.query(text, [seen]);
        for (const { revision, step } of rows) {
          seen = revision;
          tell(step);
        }
      };
      reader.on('notification', () => {
        reading = reading.then(read);
      });
    },
  );
  await sleep(50);
  await writer.end();
  await reader.end();
  return delays;
}
