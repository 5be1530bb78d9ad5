import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../src/server.ts';
import { EtcdProcess, etcdBinaries } from '../src/storage/etcd/etcd-process.test-support.ts';
import { widget, widgetCrd, widgetsPath } from './widgets.ts';

async function call(server: IlkServer, method: string, path: string, body?: unknown) {
  const response = await server.fetch(
    path,
    body === undefined
      ? { method }
      : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  );
  return { code: response.status, body: JSON.parse(await response.text()) };
}

describe.skipIf(etcdBinaries.length === 0).each(etcdBinaries)('two servers on etcd $version', (binary) => {
  let etcd: EtcdProcess;
  let a: IlkServer;
  let b: IlkServer;
  beforeAll(async () => {
    etcd = await EtcdProcess.start({ binary });
    const storage = { kind: 'etcd', endpoints: [etcd.url] } as const;
    a = await startServer({ storage, listen: false, crds: [widgetCrd] });
    b = await startServer({ storage, listen: false });
  });
  afterAll(async () => {
    await a.close();
    await b.close();
    await etcd[Symbol.asyncDispose]();
  });

  test('what is written through one is read through the other', async () => {
    for (let n = 0; n < 50; n++) {
      const made = await call(a, 'POST', widgetsPath(), widget(`w-${n}`));
      expect(made.code).toBe(201);
      const read = await call(b, 'GET', `${widgetsPath()}/w-${n}`);
      expect(read.body).toEqual(made.body);
    }
  });
});
