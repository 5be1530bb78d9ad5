import pg from 'pg';
import type { PostgresProcess } from '../../src/storage/postgres/postgres-process.test-support.ts';
import { byTurns, median } from '../etcd/turns.ts';
import { GroupedInserts, insertRate } from './grouped-inserts.ts';

const rows = 4_000;
const inFlight = 64;
const bytes = 1_000;
const turns = 5;
/** How long another client's transaction is open. */
const openMs = 500;

/** A way to give rows their revisions. */
interface RevisionOrder {
  readonly insert: string;
  /** Servers, and connections of each. */
  readonly servers: number;
  readonly connections: number;
}

const rowsOf = 'unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS u(key, value, n)';
const into = 'INSERT INTO orders (revision, key, value)';

/** All take two servers with 32 rows in flight each, but for the one appender that gets all 64. */
const orders = {
  'a sequence, in no order': {
    insert: `${into} SELECT nextval('numbers'), u.key, u.value FROM ${rowsOf}`,
    servers: 2,
    connections: 2,
  },
  'the same with `xid8`, for a horizon': {
    insert: `INSERT INTO orders (revision, key, value, xid)
      SELECT nextval('numbers'), u.key, u.value, pg_current_xact_id() FROM ${rowsOf}`,
    servers: 2,
    connections: 2,
  },
  'a counter row': {
    insert: `WITH c AS (UPDATE counted SET revision = revision + cardinality($1::bytea[]) RETURNING revision)
      ${into} SELECT c.revision - cardinality($1::bytea[]) + u.n, u.key, u.value FROM c, ${rowsOf}`,
    servers: 2,
    connections: 2,
  },
  'an advisory lock and a sequence': {
    insert: `WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock(7))
      ${into} SELECT nextval('numbers'), u.key, u.value FROM held, ${rowsOf}`,
    servers: 2,
    connections: 2,
  },
  'one appender, without the way to it': {
    insert: `${into} SELECT nextval('numbers'), u.key, u.value FROM ${rowsOf}`,
    servers: 1,
    connections: 1,
  },
} satisfies Record<string, RevisionOrder>;

async function prepare(postgres: PostgresProcess): Promise<void> {
  await postgres.query('CREATE TABLE orders (revision bigint PRIMARY KEY, key bytea, value bytea, xid xid8)');
  await postgres.query('CREATE SEQUENCE numbers START 1000000000');
  await postgres.query('CREATE TABLE counted (revision bigint) WITH (fillfactor = 10)');
  await postgres.query('INSERT INTO counted VALUES (0)');
}

async function measure(url: string, { insert, servers, connections }: RevisionOrder) {
  const clients: GroupedInserts[] = [];
  for (let server = 0; server < servers; server++) {
    clients.push(await GroupedInserts.open({ url, statement: insert, connections }));
  }
  const rate = await insertRate(clients, { rows, inFlight, bytes });
  for (const client of clients) await client.close();
  return rate;
}

/** How long a row stays behind the xid horizon while another client has a transaction open in another database. */
async function horizonDelayMs(postgres: PostgresProcess): Promise<number> {
  await postgres.query('CREATE DATABASE elsewhere');
  const elder = new pg.Client({ connectionString: postgres.url('elsewhere') });
  await elder.connect();
  await elder.query('BEGIN');
  await elder.query('SELECT pg_current_xact_id()');
  const ended = new Promise((resolve) => setTimeout(resolve, openMs)).then(() => elder.query('COMMIT'));
  await postgres.query("INSERT INTO orders VALUES (nextval('numbers'), '/late', '', pg_current_xact_id())");
  const written = performance.now();
  const visible = `SELECT bool_and(xid < pg_snapshot_xmin(pg_current_snapshot())) FROM orders WHERE key = '/late'`;
  while ((await postgres.query(visible))[0]?.[0] !== true) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const delayMs = performance.now() - written;
  await ended;
  await elder.end();
  return delayMs;
}

/** What it costs to have revisions in the order of commits, as bare SQL. */
export async function compareOrders(print: (line: string) => void, postgres: PostgresProcess): Promise<void> {
  await prepare(postgres);
  const url = postgres.url();
  const measures = Object.fromEntries(
    Object.entries(orders).map(([name, order]) => [name, () => measure(url, order)]),
  );
  const rates = await byTurns(measures, { turns });
  const floor = rates['a sequence, in no order'] ?? [];
  print(`\n| revisions from | rows per second, ${inFlight} in flight | against a sequence |\n|---|---|---|`);
  for (const [name, values] of Object.entries(rates)) {
    const ratio = median(values.map((value, turn) => value / (floor[turn] ?? 0)));
    print(`| ${name} | ${median(values).toFixed(0)} | ${ratio.toFixed(2)} x |`);
  }
  const delayMs = await horizonDelayMs(postgres);
  print(
    `\nA transaction that is open for ${openMs} ms in another database holds a row behind the horizon of \`xid8\` for ${delayMs.toFixed(0)} ms.`,
  );
}
