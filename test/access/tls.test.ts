import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeyPair, makeCertificates, makeClientPair } from '../../src/auth/index.ts';
import { buildIfMissing, IlkProcess } from '../fixtures/ilk-process.ts';

/** Certificates that change while a server runs, names, versions and suites. */

const folder = mkdtempSync(join(tmpdir(), 'ilk-tls-'));
const processes: IlkProcess[] = [];
beforeAll(buildIfMissing);
afterAll(async () => {
  for (const child of processes) {
    child.kill('SIGKILL');
    await child.ended();
  }
  rmSync(folder, { recursive: true });
});

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const pairFlags = (name: string, { certPem, keyPem }: KeyPair) =>
  [file(`${name}.crt`, certPem), file(`${name}.key`, keyPem)] as const;

async function serve(...flags: string[]): Promise<URL> {
  const child = new IlkProcess(['serve', '--secure-port=0', '--storage=memory', ...flags]);
  processes.push(child);
  return new URL((await child.ready()).url);
}

/** The fingerprint of the certificate that is shown. */
function handshake(url: URL, options: ConnectionOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = { host: url.hostname, port: Number(url.port), rejectUnauthorized: false, ...options };
    const socket: TLSSocket = connect(asked, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const shownBy = (url: URL, servername?: string) =>
  handshake(url, servername === undefined ? {} : { servername });
const fingerprint = ({ certPem }: KeyPair) => new X509Certificate(certPem).fingerprint256;

test('a new certificate is shown, and a new authority believed, without a restart; an old one is refused at once', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => makeCertificates(['127.0.0.1'], Date.now())));
  if (first === undefined || second === undefined) throw new Error('no certificates');
  const [cert, key] = pairFlags('server', first.server);
  const ca = file('client-ca.crt', first.ca.certPem);
  const url = await serve(
    `--tls-cert-file=${cert}`,
    `--tls-private-key-file=${key}`,
    `--client-ca-file=${ca}`,
  );
  expect(await shownBy(url)).toBe(fingerprint(first.server));

  const clientOf = async (authority: KeyPair) => {
    const user = { name: 'alice', groups: [], nowMs: Date.now(), lifetimeMs: 3_600_000 };
    const pair = await makeClientPair(authority, user);
    const credentials = { cert: pair.certPem, key: pair.keyPem, rejectUnauthorized: false };
    const code = (agent: Agent) =>
      new Promise((resolve, reject) => {
        request(`${url.href}api`, { agent }, (answer) =>
          answer.resume().on('end', () => resolve(answer.statusCode)),
        )
          .on('error', reject)
          .end();
      });
    return { kept: new Agent({ ...credentials, keepAlive: true }), each: new Agent(credentials), code };
  };
  const [old, fresh] = [await clientOf(first.ca), await clientOf(second.ca)];
  // The second of them takes a session up again.
  expect(await old.code(old.each)).toBe(200);
  expect(await old.code(old.each)).toBe(200);
  expect(await old.code(old.kept)).toBe(200);
  expect(await fresh.code(fresh.each)).toBe(401);

  writeFileSync(cert, second.server.certPem);
  writeFileSync(key, second.server.keyPem);
  writeFileSync(ca, second.ca.certPem);
  await expect.poll(() => shownBy(url)).toBe(fingerprint(second.server));
  await expect.poll(() => fresh.code(fresh.each)).toBe(200);
  expect(await old.code(old.each)).toBe(401);
  // Over a connection that was open before, too.
  expect(await old.code(old.kept)).toBe(401);

  writeFileSync(key, 'nonsense');
  expect(await shownBy(url)).toBe(fingerprint(second.server));
  old.kept.destroy();
});

describe('flags', () => {
  test('other certificates are shown to those who ask for their names', async () => {
    const named = await makeCertificates(['ilk.test'], Date.now());
    const wild = await makeCertificates(['x'], Date.now());
    const [cert, key] = pairFlags('named', named.server);
    const [wildCert, wildKey] = pairFlags('wild', wild.server);
    const url = await serve(
      `--tls-sni-cert-key=${cert},${key}`,
      `--tls-sni-cert-key=${wildCert},${wildKey}:*.apps.test`,
    );
    expect(await shownBy(url, 'ilk.test')).toBe(fingerprint(named.server));
    expect(await shownBy(url, 'A.apps.test')).toBe(fingerprint(wild.server));
    expect([fingerprint(named.server), fingerprint(wild.server)]).not.toContain(await shownBy(url, 'b.test'));
    expect(await shownBy(url)).toBe(await shownBy(url, 'b.test'));
  });

  test('the oldest version, and the suites of TLS 1.2', async () => {
    const modern = await serve('--tls-min-version=VersionTLS13');
    await expect(handshake(modern, { maxVersion: 'TLSv1.2' })).rejects.toThrow();
    expect(await handshake(modern)).not.toBe('');
    const chosen = await serve('--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384');
    const other: ConnectionOptions = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' };
    await expect(handshake(chosen, other)).rejects.toThrow();
    await handshake(chosen, { ...other, ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' });
  });

  test.each([
    ['--tls-min-version=VersionTLS10', 'want VersionTLS12 or VersionTLS13.'],
    ['--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA', 'there is no suite TLS_RSA_WITH_RC4_128_SHA.'],
    ['--tls-sni-cert-key=one', 'want cert.pem,key.pem or cert.pem,key.pem:name,name.'],
    ['--tls-sni-cert-key=/none,/none', '--tls-sni-cert-key /none: no such file or folder'],
  ])('%s is refused', async (flag, message) => {
    const { code, err } = await new IlkProcess([
      'serve',
      '--storage=memory',
      '--secure-port=0',
      flag,
    ]).ended();
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });
});
