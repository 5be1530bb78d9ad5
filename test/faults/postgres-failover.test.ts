import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { openPostgresStore, prefixRange } from '../../src/storage/index.ts';
import { PostgresProcess, postgresBin } from '../../src/storage/postgres/postgres-process.test-support.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';
import { type Answer, inProcess } from './clients.ts';
import { expectKept } from './expect-kept.ts';
import { changesIn, runWithFault } from './run.ts';
import { TcpProxy } from './tcp-proxy.ts';

vi.setConfig({ testTimeout: 600_000 });

const urlOf = (...ports: readonly number[]) =>
  `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`;

const serverOn = (url: string): Promise<IlkServer> =>
  startServer({ storage: { kind: 'postgres', url }, listen: false, crds: [widgetCrd], onTrouble: () => {} });

async function until(primary: PostgresProcess, condition: string): Promise<void> {
  while ((await primary.query(`SELECT ${condition}`))[0]?.[0] !== true) await sleep(20);
}

const isStreaming = "EXISTS (SELECT FROM pg_stat_replication WHERE state = 'streaming')";
const isSynchronous = "EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')";
const hasAll = '(SELECT bool_and(replay_lsn = pg_current_wal_lsn()) FROM pg_stat_replication)';

const create = (server: IlkServer, name: string) =>
  inProcess(() => server).call('POST', widgetsPath(), widget(name));
const list = (server: IlkServer, query = '') =>
  inProcess(() => server).call('GET', `${widgetsPath()}${query}`);
const versionOf = ({ body }: Answer) => body.metadata?.resourceVersion ?? '';
const namesIn = ({ body }: Answer) => body.items?.map(({ metadata }) => metadata.name).sort();

describe.skipIf(postgresBin === undefined)('a PostgreSQL with a standby is killed', () => {
  test('where the standby is synchronous, clients lose nothing, and watches go on', async () => {
    await using primary = await PostgresProcess.start();
    await using standby = await PostgresProcess.standby(primary.port);
    await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.query('SELECT pg_reload_conf()');
    await until(primary, isSynchronous);
    await using a = await serverOn(urlOf(primary.port, standby.port));
    await using b = await serverOn(urlOf(standby.port, primary.port));
    const outcome = await runWithFault({
      apis: [inProcess(() => a), inProcess(() => b)],
      async truth() {
        const store = await openPostgresStore({ url: standby.url() });
        const changes = await changesIn(store, 1);
        await store.close();
        return changes;
      },
      async fault({ wrote }) {
        await wrote(40);
        await primary.kill();
        await sleep(300);
        await standby.query('SELECT pg_promote()');
        await wrote(40);
      },
    });
    expectKept(outcome);
    // None had to list again.
    expect(outcome.history.watchings).toHaveLength(4);
  });

  test('with asynchronous replication, no server serves lost writes, and clients that saw them must list again', async () => {
    await using primary = await PostgresProcess.start();
    await using replication = await TcpProxy.start(primary.port);
    await using standby = await PostgresProcess.standby(replication.port);
    await using way = await TcpProxy.start(standby.port);
    await until(primary, isStreaming);
    const url = urlOf(primary.port, way.port);
    await using a = await serverOn(url);
    await using b = await serverOn(url);
    const kept = await create(a, 'kept');
    await until(primary, hasAll);
    replication.hold();
    const watchFrom = async (server: IlkServer, resourceVersion: string) =>
      new WatchStream(await server.fetch(`${widgetsPath()}?watch=1&resourceVersion=${resourceVersion}`));
    const streams = await Promise.all([a, b].map((at) => watchFrom(at, versionOf(kept))));
    const lost = await create(a, 'lost');
    for (const stream of streams) {
      expect((await stream.next())?.object.metadata).toMatchObject({ name: 'lost' });
    }

    // Somebody else writes at the new primary first: its revisions are as high as those that are gone.
    way.hold();
    await primary.kill();
    await standby.query('SELECT pg_promote()');
    const other = await openPostgresStore({ url: standby.url() });
    const value = Buffer.from(JSON.stringify(widget('other', {}, { namespace: 'default' })));
    const key = '/registry/example.com/widgets/default/other';
    await other.commit({ key, value, expect: 0 });
    for (let index = 0; index < 20; index++)
      await other.commit({ key: `/filler/${index}`, value, expect: 0 });
    expect(await other.revision()).toBeGreaterThan(Number(versionOf(lost)));
    way.release();

    for (const stream of streams) {
      let line = await stream.next();
      while (line?.type === 'BOOKMARK') line = await stream.next();
      expect(line).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    }
    for (const server of [a, b]) {
      expect(namesIn(await list(server))).toEqual(['kept', 'other']);
      expect(namesIn(await list(server, '?resourceVersion=0'))).toEqual(['kept', 'other']);
      const again = await watchFrom(server, versionOf(lost));
      expect(await again.next()).toMatchObject({ type: 'ERROR', object: { code: 410 } });
    }
    const past = other.list(prefixRange('/registry/'), { revision: Number(versionOf(lost)) });
    await expect(past).rejects.toMatchObject({ code: 'compacted' });
    expect((await create(b, 'next')).code).toBe(201);
    await other.close();
  });
});
