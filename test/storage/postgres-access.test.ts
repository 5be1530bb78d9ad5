import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeCertificates } from '../../src/auth/index.ts';
import { type IlkServer, type StorageOptions, startServer } from '../../src/server.ts';
import { EtcdProcess, etcdBinaries, freePorts } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { openPostgresStore, type PostgresOptions, prefixRange } from '../../src/storage/index.ts';
import {
  PostgresProcess,
  postgresBin,
  postgresUser,
} from '../../src/storage/postgres/postgres-process.test-support.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';
import { inProcess } from '../faults/clients.ts';
import { faultFactor } from '../faults/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'ilk-postgres-access-'));
const isRoot = process.getuid?.() === 0;
beforeAll(() => chmodSync(folder, 0o755));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file that only PostgreSQL's user may read. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  if (isRoot) chownSync(path, postgresUser(), postgresUser());
  return path;
}

const errorOf = (opening: Promise<{ close(): Promise<void> }>) =>
  opening.then(
    async (store) => {
      await store.close();
      return 'opened';
    },
    (error: unknown) => String(error),
  );

const findPgbouncer = () =>
  ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => spawnSync(path, ['--version']).status === 0);

describe.skipIf(postgresBin === undefined)('a PostgreSQL', () => {
  test('with a certificate is believed where its authority and its host are right', async () => {
    const { ca, server } = await makeCertificates(['127.0.0.1'], Date.now());
    const elsewhere = await makeCertificates(['10.1.2.3'], Date.now());
    const cert = file('server.pem', server.certPem);
    await using postgres = await PostgresProcess.start([
      'ssl=on',
      `ssl_cert_file=${cert}`,
      `ssl_key_file=${file('server.key', server.keyPem)}`,
    ]);
    const timing = { patienceMs: 100, hurriedMs: 10 };
    const open = (more: Partial<PostgresOptions>) =>
      errorOf(openPostgresStore({ url: postgres.url(), timing, ...more }));
    expect(await open({ tls: { caPem: ca.certPem } })).toBe('opened');
    expect(await open({ tls: { caPem: elsewhere.ca.certPem } })).toContain('unable to verify');
    expect(await open({ url: `${postgres.url()}?sslmode=verify-full` })).toContain('unable to verify');
    expect(await open({ url: `${postgres.url()}?sslmode=require` })).toBe('opened');

    // Signed by the right authority, for another host.
    await postgres.kill();
    file('server.pem', elsewhere.server.certPem);
    file('server.key', elsewhere.server.keyPem);
    await postgres.restart();
    expect(await open({ tls: { caPem: elsewhere.ca.certPem } })).toMatch(/does not match.* IP: 127\.0\.0\.1/);
  });

  test('behind pgbouncer, where notifications do not pass, is read at an interval', async ({ skip }) => {
    const pgbouncer = findPgbouncer();
    if (pgbouncer === undefined) return skip('there is no pgbouncer');
    await using postgres = await PostgresProcess.start();
    const [port = 0] = await freePorts(1);
    const configuration = file(
      'pgbouncer.ini',
      `[databases]
postgres = host=127.0.0.1 port=${postgres.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 6
`,
    );
    const child = spawn(pgbouncer, ['-q', ...(isRoot ? ['-u', 'postgres'] : []), configuration], {
      stdio: 'ignore',
    });
    try {
      const url = `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`;
      const [a, b] = [await openPostgresStore({ url }), await openPostgresStore({ url })];
      const start = await a.revision();
      const messages = b.watch(prefixRange('/'), { after: start });
      const seen: number[] = [];
      const slowestMs = (async () => {
        let slowest = 0;
        for await (const { events } of messages) {
          for (const { revision, value } of events) {
            seen.push(revision);
            slowest = Math.max(slowest, Date.now() - Number(Buffer.from(value ?? []).toString()));
          }
          if (seen.length === 40) return slowest;
        }
        return Number.POSITIVE_INFINITY;
      })();
      // The first write follows the start of the feed.
      while (!b.tellsTrueProgress) await new Promise((resolve) => setTimeout(resolve, 20));
      for (let index = 0; index < 40; index++) {
        const value = Buffer.from(String(Date.now()));
        const { ok } = await a.commit({ key: `/a/${index}`, value, expect: 0 });
        expect(ok).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      // Without notifications and without the interval, it would be the five seconds of the sign of life.
      expect(await slowestMs).toBeLessThan(4_000);
      expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => start + 1 + index));
      const race = await Promise.all(
        [a, b].map((store) => store.commit({ key: '/race', value: Buffer.from('x'), expect: 0 })),
      );
      expect(race.filter(({ ok }) => ok)).toHaveLength(1);
      await Promise.all([a.close(), b.close()]);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  test('answers the queries of the page about it', async () => {
    await using postgres = await PostgresProcess.start();
    const store = await openPostgresStore({ url: postgres.url() });
    for (const key of ['/a', '/b']) await store.commit({ key, value: Buffer.from('x'), expect: 0 });
    const page = readFileSync(new URL('../../docs/postgres.md', import.meta.url), 'utf8');
    const block = /## Monitoring[^#]*?```sql\n([^`]*)/.exec(page)?.[1] ?? '';
    const queries = block.split(';').filter((text) => text.trim() !== '');
    const answers = [];
    for (const query of queries) answers.push(await postgres.query(query));
    const [history, tables, connections, transactions, slots, room] = answers;
    expect(history).toEqual([['2', '0']]);
    expect(tables?.map(([name]) => name).sort()).toEqual(['counter', 'latest', 'log', 'meta', 'turns']);
    expect(connections?.length).toBeGreaterThan(0);
    expect(transactions).toHaveLength(1);
    expect(slots).toEqual([]);
    expect(String(room?.[0]?.[0])).toMatch(/^\d+ kB$/);
    await store.close();
  });

  test('is found by the variables of libpq', async () => {
    await using postgres = await PostgresProcess.start();
    const variables = { PGHOST: '127.0.0.1', PGPORT: String(postgres.port), PGUSER: 'postgres' };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    try {
      expect(await errorOf(openPostgresStore({ url: 'postgres:///postgres' }))).toBe('opened');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  // Starts ten processes: in the long form only.
  test.skipIf(faultFactor === 1 || etcdBinaries.length === 0)(
    'takes over a data directory by `ilk migrate`, is backed up, and moved to etcd and back',
    async () => {
      buildIfMissing();
      await using postgres = await PostgresProcess.start();
      const launcher = fileURLToPath(new URL('../../bin/ilk', import.meta.url));
      const ilk = (...args: string[]) =>
        execFileSync(process.execPath, [launcher, ...args], { stdio: 'pipe' });
      const on = (storage: StorageOptions) => startServer({ storage, listen: false, crds: [widgetCrd] });
      const create = (server: IlkServer, name: string) =>
        inProcess(() => server).call('POST', widgetsPath(), widget(name));
      const [source, back, restored] = ['source', 'back', 'restored'].map((name) => join(folder, name));
      if (source === undefined || back === undefined || restored === undefined)
        throw new Error('three were named');
      const first = await on({ kind: 'sqlite', dataDir: source });
      expect((await create(first, 'from-sqlite')).code).toBe(201);
      await first.close();

      ilk('migrate', `--from=${source}`, `--to-postgres=${postgres.url()}`);
      const second = await on({ kind: 'postgres', url: postgres.url() });
      const made = await create(second, 'from-postgres');
      expect(made.code).toBe(201);
      ilk('backup', `--postgres=${postgres.url()}`, join(folder, 'one.backup'));
      await second.close();

      await using etcd = await EtcdProcess.start();
      ilk('migrate', `--from-postgres=${postgres.url()}`, `--to-etcd=${etcd.url}`);
      const again = [`--to-postgres=${postgres.url()}`, '--postgres-schema=again'];
      ilk('migrate', `--from-etcd=${etcd.url}`, ...again);
      ilk('migrate', `--from-postgres=${postgres.url()}`, '--postgres-schema=again', `--to=${back}`);
      ilk('restore', `--data-dir=${restored}`, join(folder, 'one.backup'));
      for (const dataDir of [back, restored]) {
        const third = await on({ kind: 'sqlite', dataDir });
        const { body } = await inProcess(() => third).call('GET', widgetsPath());
        expect(body.items?.map(({ metadata }) => metadata.name)).toEqual(['from-postgres', 'from-sqlite']);
        expect(Number(body.metadata?.resourceVersion)).toBeGreaterThan(
          Number(made.body.metadata?.resourceVersion),
        );
        await third.close();
      }
    },
  );
});
