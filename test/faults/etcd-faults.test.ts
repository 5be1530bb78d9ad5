import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { openEtcdStore, openSqliteStore, type Store } from '../../src/storage/index.ts';
import { buildIfMissing, HttpsClient, IlkProcess } from '../fixtures/ilk-process.ts';
import { widgetCrd } from '../fixtures/widgets.ts';
import { inProcess, overHttps } from './clients.ts';
import { EtcdCluster } from './etcd-cluster.ts';
import type { Change } from './history.ts';
import { changeOf, changesIn, faultFactor, type Outcome, runWithFault, widgets } from './run.ts';
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

/** Everything that happened, read from etcd once it is whole. */
async function truthOf(url: string, after: number) {
  const store = await openEtcdStore({ endpoints: [url], prefix: '/registry', root: '/registry' });
  try {
    return await changesIn(store, after);
  } finally {
    await store.close();
  }
}

/** Collects what happens while it happens, for an etcd that will forget it. */
function followChanges(store: Store, after: number) {
  const changes: Change[] = [];
  let seen = after;
  const watch = store.watch(widgets, { after });
  const following = (async () => {
    for await (const { events, revision } of watch) {
      changes.push(...events.map(changeOf));
      seen = revision;
    }
  })();
  const failed = following.then(() => new Promise<never>(() => {}));
  failed.catch(() => {});
  /** Nothing may be forgotten before it has been seen here. */
  async function caughtUp(): Promise<void> {
    const revision = await store.revision();
    while (seen < revision) {
      watch.requestProgress();
      await Promise.race([failed, sleep(10)]);
    }
  }
  return {
    async compact(): Promise<void> {
      await caughtUp();
      await store.compact(seen);
    },
    async all(): Promise<readonly Change[]> {
      await caughtUp();
      watch.close();
      await following;
      return changes;
    },
  };
}

/** Nothing was broken, and enough happened that something could have been. */
function expectKept({ findings, history, surprises }: Outcome): void {
  expect(findings).toEqual([]);
  expect(surprises).toEqual([]);
  const ok = history.writes.filter(({ outcome }) => outcome === 'ok').length;
  // How many there are depends on the machine; without any, nothing was tried.
  expect(ok).toBeGreaterThan(5);
  expect(history.changes.length).toBeGreaterThanOrEqual(ok);
  expect(history.watchings.filter(({ toTheEnd }) => toTheEnd)).toHaveLength(4);
}

/** `ilk serve` in a process of its own, which can be killed and started again. */
class Replica implements AsyncDisposable {
  readonly #args: readonly string[];
  #child: IlkProcess | undefined;
  #client: HttpsClient | undefined;

  constructor(...args: string[]) {
    this.#args = ['serve', '--secure-port=0', `--crds=${crdFile}`, ...args];
  }

  async start(): Promise<void> {
    this.#child = new IlkProcess(this.#args);
    this.#client = new HttpsClient((await this.#child.ready()).kubeconfig);
  }

  get client(): HttpsClient {
    if (this.#client === undefined) throw new Error('not started');
    return this.#client;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child?.kill(signal);
    await this.#child?.ended();
    this.#client?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
  }
}

describe.skipIf(etcdBinaries.length === 0).each(etcdBinaries)('etcd $version', (binary) => {
  test('is killed and started again', async () => {
    await using etcd = await EtcdProcess.start({ binary });
    await using a = await serverOn(etcd.url);
    await using b = await serverOn(etcd.url);
    const outcome = await runWithFault({
      apis: [inProcess(() => a), inProcess(() => b)],
      truth: () => truthOf(etcd.url, 1),
      async fault({ wrote }) {
        for (let round = 0; round < 2 * faultFactor; round++) {
          await wrote(30);
          await etcd.kill();
          await sleep(200);
          await etcd.restart();
        }
        await wrote(30);
      },
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
      async fault({ wrote }) {
        for (let round = 0; round < 2 * faultFactor; round++) {
          await wrote(15);
          link.cut();
          await sleep(300);
          link.slow(30);
          await sleep(500);
          link.slow(0);
          link.hold();
          await sleep(500);
          link.release();
          await sleep(200);
          link.hold();
          await sleep(300);
          link.cut();
          link.release();
        }
        await wrote(15);
      },
    });
    expectKept(outcome);
  });

  const isCompacted = () => troubles.some((text) => text.includes('compacted'));

  test('is compacted while a server cannot reach it: its watches are told, and list again', async () => {
    await using etcd = await EtcdProcess.start({ binary });
    await using link = await TcpProxy.start(Number(new URL(etcd.url).port));
    await using a = await serverOn(etcd.url);
    await using b = await serverOn(`http://127.0.0.1:${link.port}`);
    const raw = await openEtcdStore({ endpoints: [etcd.url], prefix: '/registry', root: '/registry' });
    const live = followChanges(raw, await raw.revision());
    const outcome = await runWithFault({
      apis: [inProcess(() => a), inProcess(() => b)],
      truth: () => live.all(),
      async fault() {
        // A slow machine may write nothing while the link is held: then nothing is missed.
        for (let round = 0; round < 3 * faultFactor || (round < 12 && !isCompacted()); round++) {
          await sleep(300);
          link.hold();
          await sleep(500);
          await live.compact();
          link.cut();
          link.release();
        }
        await sleep(500);
      },
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
    await using a = new Replica(`--data-dir=${folder}/a-${binary.version}`, `--etcd-servers=${etcd.url}`);
    await using b = new Replica(`--data-dir=${folder}/b-${binary.version}`, `--etcd-servers=${etcd.url}`);
    await a.start();
    await b.start();
    const outcome = await runWithFault({
      apis: [overHttps(() => a.client), overHttps(() => b.client)],
      truth: () => truthOf(etcd.url, 1),
      async fault({ wrote }) {
        for (let round = 0; round < 2 * faultFactor; round++) {
          const victim = round % 2 === 0 ? b : a;
          await wrote(20);
          await victim.end('SIGKILL');
          await sleep(300);
          await victim.start();
        }
        await wrote(20);
      },
    });
    expectKept(outcome);
  });
});

test('a server on sqlite is killed again and again', async () => {
  const dataDir = `${folder}/sqlite`;
  await using server = new Replica(`--data-dir=${dataDir}`);
  await server.start();
  const outcome = await runWithFault({
    apis: [overHttps(() => server.client)],
    async truth() {
      await server.end('SIGTERM');
      const store = await openSqliteStore({ dataDir });
      const changes = await changesIn(store, 1);
      await store.close();
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
