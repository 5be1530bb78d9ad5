import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { encryptionChoice } from '../../src/cli/flags/encryption-flag.ts';
import { reloadMetrics } from '../../src/cli/flags/followed-file.ts';
import { readEncryptionConfiguration } from '../../src/encryption/index.ts';
import { limits } from '../../src/meta/index.ts';
import { type IlkServer, startServer, type StorageOptions } from '../../src/server.ts';
import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { openEtcdStore } from '../../src/storage/index.ts';
import { FakeClock } from '../../src/testing/index.ts';
import { KmsPlugin } from '../../src/encryption/kms/kms-plugin.test-support.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';

/** Servers whose objects are encrypted by a KMS v2 plugin, which is a process of its own. */

const plugin = new KmsPlugin();
beforeAll(() => plugin.start());
afterAll(() => plugin[Symbol.asyncDispose]());

async function start(storage: StorageOptions, clock = new FakeClock()): Promise<IlkServer> {
  const kms = { apiVersion: 'v2', name: 'vault', endpoint: plugin.endpoint, timeout: '1s' };
  const resources = [{ resources: ['secrets', '*.example.com'], providers: [{ kms }] }];
  const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
  const parts = { clock, timers: clock, onTrouble: () => {} };
  const encryption = readEncryptionConfiguration(JSON.stringify({ ...kind, resources }), parts);
  await encryption.services.start();
  const server = await startServer({ storage, listen: false, crds: [widgetCrd], encryption });
  onTestFinished(() => server.close());
  return server;
}

async function call(server: IlkServer, method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const response = await server.fetch(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { code: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

const secrets = '/api/v1/namespaces/default/secrets';
const secret = (name: string, password = 'c2VzYW1l') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  data: { password },
});

test('a plugin that is away: health says so, what needs it gets 500, all else is served; then it is back', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ilk-kms-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const storage = { kind: 'sqlite', dataDir } as const;
  const first = await start(storage);
  expect((await call(first, 'POST', secrets, secret('one'))).code).toBe(201);
  expect((await call(first, 'GET', '/readyz/kms-providers')).text).toBe('ok');
  expect((await call(first, 'GET', '/healthz/kms-providers')).text).toBe('ok');
  expect((await call(first, 'GET', '/livez/kms-providers')).code).toBe(404);
  await first.close();

  await plugin.stop();
  const clock = new FakeClock();
  const server = await start(storage, clock);
  const ready = await call(server, 'GET', '/readyz?verbose');
  expect([ready.code, ready.text]).toEqual([
    500,
    expect.stringContaining('[-]kms-providers failed: reason withheld'),
  ]);
  expect((await call(server, 'GET', '/readyz/kms-providers')).text).toMatch(
    /^internal server error: kms-provider-0: failed to perform status section of the healthz check for KMS Provider vault, error: rpc error: code = /,
  );
  expect((await call(server, 'GET', '/livez')).code).toBe(200);
  const refused = await call(server, 'GET', `${secrets}/one`);
  expect([refused.code, refused.body.message]).toEqual([
    500,
    expect.stringMatching(
      /^Internal error occurred: unable to transform key "\/registry\/secrets\/default\/one": got unexpected nil transformer: /,
    ),
  ]);
  const unwritten = await call(server, 'POST', widgetsPath('default'), widget('one'));
  expect([unwritten.code, unwritten.body.message]).toEqual([
    500,
    expect.stringMatching(
      /^Internal error occurred: got unexpected nil transformer: failed to perform status/,
    ),
  ]);
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } };
  expect((await call(server, 'POST', '/api/v1/namespaces/default/configmaps', map)).code).toBe(201);

  await plugin.start();
  await vi.waitFor(async () => {
    clock.advance(limits.kmsRetryMs);
    expect((await call(server, 'GET', '/readyz/kms-providers')).text).toBe('ok');
    expect((await call(server, 'GET', `${secrets}/one`)).body.data).toEqual({ password: 'c2VzYW1l' });
  }, 20_000);
  expect((await call(server, 'POST', widgetsPath('default'), widget('one'))).code).toBe(201);
});

test.skipIf(etcdBinaries.length === 0)(
  'two servers with data keys of their own read what the other writes, also in watches; a new key rewrites what is stale',
  async () => {
    const etcd = await EtcdProcess.start();
    onTestFinished(() => etcd[Symbol.asyncDispose]());
    const storage = { kind: 'etcd', endpoints: [etcd.url] } as const;
    const clock = new FakeClock();
    const [a, b] = [await start(storage, clock), await start(storage, clock)];
    const made = await call(a, 'POST', secrets, secret('one'));
    const seen = await call(b, 'GET', `${secrets}/one`);
    expect(seen.body).toEqual(made.body);
    const changed = await call(b, 'PUT', `${secrets}/one`, { ...seen.body, data: { password: 'bmV3' } });
    expect(changed.code).toBe(200);
    await vi.waitFor(async () => {
      const { body } = await call(a, 'GET', `${secrets}?resourceVersion=0`);
      expect(body.items[0].data).toEqual({ password: 'bmV3' });
    });

    const raw = await openEtcdStore({ endpoints: [etcd.url], prefix: '' });
    onTestFinished(() => raw.close());
    const stored = async () =>
      Buffer.from((await raw.get('/registry/secrets/default/one')).record?.value ?? []).toString('latin1');
    expect(await stored()).toMatch(/^k8s:enc:kms:v2:vault:/);
    expect(await stored()).not.toContain('bmV3');

    plugin.set({ current: 'k2' });
    onTestFinished(() => plugin.set({ current: 'k1' }));
    clock.advance(limits.kmsPollMs);
    await vi.waitFor(async () => {
      const { body: before } = await call(a, 'GET', `${secrets}/one`);
      const { body: after } = await call(a, 'PUT', `${secrets}/one`, before);
      expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
    });
    // The identifier of the plugin's key stands in the value as it is.
    expect(await stored()).toContain('\x12\x02k2');
    expect((await call(b, 'GET', `${secrets}/one`)).body.data).toEqual({ password: 'bmV3' });
  },
);

test('a new configuration brings the plugin while a server runs, and takes it away; what it wrote is read on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-kms-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'encryption.yaml');
  const kms = { kms: { apiVersion: 'v2', name: 'vault', endpoint: plugin.endpoint } };
  const box = { secretbox: { keys: [{ name: 'a', secret: Buffer.alloc(32).toString('base64') }] } };
  const file = (...providers: object[]) => {
    const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
    writeFileSync(path, JSON.stringify({ ...kind, resources: [{ resources: ['configmaps'], providers }] }));
  };
  const clock = new FakeClock();
  const told: string[] = [];
  const onReload = (text: string) => void told.push(text);
  const onTrouble = (error: unknown) => void told.push(String(error));
  const change = async (...providers: object[]) => {
    const before = told.length;
    file(...providers);
    clock.advance(limits.configPollMs);
    await vi.waitFor(() => expect(told.length).toBe(before + 1));
  };
  file(box);
  const { encryption } = await encryptionChoice(
    { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: true },
    { clock, timers: clock, metrics: reloadMetrics(), onReload, onTrouble },
  );
  if (encryption === undefined) throw new Error('no encryption');
  onTestFinished(() => encryption.services.close());
  const maps = encryption.transformerOf({ group: '', resource: 'configmaps' });
  const written = () => Buffer.from(maps.write(Buffer.from('x'), '/k'));
  const read = async (stored: Uint8Array) => {
    await maps.prepare?.(stored, '/k');
    return Buffer.from(maps.read(stored, '/k').value).toString();
  };
  // There is a check from the start, as kube-apiserver has it where the file may change.
  await encryption.services.check();
  const first = written();
  await change(kms, box);
  const second = written();
  expect(second.toString('latin1')).toMatch(/^k8s:enc:kms:v2:vault:/);
  expect([await read(first), await read(second)]).toEqual(['x', 'x']);
  const asked = plugin.calls('Decrypt');
  await change(box, kms);
  expect(written().toString('latin1')).toMatch(/^k8s:enc:secretbox:/);
  // The new rules do not know the keys of the old ones, and ask for them.
  expect(await read(second)).toBe('x');
  expect(plugin.calls('Decrypt')).toBe(asked + 1);
  expect(told).toEqual(Array(2).fill(`--encryption-provider-config ${path}: read again`));
});
