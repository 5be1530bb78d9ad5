import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCertificates } from './certificate-store.ts';
import { makeCertificates } from './certificates.ts';

const now = Date.UTC(2026, 0, 1);
const hosts = ['localhost', '127.0.0.1'];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ilk-pki-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the server and the admin are signed by the authority, for a year', async () => {
  const { ca, server, admin } = await makeCertificates(hosts, now);
  const [root, leaf, client] = [ca, server, admin].map(({ certPem }) => new X509Certificate(certPem));
  expect(root?.ca).toBe(true);
  for (const certificate of [leaf, client]) {
    expect(root && certificate?.verify(root.publicKey)).toBe(true);
    expect(certificate?.ca).toBe(false);
    expect(new Date(certificate?.validTo ?? '').getUTCFullYear()).toBe(2027);
  }
  expect(leaf?.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1');
  // Java's clients read a `PRIVATE KEY` block as RSA.
  for (const { keyPem } of [ca, server, admin]) expect(keyPem).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
  expect(client?.subject).toBe('CN=ilk-admin\nO=system:masters');
});

test('a folder keeps its certificates until they expire or a host is missing', async () => {
  const first = await loadCertificates(folder, { hosts, nowMs: now });
  expect(await loadCertificates(folder, { hosts, nowMs: now })).toEqual(first);
  expect((await stat(join(folder, 'ca.key'))).mode & 0o777).toBe(0o600);
  const eleven = now + 340 * 24 * 3_600_000;
  expect((await loadCertificates(folder, { hosts, nowMs: eleven })).server).not.toEqual(first.server);
  const wider = await loadCertificates(folder, { hosts: [...hosts, 'ilk.test'], nowMs: eleven });
  expect(new X509Certificate(wider.server.certPem).checkHost('ilk.test')).toBe('ilk.test');
});

test('fails if the folder cannot be read, instead of creating new certificates', async () => {
  const file = join(folder, 'plain-file');
  await writeFile(file, 'x');
  await expect(loadCertificates(file, { hosts, nowMs: now })).rejects.toThrow('ENOTDIR');
  expect(await readFile(file, 'utf8')).toBe('x');
});
