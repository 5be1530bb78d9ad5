import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { openPostgresStore } from '../../src/storage/index.ts';
import { PostgresProcess, postgresBin } from '../../src/storage/postgres/postgres-process.test-support.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';
import { widgetCrd } from '../fixtures/widgets.ts';
import { inProcess, overHttps } from './clients.ts';
import { badNetwork, changesOf, compactionBehind, databaseRestarts, serverKills } from './common-faults.ts';
import { expectKept } from './expect-kept.ts';
import { followChanges } from './follow-changes.ts';
import { Replica } from './replica.ts';
import { faultFactor, runWithFault } from './run.ts';
import { TcpProxy } from './tcp-proxy.ts';

// Runs end when the clients have done their work, which takes as long as the machine needs; the bound is for what hangs.
vi.setConfig({ testTimeout: 600_000 });

describe.skipIf(postgresBin === undefined)('PostgreSQL', () => {
  let postgres: PostgresProcess;
  let rounds = 0;
  let schema = '';
  const troubles: string[] = [];
  beforeAll(async () => {
    postgres = await PostgresProcess.start();
    return () => postgres[Symbol.asyncDispose]();
  });

  const urlAt = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`;
  const newSchema = () => {
    schema = `round_${rounds++}`;
  };

  function serverAt(port = postgres.port): Promise<IlkServer> {
    return startServer({
      storage: { kind: 'postgres', url: urlAt(port), schema },
      listen: false,
      leaderElection: { leaseMs: 1_500, renewDeadlineMs: 1_000, retryMs: 200 },
      crds: [widgetCrd],
      onTrouble: (error) => troubles.push(error instanceof Error ? error.message : String(error)),
    });
  }

  /** All changes, read from the database once it is whole. */
  const truth = () => changesOf(openPostgresStore({ url: postgres.url(), schema }), 1);

  test('is killed and started again', async () => {
    newSchema();
    await using a = await serverAt();
    await using b = await serverAt();
    const outcome = await runWithFault({
      apis: [inProcess(() => a), inProcess(() => b)],
      truth,
      fault: databaseRestarts(postgres, faultFactor),
    });
    expectKept(outcome);
  });

  test('ends connections at random, over a network that is cut, slow, or loses everything', async () => {
    newSchema();
    await using link = await TcpProxy.start(postgres.port);
    await using a = await serverAt();
    await using b = await serverAt(link.port);
    const outcome = await runWithFault({
      apis: [inProcess(() => a), inProcess(() => b)],
      truth,
      fault: badNetwork(link, faultFactor, async () => {
        for (let kill = 0; kill < 10; kill++) {
          await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = 'ilk' AND random() < 0.3`);
          await sleep(60);
        }
      }),
    });
    expectKept(outcome);
  });

  const isCompacted = () => troubles.some((text) => text.includes('compacted'));

  test('is compacted while a server cannot reach it: its watches get 410, and list again', async () => {
    newSchema();
    await using link = await TcpProxy.start(postgres.port);
    await using a = await serverAt();
    await using b = await serverAt(link.port);
    const raw = await openPostgresStore({ url: postgres.url(), schema });
    const live = followChanges(raw, await raw.revision());
    const outcome = await runWithFault({
      apis: [inProcess(() => a), inProcess(() => b)],
      truth: () => live.all(),
      fault: compactionBehind(link, live, { rounds: faultFactor, wasNoticed: isCompacted }),
    });
    await raw.close();
    expectKept(outcome);
    expect(isCompacted()).toBe(true);
  });

  // Starts processes four times: in the long form only.
  test.skipIf(faultFactor === 1)('outlives its servers: one is killed and started again', async () => {
    newSchema();
    buildIfMissing();
    const folder = mkdtempSync(join(tmpdir(), 'ilk-faults-'));
    const crdFile = join(folder, 'crd.json');
    writeFileSync(crdFile, JSON.stringify(widgetCrd));
    const flags = [`--crds=${crdFile}`, `--postgres=${postgres.url()}`, `--postgres-schema=${schema}`];
    await using a = new Replica(...flags, `--data-dir=${folder}/a`);
    await using b = new Replica(...flags, `--data-dir=${folder}/b`);
    await Promise.all([a.start(), b.start()]);
    const outcome = await runWithFault({
      apis: [overHttps(() => a.client), overHttps(() => b.client)],
      truth,
      fault: serverKills(a, b, faultFactor),
    });
    rmSync(folder, { recursive: true, force: true });
    expectKept(outcome);
  });
});
