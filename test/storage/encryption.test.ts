import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { readEncryptionConfiguration } from '../../src/encryption/index.ts';
import { type IlkServer, startServer, type StorageOptions } from '../../src/server.ts';
import { openEtcdStore, openSqliteStore, type Store } from '../../src/storage/index.ts';
import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';

const key = (letter: string) => Buffer.from(letter.repeat(32)).toString('base64');
const provider = (kind: string, ...letters: string[]) => ({
  [kind]: { keys: letters.map((letter) => ({ name: `key-${letter}`, secret: key(letter) })) },
});
const identity = { identity: {} };

/** Secrets and widgets by these providers. */
const encryption = (...providers: object[]) => {
  const resources = [{ resources: ['secrets', '*.example.com'], providers }];
  const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
  return readEncryptionConfiguration(JSON.stringify({ ...kind, resources }));
};

const secrets = '/api/v1/namespaces/default/secrets';
const secret = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  data: { password: 'c2VzYW1l' },
});
const secretKey = (name: string) => `/registry/secrets/default/${name}`;

interface Place {
  readonly storage: StorageOptions;
  /** The values as they stand in the database. */
  raw(): Promise<Store>;
  end(): Promise<void>;
}

async function sqlite(): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ilk-encryption-'));
  return {
    storage: { kind: 'sqlite', dataDir },
    raw: () => openSqliteStore({ dataDir }),
    end: async () => rmSync(dataDir, { recursive: true }),
  };
}

async function etcd(): Promise<Place> {
  const process = await EtcdProcess.start();
  return {
    storage: { kind: 'etcd', endpoints: [process.url] },
    raw: () => openEtcdStore({ endpoints: [process.url], prefix: '' }),
    end: () => process[Symbol.asyncDispose](),
  };
}

let server: IlkServer | undefined;
afterEach(async () => server?.close());

async function start(place: Place, ...providers: object[]) {
  await server?.close();
  server = await startServer({
    storage: place.storage,
    listen: false,
    crds: [widgetCrd],
    ...(providers.length > 0 && { encryption: encryption(...providers) }),
  });
}

async function call(method: string, path: string, body?: unknown) {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { 'content-type': 'application/json' };
  const response = await server?.fetch(path, { method, headers, ...init });
  return { code: response?.status, body: JSON.parse((await response?.text()) ?? '') };
}

/** The stored value of a key; the database must not be open elsewhere. */
async function storedAt(place: Place, where: string): Promise<string> {
  await server?.close();
  server = undefined;
  const raw = await place.raw();
  try {
    const { record } = await raw.get(where);
    return Buffer.from(record?.value ?? []).toString('latin1');
  } finally {
    await raw.close();
  }
}

describe.each([
  { name: 'SQLite', open: sqlite, there: true },
  { name: 'etcd', open: etcd, there: etcdBinaries.length > 0 },
])('in $name', ({ open, there }) => {
  const places: Place[] = [];
  const place = async () => {
    const one = await open();
    places.push(one);
    return one;
  };
  afterAll(async () => {
    for (const one of places) await one.end();
  });

  test.skipIf(!there).each(['aesgcm', 'aescbc', 'secretbox'])(
    '%s: secrets and custom resources are stored encrypted, and others as they are',
    async (kind) => {
      const here = await place();
      await start(here, provider(kind, 'a'));
      expect((await call('POST', secrets, secret('one'))).code).toBe(201);
      expect((await call('POST', widgetsPath('default'), widget('one'))).code).toBe(201);
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { a: 'c2VzYW1l' } };
      await call('POST', '/api/v1/namespaces/default/configmaps', map);

      const stored = await storedAt(here, secretKey('one'));
      expect(stored.slice(0, stored.indexOf('key-a:') + 6)).toBe(`k8s:enc:${kind}:v1:key-a:`);
      expect(stored).not.toContain('c2VzYW1l');
      const custom = await storedAt(here, '/registry/example.com/widgets/default/one');
      expect(custom.startsWith(`k8s:enc:${kind}:v1:key-a:`)).toBe(true);
      expect(await storedAt(here, '/registry/configmaps/default/one')).toContain('c2VzYW1l');

      await start(here, provider(kind, 'a'));
      expect((await call('GET', `${secrets}/one`)).body.data).toEqual({ password: 'c2VzYW1l' });
      expect((await call('GET', widgetsPath('default'))).body.items).toHaveLength(1);
    },
  );

  test.skipIf(!there)(
    'keys are rotated: an update that changes nothing writes with the first key',
    async () => {
      const here = await place();
      await start(here, provider('aescbc', 'a'));
      const { body: first } = await call('POST', secrets, secret('one'));

      await start(here, provider('aesgcm', 'b'), provider('aescbc', 'a'));
      const { code, body: second } = await call('PUT', `${secrets}/one`, first);
      expect([code, second.data]).toEqual([200, first.data]);
      expect(Number(second.metadata.resourceVersion)).toBeGreaterThan(Number(first.metadata.resourceVersion));
      const { body: third } = await call('PUT', `${secrets}/one`, second);
      expect(third.metadata.resourceVersion).toBe(second.metadata.resourceVersion);
      expect(await storedAt(here, secretKey('one'))).toMatch(/^k8s:enc:aesgcm:v1:key-b:/);

      // The old key is gone, though the past was written with it.
      await start(here, provider('aesgcm', 'b'));
      expect((await call('GET', `${secrets}/one`)).body.data).toEqual({ password: 'c2VzYW1l' });
    },
  );

  test.skipIf(!there)('encryption begins, and is given up', async () => {
    const here = await place();
    await start(here);
    const { body: plain } = await call('POST', secrets, secret('one'));
    await start(here, provider('secretbox', 'a'), identity);
    const { body: encrypted } = await call('PUT', `${secrets}/one`, plain);
    expect(await storedAt(here, secretKey('one'))).toMatch(/^k8s:enc:secretbox:v1:key-a:/);
    await start(here, identity, provider('secretbox', 'a'));
    await call('PUT', `${secrets}/one`, encrypted);
    expect(await storedAt(here, secretKey('one'))).toContain('c2VzYW1l');
  });

  test.skipIf(!there)('what cannot be decrypted is refused, and the rest is served', async () => {
    const here = await place();
    await start(here, provider('aesgcm', 'a'));
    await call('POST', secrets, secret('one'));
    const path = JSON.stringify(secretKey('one'));

    await start(here, provider('aesgcm', 'b'));
    for (const one of [secrets, `${secrets}/one`]) {
      const { code, body } = await call('GET', one);
      expect([code, body.reason, body.message]).toEqual([
        500,
        'InternalError',
        `Internal error occurred: unable to transform key ${path}: no matching key was found for the provided AES transformer`,
      ]);
    }
    expect((await call('GET', '/api/v1/namespaces/default')).code).toBe(200);
    expect((await call('POST', widgetsPath('default'), widget('one'))).code).toBe(201);

    await start(here, provider('secretbox', 'b'));
    expect((await call('GET', secrets)).body.message).toBe(
      `Internal error occurred: unable to transform key ${path}: no matching prefix found`,
    );
    await start(here);
    expect((await call('GET', secrets)).body.message).toBe(
      `Internal error occurred: unable to transform key ${path}: identity transformer tried to read encrypted data`,
    );

    // With the value gone, the resource is served again.
    await server?.close();
    const raw = await here.raw();
    const { record } = await raw.get(secretKey('one'));
    await raw.commit({ key: secretKey('one'), value: null, expect: record?.modRevision ?? 0 });
    await raw.close();
    await start(here, provider('secretbox', 'b'));
    expect((await call('GET', secrets)).body.items).toEqual([]);
  });
});

test.skipIf(etcdBinaries.length === 0)(
  'a key with a prefix of its own in etcd is what aesgcm authenticates, as for kube-apiserver',
  async () => {
    const process = await EtcdProcess.start();
    const place: Place = {
      storage: { kind: 'etcd', endpoints: [process.url], prefix: '/tenant' },
      raw: () => openEtcdStore({ endpoints: [process.url], prefix: '' }),
      end: () => process[Symbol.asyncDispose](),
    };
    try {
      await start(place, provider('aesgcm', 'a'));
      await call('POST', secrets, secret('one'));
      const where = '/tenant/secrets/default/one';
      const stored = Buffer.from(await storedAt(place, where), 'latin1');
      const transformer = encryption(provider('aesgcm', 'a')).transformerOf({
        group: '',
        resource: 'secrets',
      });
      expect(Buffer.from(transformer.read(stored, where).value).toString()).toContain('c2VzYW1l');
      expect(() => transformer.read(stored, secretKey('one'))).toThrow(
        'cipher: message authentication failed',
      );
    } finally {
      await server?.close();
      await place.end();
    }
  },
);

test('watches show plain objects, and forks of a server have plain copies', async () => {
  const here = await sqlite();
  try {
    await start(here, provider('aescbc', 'a'));
    const { body: list } = await call('GET', secrets);
    await call('POST', secrets, secret('one'));
    const from = list.metadata.resourceVersion;
    const response = await server?.fetch(`${secrets}?watch=1&resourceVersion=${from}&timeoutSeconds=1`);
    expect(JSON.parse((await response?.text())?.trim() ?? '')).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'one' }, data: { password: 'c2VzYW1l' } },
    });
    const fork = await server?.fork();
    expect((await fork?.fetch(`${secrets}/one`))?.status).toBe(200);
    await fork?.close();
  } finally {
    await server?.close();
    await here.end();
  }
});
