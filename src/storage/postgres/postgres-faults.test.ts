import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { prefixRange, type Store, StoreError, type StoreEvent, type StoreWatch } from '../store.ts';
import { randomFrom } from '../suite/random.ts';
import { brief, failure, take, text, write } from '../suite/context.ts';
import { batchParameters } from './commit-batch.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { PostgresProcess, postgresBin } from './postgres-process.test-support.ts';
import { turnsPerInterval } from './shared-compaction.ts';
import { Statements } from './statements.ts';
import { tablesOf } from './tables.ts';

const everything = prefixRange('/');

/** What a watch has delivered so far, and why it ended. */
function collect(watch: StoreWatch) {
  const events: StoreEvent[] = [];
  const ended = (async () => {
    for await (const message of watch) events.push(...message.events);
  })();
  ended.catch(() => {});
  return { events, ended };
}

const until = async (holds: () => boolean | Promise<boolean>) => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** Closes a store where its block ends. */
async function disposable<T extends Store>(opening: Promise<T>): Promise<T & AsyncDisposable> {
  const store = await opening;
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}

describe.skipIf(postgresBin === undefined)('a PostgreSQL', () => {
  let postgres: PostgresProcess;
  let count = 0;
  beforeAll(async () => {
    postgres = await PostgresProcess.start();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());
  const newSchema = () => `faults_${count++}`;
  const open = (schema: string, more = {}) => openPostgresStore({ url: postgres.url(), schema, ...more });

  async function client(): Promise<pg.Client> {
    const made = new pg.Client({ connectionString: postgres.url() });
    made.on('error', () => {});
    await made.connect();
    return made;
  }

  test('whose writers wait in any order: revisions become visible in their order, none is lost or doubled', async () => {
    const schema = newSchema();
    const stores = [await open(schema), await open(schema), await open(schema)] as const;
    const random = randomFrom(5);
    const start = await stores[0].revision();
    const seen = stores.map((store) => collect(store.watch(everything, { after: start })));
    // Somebody holds the row that writers wait for, again and again, and old transactions stay open beside it.
    const [holder, elder] = [await client(), await client()];
    await elder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await elder.query(`SELECT * FROM ${schema}.counter`);
    let done = false;
    const holding = (async () => {
      while (!done) {
        await holder.query('BEGIN');
        await holder.query(`SELECT * FROM ${schema}.counter FOR UPDATE`);
        await new Promise((resolve) => setTimeout(resolve, 1 + random.below(20)));
        await holder.query(random.below(2) === 0 ? 'COMMIT' : 'ROLLBACK');
      }
    })();
    const revisions = await Promise.all(
      Array.from({ length: 300 }, (_, index) => write(random.pick(stores), `/a/${index}`, `${index}`)),
    );
    done = true;
    await holding;
    expect([...revisions].sort((a, b) => a - b)).toEqual(revisions.map((_, index) => start + 1 + index));
    for (const { events } of seen) {
      await until(() => events.length >= 300);
      expect(events.map(({ revision }) => revision)).toEqual(revisions.map((_, index) => start + 1 + index));
    }
    await elder.query('COMMIT');
    await Promise.all([holder.end(), elder.end(), ...stores.map((store) => store.close())]);
  });

  test('whose transactions stay open, and are committed or rolled back in any order: each event comes once, in order', async () => {
    const schema = newSchema();
    const stores = [await open(schema), await open(schema)] as const;
    const start = await stores[0].revision();
    const seen = stores.map((store) => collect(store.watch(everything, { after: start })));
    const statements = new Statements(tablesOf(schema, ''));
    const committed = new Map<string, number>();
    const hold = async (_: unknown, lane: number) => {
      const random = randomFrom(lane + 1);
      const session = await client();
      for (let round = 0; round < 20; round++) {
        const key = `/held/${lane}/${round}`;
        const commit = { key, value: Buffer.from(key), expect: 0 };
        const pending = { commit, resolve: () => {}, reject: () => {} };
        const { text: call, values } = statements.commitBatch(
          batchParameters([pending], 1 + random.below(1e9)),
        );
        await session.query('BEGIN');
        const { rows } = await session.query<{ revision: string }>(call, [...values]);
        await new Promise((resolve) => setTimeout(resolve, random.below(15)));
        const isKept = random.below(3) > 0;
        await session.query(isKept ? 'COMMIT' : 'ROLLBACK');
        if (isKept) committed.set(key, Number(rows[0]?.revision));
        await new Promise((resolve) => setTimeout(resolve, random.below(10)));
      }
      await session.end();
    };
    // Writes of the stores go between them.
    const between = async (store: Store, name: string) => {
      for (let round = 0; round < 40; round++) {
        const key = `/between/${name}/${round}`;
        committed.set(key, await write(store, key, key));
      }
    };
    const holding = Array.from({ length: 5 }, hold);
    await Promise.all([...holding, between(stores[0], 'a'), between(stores[1], 'b')]);
    // What was rolled back left no gap: its revision was given to the next one.
    const expected = [...committed].sort(([, a], [, b]) => a - b);
    expect(expected.map(([, revision]) => revision)).toEqual(expected.map((_, index) => start + 1 + index));
    for (const { events } of seen) {
      await until(() => events.length >= expected.length);
      expect(events.map(({ key, revision }) => [key, revision])).toEqual(expected);
    }
    for (const store of stores) await store.close();
  });

  test('that ends its connections at random: no acknowledged write is lost, no event missed, doubled or reordered', async () => {
    const schema = newSchema();
    const stores = [await open(schema), await open(schema)] as const;
    const random = randomFrom(9);
    const start = await stores[0].revision();
    const seen = stores.map((store) => collect(store.watch(everything, { after: start })));
    const killer = await client();
    let done = false;
    const killing = (async () => {
      while (!done) {
        await killer.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'ilk' AND random() < 0.3`);
        await new Promise((resolve) => setTimeout(resolve, 30 + random.below(50)));
      }
    })();
    const acknowledged = new Map<string, number>();
    const unknown = new Set<string>();
    for (let round = 0; round < 25; round++) {
      await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const key = `/a/${round}/${index}`;
          try {
            acknowledged.set(key, await write(random.pick(stores), key, key));
          } catch (error) {
            expect(error).toMatchObject({ code: expect.stringMatching(/^(outcome-unknown|unavailable)$/) });
            unknown.add(key);
          }
        }),
      );
    }
    done = true;
    await killing;
    await killer.end();
    const truth = await stores[0].list(everything);
    const there = new Map(truth.records.map(({ key, modRevision }) => [key, modRevision]));
    for (const [key, revision] of acknowledged) expect([key, there.get(key)]).toEqual([key, revision]);
    for (const key of there.keys()) expect(acknowledged.has(key) || unknown.has(key)).toBe(true);
    expect(acknowledged.size).toBeGreaterThan(20);
    const order = truth.records.map(({ modRevision }) => modRevision).sort((a, b) => a - b);
    for (const { events } of seen) {
      await until(() => events.length >= order.length);
      expect(events.map(({ revision }) => revision)).toEqual(order);
    }
    for (const store of stores) await store.close();
  });

  test('that is killed and comes back: watches go on, nothing is lost', async () => {
    await using own = await PostgresProcess.start();
    const store = await openPostgresStore({ url: own.url() });
    const one = await write(store, '/a', 'one');
    const { events } = collect(store.watch(everything, { after: one }));
    const two = await write(store, '/a', 'two', one);
    await until(() => events.length === 1);
    await own.kill();
    const reading = store.get('/a');
    await own.restart();
    expect(text((await reading).record?.value)).toBe('two');
    await write(store, '/a', 'three', two);
    await until(() => events.length === 2);
    expect(events.map(brief)).toEqual(['put /a two', 'put /a three']);
    await own.kill();
    expect((await failure(write(store, '/b', 'x'))).code).toMatch(/^(outcome-unknown|unavailable)$/);
    expect((await failure(store.health())).code).toBe('unavailable');
    await store.close();
  });

  test('that is put back to an earlier state: revisions that are gone are not given out again', async () => {
    const schema = newSchema();
    const store = await open(schema);
    const one = await write(store, '/a', 'one');
    const feed = collect(store.watch(everything, { after: one }));
    const two = await write(store, '/a', 'two', one);
    await write(store, '/b', 'x');
    await until(() => feed.events.length === 2);
    await postgres.query(`DELETE FROM ${schema}.log WHERE revision > ${one}`);
    await postgres.query(`DELETE FROM ${schema}.latest`);
    await postgres.query(`INSERT INTO ${schema}.latest SELECT key, revision FROM ${schema}.log`);
    await postgres.query(`UPDATE ${schema}.counter SET revision = ${one}`);
    const forgotten = await failure(feed.ended.then(() => undefined));
    expect(forgotten.code).toBe('compacted');
    const next = await write(store, '/c', 'x');
    expect(next).toBeGreaterThan(two + 1);
    // Whoever has seen a revision that is gone must list again.
    expect((await failure(store.list(everything, { revision: two }))).code).toBe('compacted');
    expect(text((await store.get('/a')).record?.value)).toBe('one');
    await store.close();
  });

  test('from which a change was removed: watches end instead of leaving it out', async () => {
    const schema = newSchema();
    const store = await open(schema);
    const one = await write(store, '/a', 'one');
    const feed = collect(store.watch(everything, { after: one }));
    const gap = `UPDATE ${schema}.counter SET revision = ${one + 2}`;
    const rest = `INSERT INTO ${schema}.log VALUES (${one + 2}, 0, 1, false, '/c', 'x')`;
    await postgres.query(`WITH gap AS (${gap}) ${rest}`);
    await store.revision();
    store.watch(everything, { after: one }).requestProgress();
    expect((await failure(feed.ended.then(() => undefined))).code).toBe('compacted');
    expect(feed.events).toEqual([]);
    await store.close();
  });

  test('whose failures have names', async () => {
    const schema = newSchema();
    const store = await open(schema);
    const nowhere = await failure(
      openPostgresStore({
        url: 'postgres://postgres@127.0.0.1:1/x',
        timing: { patienceMs: 50, hurriedMs: 10 },
      }),
    );
    expect([nowhere.code, nowhere.message]).toEqual([
      'unavailable',
      'postgres://postgres@127.0.0.1:1/x cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    ]);
    expect((await failure(openPostgresStore({ url: postgres.url('none') }))).message).toBe(
      'PostgreSQL: database "none" does not exist',
    );
    for (const url of ['mysql://a', 'postgres://host:port/d', 'postgres://h/d?sslmode=maybe']) {
      expect((await failure(openPostgresStore({ url }))).code).toBe('refused');
    }
    await postgres.query(`UPDATE ${schema}.meta SET value = 99 WHERE name = 'schema_version'`);
    const newer = await failure(open(schema));
    expect([newer.code, newer.message]).toEqual([
      'refused',
      `PostgreSQL: the tables in "${schema}" were made by a newer version of Ilk: their version is 99, this Ilk knows up to 3`,
    ]);
    await postgres.query(`CREATE ROLE visitor LOGIN`);
    const visitor = postgres.url().replace('postgres@', 'visitor@');
    expect((await failure(openPostgresStore({ url: visitor, schema: newSchema() }))).message).toMatch(
      /^PostgreSQL: the role may not make the tables of Ilk \(permission denied for database postgres\)/,
    );
    await store.close();
  });

  test('on which servers start at the same moment: one makes the tables', async () => {
    for (let round = 0; round < 5; round++) {
      const schema = newSchema();
      const stores = await Promise.all([open(schema), open(schema), open(schema)]);
      expect(await Promise.all(stores.map((store) => store.revision()))).toEqual([1, 1, 1]);
      for (const store of stores) await store.close();
    }
  });

  test('with tables of version 1: the next server upgrades them, the running one continues', async () => {
    const schema = newSchema();
    await using old = await disposable(open(schema));
    const { commitBatch } = tablesOf(schema, '');
    await postgres.query(
      `ALTER FUNCTION ${commitBatch} RENAME TO saved; UPDATE ${schema}.meta SET value = 1`,
    );
    expect((await failure(write(old, '/a', 'x'))).message).toMatch(/function .* does not exist$/);
    await using next = await disposable(open(schema));
    expect(await postgres.query(`SELECT value::int FROM ${schema}.meta`)).toEqual([[3]]);
    const one = await write(old, '/a', 'one');
    await write(next, '/a', 'two', one);
    expect(text((await old.get('/a')).record?.value)).toBe('two');
  });

  test('with tables that grow while a connection is open: no commit and no feed reads a whole table', async () => {
    const schema = newSchema();
    const store = await open(schema);
    const { events, ended } = collect(store.watch(everything, { after: 1 }));
    const value = Buffer.from('x');
    const preconditions = [{ key: '/space', modRevision: await write(store, '/space', 'x') }];
    const keys = Array.from({ length: 1_000 }, (_, index) => `/a/${index}`);
    for (let at = 0; at < keys.length; at += 20) {
      await Promise.all(
        keys
          .slice(at, at + 20)
          .flatMap((key) => [0, 1].map(() => store.commit({ key, value, expect: 0, preconditions }))),
      );
    }
    await until(() => events.length === 1_001);
    // A connection that ends tells what it read.
    await store.close();
    await ended;
    const read = `SELECT coalesce(sum(seq_tup_read), 0)::int FROM pg_stat_user_tables
      WHERE schemaname = '${schema}' AND relname IN ('log', 'latest') AND n_tup_ins >= 1001`;
    await until(
      async () => (await postgres.query(read.replace('sum(seq_tup_read)', 'count(*)')))[0]?.[0] === 2,
    );
    expect((await postgres.query(read))[0]?.[0]).toBeLessThan(1_000);
  });

  test('that acknowledges commits before they are on disk: those of Ilk wait for the disk', async () => {
    const schema = newSchema();
    await (await open(schema)).close();
    const direct = await client();
    const commit = { key: '/a', value: Buffer.from('x'), expect: 0 };
    const batch = [{ commit, resolve: () => {}, reject: () => {} }];
    const statements = new Statements(tablesOf(schema, ''));
    await direct.query('SET synchronous_commit = off; BEGIN');
    const { text, values } = statements.commitBatch(batchParameters(batch, 1));
    await direct.query(text, [...values]);
    expect((await direct.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
    // The settings of the function end with its call.
    expect((await direct.query('SHOW enable_seqscan')).rows).toEqual([{ enable_seqscan: 'on' }]);
    await direct.query('COMMIT');
    await direct.end();
  });

  test('with a role that may use the tables and not make them', async () => {
    const schema = newSchema();
    await (await open(schema)).close();
    await postgres.query(`CREATE ROLE runner LOGIN`);
    await postgres.query(`GRANT USAGE ON SCHEMA ${schema} TO runner`);
    await postgres.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO runner`);
    const store = await openPostgresStore({ url: postgres.url().replace('postgres@', 'runner@'), schema });
    const one = await write(store, '/a', 'one');
    const messages = store.watch(everything, { after: one - 1 })[Symbol.asyncIterator]();
    expect((await take(messages, 1)).map(brief)).toEqual(['put /a one']);
    await store.compact(one);
    await store.close();
  });

  test('that is set read-only, and then not any more', async () => {
    const schema = newSchema();
    const store = await open(schema, { timing: { patienceMs: 200, hurriedMs: 10 } });
    const admin = await client();
    await admin.query('ALTER DATABASE postgres SET default_transaction_read_only = on');
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ilk'`,
    );
    const refusals = async () => failure(write(store, '/a', 'x'));
    let refusal = await refusals();
    // A connection that was just ended may take one write with it.
    while (refusal.code === 'outcome-unknown') refusal = await refusals();
    expect([refusal.code, refusal.message]).toEqual([
      'unavailable',
      expect.stringContaining('the database is read-only: a standby, or set to be so'),
    ]);
    await admin.query('SET default_transaction_read_only = off');
    await admin.query('ALTER DATABASE postgres RESET default_transaction_read_only');
    await admin.end();
    await write(store, '/a', 'x');
    await store.close();
  });

  test('that limits statements, connections, or lost a table: each failure has its name', async () => {
    const schema = newSchema();
    await (await open(schema)).close();
    await postgres.query(`CREATE ROLE limited SUPERUSER LOGIN`);
    await postgres.query(`ALTER ROLE limited SET statement_timeout = '300ms'`);
    const url = postgres.url().replace('postgres@', 'limited@');
    const timing = { patienceMs: 100, hurriedMs: 10 };
    await using store = await disposable(openPostgresStore({ url, schema, timing }));
    const holder = await client();
    await holder.query('BEGIN');
    await holder.query(`SELECT * FROM ${schema}.counter FOR UPDATE`);
    const late = await failure(write(store, '/a', 'x'));
    expect([late.code, late.message]).toEqual([
      'unavailable',
      'PostgreSQL: canceling statement due to statement timeout',
    ]);
    await holder.query('ROLLBACK');
    await holder.end();
    await write(store, '/a', 'x');

    await postgres.query('ALTER ROLE limited NOSUPERUSER CONNECTION LIMIT 0');
    await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'limited'`);
    await until(async () => (await failure(store.health())).message.includes('too many'));
    const many = await failure(store.health());
    expect([many.code, many.message]).toEqual([
      'unavailable',
      `${url} cannot be reached: too many connections for role "limited"`,
    ]);
    await postgres.query('ALTER ROLE limited SUPERUSER CONNECTION LIMIT -1');

    await postgres.query(`DROP FUNCTION ${schema}.commit_batch`);
    expect((await failure(write(store, '/b', 'x'))).message).toMatch(
      /^PostgreSQL: function .*commit_batch.* does not exist$/,
    );
    await postgres.query(`DROP SCHEMA ${schema} CASCADE`);
    const gone = await failure(store.health());
    expect([gone.code, gone.message]).toEqual([
      'refused',
      `PostgreSQL: relation "${schema}.counter" does not exist`,
    ]);
  });

  test('whose administrator cancels the wait for a standby: the write is not acknowledged', async () => {
    const schema = newSchema();
    await using store = await disposable(open(schema));
    await postgres.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    await postgres.query('SELECT pg_reload_conf()');
    const writing = firstFailure(store);
    const waits = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'ilk' AND wait_event = 'SyncRep'`;
    await until(async () => (await postgres.query(waits)).length > 0);
    const doubt = await writing;
    await postgres.query('ALTER SYSTEM RESET synchronous_standby_names');
    await postgres.query('SELECT pg_reload_conf()');
    expect([doubt.code, doubt.message]).toEqual([
      'outcome-unknown',
      'whether the write happened is unknown: PostgreSQL warned while it committed: canceling wait for synchronous replication due to user request',
    ]);
  });

  test('whose servers forget the past by turns, and nothing younger than an interval', async () => {
    const schema = newSchema();
    await using first = await disposable(open(schema));
    await using second = await disposable(open(schema));
    const servers = [first.compaction(), second.compaction()];
    const revisions = [await write(first, '/a', '0')];
    const takeTurns = async () => {
      for (const server of servers) await server.takeTurn();
      revisions.push(await write(first, '/a', `${revisions.length}`, revisions.at(-1)));
    };
    for (let turn = 0; turn < turnsPerInterval; turn++) await takeTurns();
    expect(await first.compactRevision()).toBe(1);
    await takeTurns();
    expect(await first.compactRevision()).toBe(revisions[0]);
    await takeTurns();
    expect(await second.compactRevision()).toBe(revisions[1]);
    expect(text((await first.get('/a', { revision: revisions[1] ?? 0 })).record?.value)).toBe('1');
    expect(await postgres.query(`SELECT min(revision)::int FROM ${schema}.log`)).toEqual([[revisions[0]]]);
  });

  test('from which two servers remove the past at once: each step is done by one of them', async () => {
    const schema = newSchema();
    await using first = await disposable(open(schema));
    await using second = await disposable(open(schema));
    const keys = Array.from({ length: 600 }, (_, index) => `/${index}`);
    const made = await Promise.all(keys.map((key) => write(first, key, 'old')));
    await Promise.all(keys.map((key, index) => write(first, key, 'new', made[index])));
    const revision = await first.revision();
    await Promise.all([first.compact(revision), second.compact(revision)]);
    // The oldest change that a watch can see knows what it replaced.
    expect(await postgres.query(`SELECT count(*)::int FROM ${schema}.log`)).toEqual([[keys.length + 1]]);
    expect(await postgres.query(`SELECT cleaned::int FROM ${schema}.turns`)).toEqual([[revision]]);
  });

  test('whose tables do not grow by updates: a row that is updated often stays small', async () => {
    const schema = newSchema();
    const store = await open(schema);
    let revision = await write(store, '/a', 'x');
    for (let round = 0; round < 300; round++) revision = await write(store, '/a', `${round}`, revision);
    const [[bytes]] = (await postgres.query(
      `SELECT pg_relation_size('${schema}.counter') + pg_relation_size('${schema}.latest')`,
    )) as [[string]];
    // Updates stay on their page, which is tidied up by the next one.
    expect(Number(bytes)).toBeLessThanOrEqual(8 * 8_192);
    await store.close();
  });
});

/** Writes until a write fails: PostgreSQL's checkpointer puts a setting into effect some time after it was reloaded. */
async function firstFailure(store: Store): Promise<StoreError> {
  for (let index = 0; ; index += 1) {
    try {
      await write(store, `/a/${index}`, 'x');
    } catch (error) {
      if (error instanceof StoreError) return error;
      throw error;
    }
  }
}
