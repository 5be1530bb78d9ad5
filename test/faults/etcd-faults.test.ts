import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { openEtcdStore, openSqliteStore, type Store } from '../../src/storage/index.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';
import { widgetCrd } from '../fixtures/widgets.ts';
import { inProcess, overHttps } from './clients.ts';
import { badNetwork, changesOf, compactionBehind, databaseRestarts, serverKills } from './common-faults.ts';
import { EtcdCluster } from './etcd-cluster.ts';
import { expectKept } from './expect-kept.ts';
import { followChanges } from './follow-changes.ts';
import { Replica } from './replica.ts';
import { faultFactor, runWithFault } from './run.ts';
import { TcpProxy } from './tcp-proxy.ts';

// Runs end when the clients have done their work, which takes as long as the machine needs; the bound is for what hangs.
vi.setConfig({ testTimeout: 600_000 });

const folder = mkdtempSync(join(tmpdir(), 'ilk-faults-'));
const crdFile = join(folder, 'crd.json');
beforeAll(() => {
  buildIfMissing();
  writeFileSync(crdFile, JSON.stringify(widgetCrd));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const leaderElection = { leaseMs: 1_500, renewDeadlineMs: 1_000, retryMs: 200 };
const troubles: string[] = [];

function serverOn(...endpoints: string[]): Promise<IlkServer> {
  return startServer({
    storage: { kind: 'etcd', endpoints },
    listen: false,
    leaderElection,
    crds: [widgetCrd],
    onTrouble: (error) => troubles.push(error instanceof Error ? error.message : String(error)),
  });
}

/** All changes, read from etcd once it is whole. */
const truthOf = (url: string, after: number) =>
  changesOf(openEtcdStore({ endpoints: [url], prefix: '/registry', root: '/registry' }), after);

describe.skipIf(etcdBinaries.length === 0).each(etcdBinaries)('etcd $version', (binary) => {
  test('is killed and started again', async () => {
    await using etcd = await EtcdProcess.start({ binary });
    await using a = await serverOn(etcd.url);
    await using b = await serverOn(etcd.url);
    const outcome = await runWithFault({
      apis: [inProcess(() => a), inProcess(() => b)],
      truth: () => truthOf(etcd.url, 1),
      fault: databaseRestarts(etcd, 2 * faultFactor),
    });
    expectKept(outcome);
  });

  test('has three members: one is killed, one is frozen, one is cut off from the others', async () => {
    await using cluster = await EtcdCluster.start(binary);
    const [one = '', two = '', three = ''] = cluster.urls;
    await using a = await serverOn(one, two, three);
    await using b = await serverOn(three, one, two);
    const outcome = await runWithFault({
      apis: [inProcess(() => a), inProcess(() => b)],
      truth: () => truthOf(one, 1),
      async fault({ wrote }) {
        for (let round = 0; round < 3 * faultFactor; round++) {
          await wrote(20);
          const victim = cluster.member(round);
          await victim.kill();
          await sleep(800);
          await victim.restart();
          process.kill(cluster.member(round + 1).pid, 'SIGSTOP');
          await sleep(800);
          process.kill(cluster.member(round + 1).pid, 'SIGCONT');
          cluster.cutOff(round + 2);
          await sleep(1_200);
          cluster.mend();
        }
        await wrote(20);
      },
    });
    expectKept(outcome);
  });

  test('is reached over a network that is cut, slow, or loses everything', async () => {
    await using etcd = await EtcdProcess.start({ binary });
    await using link = await TcpProxy.start(Number(new URL(etcd.url).port));
    await using a = await serverOn(etcd.url);
    await using b = await serverOn(`http://127.0.0.1:${link.port}`);
    const outcome = await runWithFault({
      apis: [inProcess(() => a), inProcess(() => b)],
      truth: () => truthOf(etcd.url, 1),
      fault: badNetwork(link, 2 * faultFactor, () => sleep(200)),
    });
    expectKept(outcome);
  });

  const isCompacted = () => troubles.some((text) => text.includes('compacted'));

  test('is compacted while a server cannot reach it: its watches get 410, and list again', async () => {
    await using etcd = await EtcdProcess.start({ binary });
    await using link = await TcpProxy.start(Number(new URL(etcd.url).port));
    await using a = await serverOn(etcd.url);
    await using b = await serverOn(`http://127.0.0.1:${link.port}`);
    const raw = await openEtcdStore({ endpoints: [etcd.url], prefix: '/registry', root: '/registry' });
    const live = followChanges(raw, await raw.revision());
    const outcome = await runWithFault({
      apis: [inProcess(() => a), inProcess(() => b)],
      truth: () => live.all(),
      fault: compactionBehind(link, live, { rounds: 3 * faultFactor, wasNoticed: isCompacted }),
    });
    await raw.close();
    expectKept(outcome);
    // The watchers at the other server had the past in its memory.
    expect(isCompacted()).toBe(true);
  });

  test('is full, and then not any more', async () => {
    await using etcd = await EtcdProcess.start({ binary, flags: ['--quota-backend-bytes=16777216'] });
    await using a = await serverOn(etcd.url);
    await using b = await serverOn(etcd.url);
    const raw = await openEtcdStore({ endpoints: [etcd.url], prefix: '/filler' });
    const live = await openEtcdStore({ endpoints: [etcd.url], prefix: '/registry', root: '/registry' });
    const changes = followChanges(live, await live.revision());
    const refused: string[] = [];
    const outcome = await runWithFault({
      apis: [inProcess(() => a), inProcess(() => b)],
      truth: () => changes.all(),
      async fault() {
        await sleep(300);
        await fill(raw);
        await sleep(500);
        const answer = await inProcess(() => a).call('POST', '/api/v1/namespaces', {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: 'no-room' },
        });
        refused.push(`${answer.code} ${answer.body.message}`);
        const etcdctl = (...args: string[]) =>
          execFileSync('etcdctl', [`--endpoints=${etcd.url}`, ...args], {
            env: { ...process.env, ETCDCTL_API: '3' },
          });
        etcdctl('del', '--prefix', '/filler/');
        await changes.compact();
        etcdctl('defrag');
        etcdctl('alarm', 'disarm');
        await sleep(500);
      },
    });
    await raw.close();
    await live.close();
    expectKept(outcome);
    expect(refused).toEqual(['500 Internal error occurred: etcdserver: mvcc: database space exceeded']);
  });

  test('outlives its servers: one is killed again and again', async () => {
    await using etcd = await EtcdProcess.start({ binary });
    await using a = new Replica(
      `--crds=${crdFile}`,
      `--data-dir=${folder}/a-${binary.version}`,
      `--etcd-servers=${etcd.url}`,
    );
    await using b = new Replica(
      `--crds=${crdFile}`,
      `--data-dir=${folder}/b-${binary.version}`,
      `--etcd-servers=${etcd.url}`,
    );
    await a.start();
    await b.start();
    const outcome = await runWithFault({
      apis: [overHttps(() => a.client), overHttps(() => b.client)],
      truth: () => truthOf(etcd.url, 1),
      fault: serverKills(a, b, 2 * faultFactor),
    });
    expectKept(outcome);
  });
});

test('a server on sqlite is killed again and again', async () => {
  const dataDir = `${folder}/sqlite`;
  await using server = new Replica(`--crds=${crdFile}`, `--data-dir=${dataDir}`);
  await server.start();
  const outcome = await runWithFault({
    apis: [overHttps(() => server.client)],
    async truth() {
      await server.end('SIGTERM');
      const changes = await changesOf(openSqliteStore({ dataDir }), 1);
      await server.start();
      return changes;
    },
    async fault({ wrote }) {
      for (let round = 0; round < 3 * faultFactor; round++) {
        await wrote(20);
        await server.end('SIGKILL');
        await server.start();
      }
      await wrote(20);
    },
  });
  expectKept(outcome);
});

/** Writes until there is no room; a disk that is slow now and then is not full. */
async function fill(store: Store): Promise<void> {
  for (let index = 0; ; index++) {
    const value = new Uint8Array(300_000);
    const error = await store.commit({ key: `/${index}`, value, expect: 0 }).then(
      () => undefined,
      (reason: unknown) => String(reason),
    );
    if (error?.includes('database space exceeded')) return;
  }
}
