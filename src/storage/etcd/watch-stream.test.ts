import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EtcdClient } from './etcd-client.ts';
import { EtcdProcess, etcdBinaries } from './etcd-process.test-support.ts';
import { KeyMap } from './key-map.ts';
import type { WatchResponse } from './messages.ts';
import { txnRpc } from './messages.ts';
import { tellsTrueProgress } from './server-version.ts';
import { WatchStream } from './watch-stream.ts';

/** More than fits between etcd and a reader who does not read. */
const changes = 400;
const value = Buffer.alloc(50_000, 'x');

for (const trusted of [true, false]) {
  const which = trusted ? '3.4.31, 3.5.13 or later' : 'before 3.4.31 or 3.5.13';
  const there = etcdBinaries.some(({ version }) => tellsTrueProgress(version) === trusted);
  if (!there) test.skip(`a watch of an etcd ${which} (skipped: there is none; ILK_TEST_ETCD names one)`);
}

describe.skipIf(etcdBinaries.length === 0).each(etcdBinaries)('a watch of etcd $version', (binary) => {
  let etcd: EtcdProcess;
  let client: EtcdClient;
  beforeAll(async () => {
    etcd = await EtcdProcess.start({ binary });
    client = new EtcdClient({ endpoints: [etcd.url], prefix: '' }, Math.random);
  });
  afterAll(async () => {
    client.close();
    await etcd[Symbol.asyncDispose]();
  });
  const { signal } = new AbortController();

  /** Writes without a reader; returns the revisions of the changes, each inside or outside the prefix. */
  async function write(prefix: string): Promise<number[]> {
    const revisions: number[] = [];
    for (let index = 0; index < changes; index++) {
      const key = Buffer.from(`${index % 4 === 3 ? '/beside' : prefix}/${index}`);
      const { revision } = await client.call(txnRpc, { key, modRevision: 0, value }, { repeatable: false });
      if (index % 4 !== 3) revisions.push(revision);
    }
    return revisions;
  }

  test('that is behind never says that it has seen more than it has delivered', async () => {
    const keys = new KeyMap({ root: '', prefix: '/told' });
    const { revision: after } = await client.call(
      txnRpc,
      { key: Buffer.from('/told-from'), modRevision: 0, value },
      { repeatable: false },
    );
    const stream = await WatchStream.open({ client, keys, range: undefined, after, signal });
    const messages = stream.messages();
    const first = messages.next();
    const missing = await write('/told');
    const last = missing.at(-1) ?? 0;
    const asking = setInterval(() => stream.requestProgress(), 1);
    const told: number[] = [];
    for (let result = await first; result.done !== true; result = await messages.next()) {
      const { events, revision } = result.value;
      for (const event of events) expect(event.revision).toBe(missing.shift());
      expect(missing.filter((one) => one <= revision)).toEqual([]);
      told.push(revision);
      if (revision >= last) break;
    }
    clearInterval(asking);
    stream.cancel();
    expect(missing).toEqual([]);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });

  // What the driver has to cope with: without this, the test above would prove nothing.
  test('that is behind gets its progress from etcd, correctly since 3.4.31 and 3.5.13', async () => {
    const isTrue = tellsTrueProgress(binary.version);
    let lies = 0;
    for (let round = 0; round < (isTrue ? 1 : 5) && lies === 0; round++) {
      lies += await liesToldIn(`/lies-${round}`);
    }
    expect(lies > 0).toBe(!isTrue);
  });

  /** How often etcd says that it has told everything up to a revision, and then tells of a change before it. */
  async function liesToldIn(prefix: string): Promise<number> {
    const { stream } = await client.openStream(signal);
    const range = { key: Buffer.from(`${prefix}/`), rangeEnd: Buffer.from(`${prefix}0`) };
    stream.write({ create: { ...range, startRevision: 0 } });
    const responses = (stream as AsyncIterable<WatchResponse>)[Symbol.asyncIterator]();
    await responses.next();
    const revisions = await write(prefix);
    const asking = setInterval(() => stream.write('progress'), 1);
    let [progress, lies, seen] = [0, 0, 0];
    while (seen < (revisions.at(-1) ?? 0)) {
      const { value: response } = await responses.next();
      seen = response.events.at(-1)?.keyValue.modRevision ?? seen;
      if (response.events.length === 0) progress = Math.max(progress, response.revision);
      else if (response.events[0].keyValue.modRevision <= progress) lies += 1;
    }
    clearInterval(asking);
    stream.on('error', () => {});
    stream.cancel();
    return lies;
  }
});
