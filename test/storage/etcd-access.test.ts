import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCertificates } from '../../src/auth/index.ts';
import { startServer } from '../../src/server.ts';
import { type EtcdTls, openEtcdStore } from '../../src/storage/index.ts';
import {
  type EtcdBinary,
  EtcdProcess,
  etcdBinaries,
} from '../../src/storage/etcd/etcd-process.test-support.ts';
import { tellsTrueProgress } from '../../src/storage/etcd/server-version.ts';
import { buildIfMissing, HttpsClient, IlkProcess } from '../fixtures/ilk-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'ilk-etcd-access-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** An etcd that only lets in who has a certificate, and the files of a client who has. */
async function etcdWithCertificates(binary?: EtcdBinary) {
  const { ca, server, admin } = await makeCertificates(['127.0.0.1', 'localhost'], Date.now());
  const caFile = file('ca.pem', ca.certPem);
  const etcd = await EtcdProcess.start({
    binary,
    scheme: 'https',
    flags: [
      '--client-cert-auth',
      `--trusted-ca-file=${caFile}`,
      `--cert-file=${file('server.pem', server.certPem)}`,
      `--key-file=${file('server.key', server.keyPem)}`,
    ],
  });
  const tls = { caPem: ca.certPem, certPem: admin.certPem, keyPem: admin.keyPem };
  const flags = [
    `--etcd-cafile=${caFile}`,
    `--etcd-certfile=${file('client.pem', admin.certPem)}`,
    `--etcd-keyfile=${file('client.key', admin.keyPem)}`,
  ];
  return { etcd, tls, flags };
}

const refusalOf = (starting: Promise<unknown>) =>
  starting.then(
    () => 'started',
    (error: unknown) =>
      error instanceof Error && 'code' in error ? `${error.code}: ${error.message}` : error,
  );

describe.skipIf(etcdBinaries.length === 0)('an etcd that wants certificates', () => {
  test.each(etcdBinaries)('admits clients with a certificate, and no others ($version)', async (binary) => {
    const { etcd, tls } = await etcdWithCertificates(binary);
    const storage = { kind: 'etcd', endpoints: [etcd.url], tls } as const;
    await using server = await startServer({ storage, listen: false });
    expect((await server.fetch('/readyz')).status).toBe(200);
    const stranger = await makeCertificates(['127.0.0.1'], Date.now());
    const open = (other: EtcdTls) =>
      openEtcdStore({ ...storage, prefix: '/registry', tls: other, timing: { patienceMs: 500 } });
    const cannot = `unavailable: etcd cannot be reached at ${etcd.url}`;
    expect(await refusalOf(open({ caPem: tls.caPem }))).toMatch(`${cannot} (`);
    expect(await refusalOf(open({ ...tls, caPem: stranger.ca.certPem }))).toBe(
      `${cannot} (unable to verify the first certificate)`,
    );
    // By its name, too.
    const endpoints = [etcd.url.replace('127.0.0.1', 'localhost')];
    await using named = await startServer({ storage: { kind: 'etcd', endpoints, tls }, listen: false });
    expect((await named.fetch('/readyz')).status).toBe(200);
    await server.close();
    await named.close();
    await etcd[Symbol.asyncDispose]();
  });

  test('is reached by the flags of kube-apiserver', async () => {
    buildIfMissing();
    const { etcd, flags } = await etcdWithCertificates();
    const args = [
      'serve',
      '--secure-port=0',
      `--data-dir=${folder}/data`,
      `--etcd-servers=${etcd.url}`,
      '--etcd-prefix=tenants/a/',
      ...flags,
    ];
    const child = new IlkProcess(args);
    const { kubeconfig } = await child.ready();
    const client = new HttpsClient(kubeconfig);
    expect((await client.call('GET', '/api/v1/namespaces/default')).code).toBe(200);
    client.close();
    child.kill('SIGTERM');
    expect(await child.ended()).toMatchObject({ code: 0, err: expect.not.stringContaining('Warning') });
    const [ca, cert, key] = flags.map((flag) => flag.split('=')[1] ?? '');
    const keys = execFileSync(
      'etcdctl',
      [
        `--endpoints=${etcd.url}`,
        `--cacert=${ca}`,
        `--cert=${cert}`,
        `--key=${key}`,
        ...['get', '--prefix', '--keys-only', '/tenants/a/namespaces/'],
      ],
      { env: { ...process.env, ETCDCTL_API: '3' }, encoding: 'utf8' },
    );
    expect(keys.split('\n').filter((line) => line !== '')).toEqual([
      '/tenants/a/namespaces/default',
      '/tenants/a/namespaces/kube-node-lease',
      '/tenants/a/namespaces/kube-public',
      '/tenants/a/namespaces/kube-system',
    ]);
    await etcd[Symbol.asyncDispose]();
  });
});

describe.skipIf(etcdBinaries.length === 0).each(etcdBinaries)('an etcd $version with users', (binary) => {
  let etcd: EtcdProcess;
  beforeAll(async () => {
    etcd = await EtcdProcess.start({ binary, flags: ['--auth-token-ttl=2'] });
    const etcdctl = (...args: string[]) =>
      execFileSync('etcdctl', [`--endpoints=${etcd.url}`, ...args], {
        env: { ...process.env, ETCDCTL_API: '3' },
        stdio: 'pipe',
      });
    etcdctl('user', 'add', 'root:secret');
    etcdctl('user', 'grant-role', 'root', 'root');
    etcdctl('role', 'add', 'tenant');
    etcdctl('role', 'grant-permission', '--prefix=true', 'tenant', 'readwrite', '/tenant/');
    etcdctl('role', 'grant-permission', 'tenant', 'readwrite', 'compact_rev_key');
    etcdctl('user', 'add', 'ilk:pass word');
    etcdctl('user', 'grant-role', 'ilk', 'tenant');
    etcdctl('auth', 'enable');
  });
  afterAll(() => etcd[Symbol.asyncDispose]());

  const start = (user?: { name: string; password: string }, prefix = '/tenant') =>
    startServer({
      storage: { kind: 'etcd', endpoints: [etcd.url], prefix, ...(user && { user }) },
      listen: false,
    });

  test('refuses no user, a wrong password, and a user without rights', async () => {
    expect(await refusalOf(start())).toBe('refused: etcdserver: user name is empty');
    expect(await refusalOf(start({ name: 'ilk', password: 'wrong' }))).toBe(
      'refused: etcdserver: authentication failed, invalid user ID or password',
    );
    expect(await refusalOf(start({ name: 'ilk', password: 'pass word' }, '/other'))).toBe(
      'refused: etcdserver: permission denied',
    );
  });

  test('lets in who may have one prefix, where its word on progress is good', async () => {
    const starting = start({ name: 'ilk', password: 'pass word' });
    if (!tellsTrueProgress(binary.version)) {
      expect(await refusalOf(starting)).toBe(
        'refused: etcdserver: permission denied: with an etcd before 3.4.31 or 3.5.13 the user must be allowed to ' +
          'read every key',
      );
      return;
    }
    await using server = await starting;
    expect((await server.fetch('/api/v1/namespaces/default')).status).toBe(200);
  });

  test('lets in who may, and goes on when the token has expired', async () => {
    await using server = await start({ name: 'root', password: 'secret' });
    const namespace = async () => (await server.fetch('/api/v1/namespaces/default')).status;
    expect(await namespace()).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect(await namespace()).toBe(200);
  });
});
