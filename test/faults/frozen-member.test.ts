import { expect, test } from 'vitest';
import { prefixRange } from '../../src/storage/index.ts';
import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { EtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** Long enough that a test which waits for it fails. */
const neverMs = 600_000;

test.skipIf(etcdBinaries.length === 0)(
  'a member that stands still with its connections open keeps reads and watches waiting only until another one is asked',
  async () => {
    await using etcd = await EtcdProcess.start();
    const port = Number(new URL(etcd.url).port);
    await using one = await TcpProxy.start(port);
    await using another = await TcpProxy.start(port);
    const open = (...endpoints: string[]) => {
      const timing = {
        stallMsMax: 100,
        callMsMax: neverMs,
        keepaliveMs: neverMs,
        silenceMsMax: neverMs,
        progressMs: neverMs,
      };
      return new EtcdStore({ endpoints, prefix: '/registry', timing }, () => 0);
    };
    // The first to be connected is the one in use.
    another.hold();
    const store = open(...[one, another].map((link) => `http://127.0.0.1:${link.port}`));
    const other = open(etcd.url);
    const put = async (value: string, expected: number) => {
      const { revision } = await other.commit({ key: '/a', value: Buffer.from(value), expect: expected });
      return revision;
    };
    const read = async () => Buffer.from((await store.get('/a')).record?.value ?? []).toString();

    const first = await put('one', 0);
    const watch = store.watch(prefixRange('/'), { after: first - 1 });
    const messages = watch[Symbol.asyncIterator]();
    const next = async () => {
      const { value } = await messages.next();
      return value?.events.map(({ revision }: { revision: number }) => revision);
    };
    expect(await next()).toEqual([first]);
    expect(await read()).toBe('one');

    another.release();
    one.hold();
    const second = await put('two', first);
    expect(await read()).toBe('two');
    watch.requestProgress();
    expect(await next()).toEqual([second]);
    one.release();
    await store.close();
    await other.close();
  },
);
