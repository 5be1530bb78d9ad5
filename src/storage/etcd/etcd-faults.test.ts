import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prefixRange, type StoreEvent, type StoreWatch } from '../store.ts';
import { brief, failure, take, text, write } from '../suite/context.ts';
import { EtcdProcess, etcdBinaries, freePorts } from './etcd-process.test-support.ts';
import { openEtcdStore } from './open-etcd-store.ts';
import type { EtcdOptions } from './options.ts';

const everything = prefixRange('/');

/** A store under a prefix of its own. */
function open(etcd: EtcdProcess, more: Partial<EtcdOptions> = {}) {
  return openEtcdStore({ endpoints: [etcd.url], prefix: '/registry', ...more });
}

/** Whether each thread of a process stands still after SIGSTOP. */
function isStopped(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    // The state follows the name, which stands in parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  });
}

describe.skipIf(etcdBinaries.length === 0)('an etcd', () => {
  test('that was never there', async () => {
    const [port] = await freePorts(1);
    const timing = { patienceMs: 100, hurriedMs: 10 };
    const endpoints = [`http://127.0.0.1:${port}`];
    const { code, message } = await failure(openEtcdStore({ endpoints, prefix: '/registry', timing }));
    expect([code, message]).toEqual([
      'unavailable',
      `etcd cannot be reached at ${endpoints} (connect ECONNREFUSED 127.0.0.1:${port})`,
    ]);
  });

  test.each(['', 'http://', 'tcp://127.0.0.1:2379', 'http://127.0.0.1:2379/path', 'a b'])(
    'whose address is %j',
    async (endpoint) => {
      const { code, message } = await failure(openEtcdStore({ endpoints: [endpoint], prefix: '/registry' }));
      expect([code, message]).toEqual([
        'refused',
        `${JSON.stringify(endpoint)} is not an address of etcd: want https://host:2379`,
      ]);
    },
  );

  test('that tells of large changes in pieces: each comes once, and none is taken for lost', async () => {
    await using etcd = await EtcdProcess.start();
    const troubles: unknown[] = [];
    const store = await open(etcd, { onTrouble: (error) => troubles.push(error) });
    const before = await write(store, '/a', 'one');
    // etcd cuts an answer of more than 2 MiB.
    const large = 'x'.repeat(700_000);
    for (const key of ['/b', '/c', '/d', '/e', '/f']) await write(store, key, large);
    const messages = store.watch(everything, { after: before })[Symbol.asyncIterator]();
    expect((await take(messages, 5)).map(({ key, revision }) => [key, revision - before])).toEqual([
      ['/b', 1],
      ['/c', 2],
      ['/d', 3],
      ['/e', 4],
      ['/f', 5],
    ]);
    expect(troubles).toEqual([]);
    await store.close();
  });

  test('that is killed and comes back: reads wait, watches go on, nothing is lost', async () => {
    await using etcd = await EtcdProcess.start();
    const troubles: unknown[] = [];
    const store = await open(etcd, { onTrouble: (error) => troubles.push(error) });
    const one = await write(store, '/a', 'one');
    const messages = store.watch(everything, { after: one })[Symbol.asyncIterator]();
    const two = await write(store, '/a', 'two', one);
    expect((await take(messages, 1)).map(brief)).toEqual(['put /a two']);
    await etcd.kill();
    // The watch has noticed. The end of the other connection is in the same poll of the event loop, or in the next one.
    while (troubles.length === 0) await sleep(10);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    const reading = store.get('/a');
    const writing = store.commit({ key: '/a', value: Buffer.from('three'), expect: two });
    await etcd.restart();
    // Whichever of the two etcd has heard of first.
    expect(['two', 'three']).toContain(text((await reading).record?.value));
    // There was no connection, so nothing was sent before there was one.
    expect(await writing).toMatchObject({ ok: true });
    expect((await take(messages, 1)).map(brief)).toEqual(['put /a three']);
    await store.close();
  });

  test('that has been gone for long: calls fail soon, until it is back', async () => {
    await using etcd = await EtcdProcess.start();
    const store = await open(etcd, { timing: { patienceMs: 2_000, hurriedMs: 10 } });
    await etcd.kill();
    const startedMs = Date.now();
    expect((await failure(store.revision())).code).toBe('unavailable');
    const patientMs = Date.now() - startedMs;
    expect((await failure(write(store, '/a', 'x'))).code).toBe('unavailable');
    // The first call has waited for as long as the store is patient; no other does.
    expect(Date.now() - startedMs - patientMs).toBeLessThan(patientMs);
    await etcd.restart();
    while ((await store.revision().catch(() => 0)) === 0) await sleep(20);
    await write(store, '/a', 'x');
    await store.close();
  });

  test('that is gone when the store is closed: all waits end', async () => {
    await using etcd = await EtcdProcess.start();
    const store = await open(etcd, { timing: { patienceMs: 600_000 } });
    await etcd.kill();
    const reading = failure(store.get('/a'));
    await store.close();
    expect((await reading).code).toBe('closed');
  });

  test('that is frozen with a write in its hands: what became of it is unknown', async () => {
    await using etcd = await EtcdProcess.start();
    const store = await open(etcd, { timing: { callMsMax: 300 } });
    const one = await write(store, '/a', 'one');
    process.kill(etcd.pid, 'SIGSTOP');
    // The signal takes a moment to reach each of its threads, and a write is fast.
    while (!isStopped(etcd.pid)) await sleep(1);
    const { code, message } = await failure(write(store, '/a', 'two', one));
    expect([code, message]).toEqual([
      'outcome-unknown',
      expect.stringMatching(/^whether the write happened is unknown: Deadline exceeded/),
    ]);
    process.kill(etcd.pid, 'SIGCONT');
    await store.close();
  });

  test('that is full: nothing is written, and it is said; then there is room again', async () => {
    const quotaBytes = 8 * 1024 * 1024;
    await using etcd = await EtcdProcess.start({ flags: [`--quota-backend-bytes=${quotaBytes}`] });
    const store = await open(etcd);
    const value = new Uint8Array(500_000);
    const written: number[] = [];
    let refused: unknown;
    for (let index = 0; index < 40 && refused === undefined; index++) {
      const result = await store
        .commit({ key: `/large/${index}`, value, expect: 0 })
        .catch((error: unknown) => {
          refused = error;
        });
      if (result?.ok === true) written.push(index);
    }
    expect(refused).toMatchObject({ code: expect.stringMatching(/^(no-space|outcome-unknown)$/) });
    const { code, message } = await failure(write(store, '/small', 'x'));
    expect([code, message]).toEqual(['no-space', 'etcdserver: mvcc: database space exceeded']);
    expect((await store.get('/small')).record).toBeUndefined();
    // What was acknowledged is there; reading goes on.
    for (const index of written) expect((await store.get(`/large/${index}`)).record).toBeDefined();

    const head = await store.revision();
    await store.compact(head);
    const etcdctl = (...args: string[]) =>
      execFileSync('etcdctl', [`--endpoints=${etcd.url}`, ...args], {
        env: { ...process.env, ETCDCTL_API: '3' },
      });
    etcdctl('del', '--prefix', '/registry/large/');
    await store.compact(await store.revision());
    etcdctl('defrag');
    etcdctl('alarm', 'disarm');
    await write(store, '/small', 'x');
    await store.close();
  });

  test('with a value that it does not take', async () => {
    await using etcd = await EtcdProcess.start();
    const store = await open(etcd);
    const refusalOf = async (bytes: number) => {
      const value = new Uint8Array(bytes);
      const { code, message } = await failure(store.commit({ key: '/a', value, expect: 0 }));
      return [code, message];
    };
    expect(await refusalOf(2_000_000)).toEqual(['too-large', 'etcdserver: request is too large']);
    // Above that, it is not etcd itself that says so.
    expect(await refusalOf(3_000_000)).toEqual([
      'too-large',
      expect.stringMatching(/^grpc: received message larger than max/),
    ]);
    expect((await store.list(everything)).count).toBe(0);
    await store.close();
  });

  test('of three members, whose servers find the ones that live', async () => {
    const members = await startCluster(3);
    const endpoints = members.map(({ url }) => url);
    const store = await openEtcdStore({ endpoints, prefix: '/registry' });
    let revision = await write(store, '/a', '0');
    const watch = store.watch(everything, { after: revision });
    const events = collect(watch);
    for (const [index, member] of members.entries()) {
      await member.kill();
      revision = await writeSurely(store, '/a', `${index + 1}`, revision);
      await member.restart();
    }
    watch.requestProgress();
    while (events.length < 3) await sleep(20);
    expect(events.map(brief)).toEqual(['put /a 1', 'put /a 2', 'put /a 3']);
    await store.close();
    for (const member of members) await member[Symbol.asyncDispose]();
  });
});

describe.skipIf(etcdBinaries.length === 0)('a store in etcd', () => {
  let etcd: EtcdProcess;
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
  });
  afterAll(() => etcd[Symbol.asyncDispose]());

  test('has the keys below its prefix, and no others', async () => {
    const a = await open(etcd, { root: '/registry', prefix: '/tenant-a' });
    const b = await open(etcd, { root: '/registry', prefix: '/tenant-a-and-more' });
    const same = await open(etcd, { prefix: '' });
    const watch = b.watch(prefixRange('/registry/'), { after: await b.revision() });
    const events = collect(watch);
    await write(a, '/registry/x', 'of a');
    await write(b, '/registry/x', 'of b');
    await write(a, '/registry/y', 'of a');
    watch.requestProgress();
    while (events.length < 1) await sleep(10);
    expect(events.map(brief)).toEqual(['put /registry/x of b']);
    expect((await a.list(prefixRange('/registry/'))).records.map(({ key }) => key)).toEqual([
      '/registry/x',
      '/registry/y',
    ]);
    // A range that is wider than the root is cut to it.
    expect((await a.list(prefixRange(''))).records.map(({ key }) => key)).toEqual([
      '/registry/x',
      '/registry/y',
    ]);
    expect((await a.list(prefixRange('/r'))).count).toBe(2);
    for (const prefix of ['/registry0', '/z', '/a'])
      expect((await a.list(prefixRange(prefix))).count).toBe(0);
    expect(text((await same.get('/tenant-a/x')).record?.value)).toBe('of a');
    expect((await failure(a.get('/other'))).message).toBe('"/other" does not begin with /registry/');
    for (const store of [a, b, same]) await store.close();
  });

  test('lists in pages of one revision', async () => {
    const store = await open(etcd, { prefix: '/pages', limits: { pageRecordsMax: 100 } });
    await Promise.all(Array.from({ length: 250 }, (_, index) => write(store, `/a/${index}`, 'x')));
    const whole = await open(etcd, { prefix: '/pages' });
    const [listed] = await Promise.all([
      store.list(prefixRange('/a/')),
      ...Array.from({ length: 50 }, (_, index) => write(store, `/a/later/${index}`, 'x')),
    ]);
    // Whatever was written while the pages were read: it is the state of one revision.
    expect(listed).toEqual(await whole.list(prefixRange('/a/'), { revision: listed.revision }));
    expect(listed.count).toBeGreaterThanOrEqual(250);
    const page = await store.list(prefixRange('/a/'), { limit: 130, revision: listed.revision });
    expect([page.records, page.count, page.more]).toEqual([listed.records.slice(0, 130), listed.count, true]);
    await whole.close();
    await store.close();
  });

  test('asks for less where an answer is too large', async () => {
    const store = await open(etcd, { prefix: '/large', limits: { receiveBytesMax: 100_000 } });
    const value = new Uint8Array(30_000).fill(1);
    for (let index = 0; index < 9; index++) await store.commit({ key: `/a/${index}`, value, expect: 0 });
    expect((await store.list(prefixRange('/a/'))).records.map(({ key }) => key)).toEqual(
      Array.from({ length: 9 }, (_, index) => `/a/${index}`),
    );
    await store.commit({ key: '/b', value: new Uint8Array(200_000), expect: 0 });
    expect((await failure(store.list(prefixRange('/b')))).code).toBe('unavailable');
    await store.close();
  });

  test('forgets the past by turns with others, and nothing younger than a turn', async () => {
    const stores = [await open(etcd, { prefix: '/turns' }), await open(etcd, { prefix: '/turns' })] as const;
    const [first, second] = stores;
    const turns = stores.map((store) => store.compaction());
    const before = await write(first, '/a', 'one');
    for (const turn of turns) await turn.takeTurn();
    expect(await first.compactRevision()).toBeLessThanOrEqual(before);
    const between = await write(first, '/a', 'two', before);
    for (const turn of turns) await turn.takeTurn();
    for (const turn of turns) await turn.takeTurn();
    const oldest = await second.compactRevision();
    expect(oldest).toBeGreaterThanOrEqual(between);
    expect(await first.compactRevision()).toBe(oldest);
    expect((await failure(first.get('/a', { revision: before }))).revision).toBe(oldest);
    for (const store of stores) await store.close();
  });
});

/** What a watch has delivered so far. */
function collect(watch: StoreWatch): StoreEvent[] {
  const events: StoreEvent[] = [];
  void (async () => {
    for await (const message of watch) events.push(...message.events);
  })();
  return events;
}

type OpenStore = Awaited<ReturnType<typeof openEtcdStore>>;

/** Writes until it is done: what is unknown is looked at. */
async function writeSurely(store: OpenStore, key: string, value: string, expected: number): Promise<number> {
  for (;;) {
    try {
      return await write(store, key, value, expected);
    } catch (error) {
      const { record } = await store.get(key).catch(() => ({ record: undefined }));
      if (record !== undefined && text(record.value) === value) return record.modRevision;
      if (!(error instanceof Error) || error.name !== 'StoreError') throw error;
    }
  }
}

async function startCluster(count: number): Promise<EtcdProcess[]> {
  const ports = await freePorts(count * 2);
  const names = Array.from({ length: count }, (_, index) => `m${index}`);
  const peers = names.map((name, index) => `${name}=http://127.0.0.1:${ports[count + index]}`).join(',');
  const members = await Promise.all(
    names.map((name, index) =>
      EtcdProcess.make({
        name,
        clientPort: ports[index] ?? 0,
        peerPort: ports[count + index] ?? 0,
        flags: [
          `--initial-cluster=${peers}`,
          `--initial-advertise-peer-urls=http://127.0.0.1:${ports[count + index]}`,
          '--heartbeat-interval=50',
          '--election-timeout=500',
        ],
      }),
    ),
  );
  for (const member of members) member.spawn();
  for (const member of members) await member.listening();
  return members;
}
