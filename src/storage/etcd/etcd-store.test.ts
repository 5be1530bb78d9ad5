import { afterAll, beforeAll, describe, test } from 'vitest';
import { storeSuite } from '../suite.ts';
import { EtcdProcess, etcdBinaries } from './etcd-process.test-support.ts';
import { openEtcdStore } from './open-etcd-store.ts';

if (etcdBinaries.length === 0) test.skip('the etcd store (skipped: there is no etcd on the PATH)');

for (const binary of etcdBinaries) {
  describe(`with etcd ${binary.version}`, () => {
    let etcd: EtcdProcess;
    beforeAll(async () => {
      etcd = await EtcdProcess.start({ binary });
    });
    afterAll(() => etcd[Symbol.asyncDispose]());
    let count = 0;

    storeSuite({
      name: 'etcd',
      ordersCommits: false,
      open: () => openEtcdStore({ endpoints: [etcd.url], prefix: `/test-${count++}` }),
    });

    // Nearly every watch falls out of such a window, and is served from etcd and handed over again and again.
    storeSuite({
      name: 'etcd (with a small window)',
      ordersCommits: false,
      open: () =>
        openEtcdStore({
          endpoints: [etcd.url],
          prefix: `/test-${count++}`,
          limits: { windowEventsMax: 10, pageRecordsMax: 7 },
        }),
    });
  });
}
