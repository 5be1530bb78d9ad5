import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresProcess } from '../../src/storage/postgres/postgres-process.test-support.ts';
import { pacedDelays } from '../http/event-delays.ts';

const value = 'x'.repeat(1_000);

const table = 'CREATE TABLE IF NOT EXISTS bare_events (revision bigserial PRIMARY KEY, step int, value text)';
const insert = `WITH made AS (INSERT INTO bare_events (step, value) VALUES ($1, $2) RETURNING revision)
  SELECT revision::int, pg_notify('bare_events', revision::text) FROM made`;

export const makeBareTable = (client: pg.Client) => client.query(table);

/** Inserts and notifies in one statement, durably; gives the revision. */
export async function insertBare(client: pg.Client, step: number, text: string): Promise<number> {
  return (await client.query(insert, [step, text])).rows[0].revision;
}

interface BareEvent {
  readonly revision: number;
  readonly step: number;
  readonly value: string;
}

/** Reads what is inserted from now on, when it is notified. */
export async function listenBare(client: pg.Client, take: (event: BareEvent) => void): Promise<void> {
  const { rows: newest } = await client.query(
    'SELECT coalesce(max(revision), 0)::int AS seen FROM bare_events',
  );
  let { seen } = newest[0];
  // One read at a time: a notification that comes meanwhile has the next one follow.
  let reading = Promise.resolve();
  const read = async () => {
    const text = 'SELECT revision::int, step, value FROM bare_events WHERE revision > $1 ORDER BY revision';
    const { rows } = await client.query<BareEvent>(text, [seen]);
    for (const row of rows) {
      seen = row.revision;
      take(row);
    }
  };
  client.on('notification', () => {
    reading = reading.then(read);
  });
  await client.query('LISTEN bare_events');
}

/** From the start of a write until a client that listens has read the row by its revision: nothing but PostgreSQL and `pg`. */
export async function bareEventDelays(postgres: PostgresProcess): Promise<number[]> {
  const connectionString = postgres.url();
  const [writer, reader] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  await writer.connect();
  await reader.connect();
  await makeBareTable(writer);
  let told: (step: number) => void = () => {};
  await listenBare(reader, ({ step }) => told(step));
  const delays = await pacedDelays(
    async (step) => void (await insertBare(writer, step, value)),
    (tell) => {
      told = tell;
    },
  );
  await sleep(50);
  await writer.end();
  await reader.end();
  return delays;
}
