import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { type Certificates, type KeyPair, makeCertificates } from './certificates.ts';

const pairNames = ['ca', 'server', 'admin'] as const;
/** Certificates that expire sooner than this are renewed at start. */
const renewMs = 30 * 24 * 60 * 60 * 1000;

/**
 * The certificates of a folder. They are created on first use, and again when they expire or do not cover the hosts.
 * Only the owner can read the keys.
 *
 * @throws a system error if the folder cannot be read or written
 */
export async function loadCertificates(
  folder: string,
  { hosts, nowMs }: { readonly hosts: readonly string[]; readonly nowMs: number },
): Promise<Certificates> {
  const stored = await readAll(folder);
  if (stored !== undefined && isGood(stored, hosts, nowMs)) return stored;
  const made = await makeCertificates(hosts, nowMs);
  await writeAll(folder, made);
  return made;
}

function isGood({ server, admin }: Certificates, hosts: readonly string[], nowMs: number): boolean {
  const serverCertificate = new X509Certificate(server.certPem);
  const covered = hosts.every((host) => covers(serverCertificate, host));
  return covered && [serverCertificate, new X509Certificate(admin.certPem)].every((one) => lasts(one, nowMs));
}

function covers(certificate: X509Certificate, host: string): boolean {
  // No DNS name has a colon. Node's test of an IPv6 address compiles an expression for 5 ms at every start.
  const isAddress = isIPv4(host) || host.includes(':');
  return (isAddress ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
}

function lasts(certificate: X509Certificate, nowMs: number): boolean {
  return Date.parse(certificate.validTo) - nowMs > renewMs;
}

async function readAll(folder: string): Promise<Certificates | undefined> {
  try {
    const [ca, server, admin] = await Promise.all(pairNames.map((name) => readPair(folder, name)));
    return ca && server && admin && { ca, server, admin };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readPair(folder: string, name: string): Promise<KeyPair> {
  const [certPem, keyPem] = await Promise.all([
    readFile(join(folder, `${name}.crt`), 'utf8'),
    readFile(join(folder, `${name}.key`), 'utf8'),
  ]);
  return { certPem, keyPem };
}

async function writeAll(folder: string, certificates: Certificates): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of pairNames) {
    await writeOne(join(folder, `${name}.key`), certificates[name].keyPem, 0o600);
    await writeOne(join(folder, `${name}.crt`), certificates[name].certPem, 0o644);
  }
}

/** The system error does not always name the file, for example if the disk is full. */
async function writeOne(path: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { mode });
  } catch (error) {
    // The next start would read a partly written file.
    await rm(path, { force: true });
    throw new Error(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
