import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEncryptionConfiguration } from '../../src/encryption/index.ts';
import { type KubeObject, metadataOf } from '../../src/meta/index.ts';
import { type IlkServer, type StorageOptions, startServer } from '../../src/server.ts';
import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';

const folder = mkdtempSync(join(tmpdir(), 'ilk-migrate-'));
const launcher = fileURLToPath(new URL('../../bin/ilk', import.meta.url));
beforeAll(buildIfMissing);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `ilk migrate`; it may be killed when it has said something. */
async function migrate(
  args: readonly string[],
  killAt?: RegExp,
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [launcher, 'migrate', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (killAt?.test(said) === true) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return { code: child.exitCode, said };
}

const serve = (storage: StorageOptions, crds: KubeObject[] = []) =>
  startServer({ storage, listen: false, crds });

async function everything(server: IlkServer): Promise<KubeObject[]> {
  const paths = [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    '/api/v1/namespaces',
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    '/apis/example.com/v1/widgets',
  ];
  const lists = await Promise.all(
    paths.map(async (path) => JSON.parse(await (await server.fetch(path)).text()).items),
  );
  return lists.flat();
}

const withoutVersion = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...metadataOf(object), resourceVersion: '' },
});
const versions = (objects: readonly KubeObject[]) =>
  objects.map((object) => Number(metadataOf(object)['resourceVersion']));

describe.skipIf(etcdBinaries.length === 0)('ilk migrate', () => {
  test('a data directory into an etcd and back, killed on its way', async () => {
    await using etcd = await EtcdProcess.start();
    const source: StorageOptions = { kind: 'sqlite', dataDir: join(folder, 'source') };
    const before = await serve(source, [widgetCrd]);
    for (let index = 0; index < 1_000; index += 100) {
      await Promise.all(
        Array.from({ length: 100 }, async (_, more) => {
          const body = JSON.stringify(widget(`w-${index + more}`));
          const { status } = await before.fetch(widgetsPath(), {
            method: 'POST',
            body,
            headers: { 'content-type': 'application/json' },
          });
          expect(status).toBe(201);
        }),
      );
    }
    const objects = await everything(before);
    expect(objects.filter(({ kind }) => kind === 'Widget')).toHaveLength(1_000);

    const there = [`--from=${source.dataDir}`, `--to-etcd=${etcd.url}`, '--etcd-prefix=/tenants/a'];
    expect(await migrate(there)).toEqual({
      code: 1,
      said: `ilk: the data directory ${source.dataDir} is in use by another Ilk\n`,
    });
    await before.close();
    expect((await migrate(there, /raising revisions/)).code).toBe(null);
    expect((await migrate(there, /copying/)).code).toBe(null);
    const { code, said } = await migrate(there);
    expect(code).toBe(0);
    expect(said).toContain(`ilk: copied and verified ${objects.length} objects`);
    expect(said).toMatch(/^ilk: resourceVersions go on from \d+, above the old \d+$/m);

    const target: StorageOptions = { kind: 'etcd', endpoints: [etcd.url], prefix: '/tenants/a' };
    const after = await serve(target);
    const copied = await everything(after);
    expect(copied.map(withoutVersion)).toEqual(objects.map(withoutVersion));
    const highest = Math.max(...versions(objects));
    expect(versions(copied).filter((version) => version <= highest)).toEqual([]);
    const created = await after.fetch(widgetsPath(), {
      method: 'POST',
      body: JSON.stringify(widget('new')),
      headers: { 'content-type': 'application/json' },
    });
    expect(created.status).toBe(201);
    const all = await everything(after);
    await after.close();

    expect((await migrate(there)).said).toMatch(
      /the target is not empty: it has \d other records, .* among them/,
    );
    const dataDir = join(folder, 'back');
    const back = [`--from-etcd=${etcd.url}`, `--to=${dataDir}`, '--etcd-prefix=/tenants/a'];
    expect(await migrate(back)).toMatchObject({ code: 0 });
    await using home = await serve({ kind: 'sqlite', dataDir });
    const returned = await everything(home);
    expect(returned.map(withoutVersion)).toEqual(all.map(withoutVersion));
    expect(Math.min(...versions(returned))).toBeGreaterThan(Math.max(...versions(all)));
  });

  test('values that are bound to their keys go where keys begin alike, and are refused elsewhere', async () => {
    await using etcd = await EtcdProcess.start();
    const dataDir = join(folder, 'encrypted');
    const providers = [{ aesgcm: { keys: [{ name: 'a', secret: Buffer.alloc(32).toString('base64') }] } }];
    const encryption = readEncryptionConfiguration(
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'EncryptionConfiguration',
        resources: [{ resources: ['secrets'], providers }],
      }),
    );
    const before = await startServer({ storage: { kind: 'sqlite', dataDir }, listen: false, encryption });
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, data: { a: 'eA==' } };
    const path = '/api/v1/namespaces/default/secrets';
    const headers = { 'content-type': 'application/json' };
    await before.fetch(path, { method: 'POST', body: JSON.stringify(secret), headers });
    await before.close();

    const there = [`--from=${dataDir}`, `--to-etcd=${etcd.url}`];
    expect(await migrate([...there, '--etcd-prefix=/tenants/a'])).toEqual({
      code: 1,
      said: 'ilk: /registry/secrets/default/one is encrypted by aesgcm or kms, which bind a value to its key, and would be /tenants/a/secrets/default/one: give --etcd-prefix /registry, or write it with another provider first\n',
    });
    expect(await migrate(there)).toMatchObject({ code: 0 });
    const storage = { kind: 'etcd', endpoints: [etcd.url] } as const;
    await using after = await startServer({ storage, listen: false, encryption });
    const copied = JSON.parse(await (await after.fetch(`${path}/one`)).text());
    expect(copied.data).toEqual({ a: 'eA==' });
  });

  test.each([
    [[], 'say where from: one of --from, --from-etcd, --from-postgres'],
    [['--from=a'], 'say where to: one of --to, --to-etcd, --to-postgres'],
    [['--from=a', '--from-etcd=b', '--to=c'], 'say where from: one of --from, --from-etcd, --from-postgres'],
    [['--from=a', '--to=b'], 'the two sides must be different kinds of storage'],
    [['--from-etcd=a', '--to-etcd=b'], 'the two sides must be different kinds of storage'],
  ])('%j', async (args, sentence) => {
    expect(await migrate(args)).toEqual({ code: 1, said: `ilk: ${sentence}\n` });
  });
});
