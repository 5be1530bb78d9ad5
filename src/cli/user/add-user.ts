import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { changeIssuedUsers, type IssuedUser, kubeconfigText, makeClientPair } from '../../auth/index.ts';
import { ApiClient } from '../../client/index.ts';
import { parseDuration } from '../flags/duration.ts';
import { reasonOf } from '../flags/flag-file.ts';
import { adminFetch, readAdminAccess } from './admin-client.ts';
import { bindingPath, createBinding, type Grant } from './bindings.ts';
import { adminKubeconfig, type DataFlags, readAuthority, readOurs, usersFile } from './data-files.ts';

interface AddFlags extends DataFlags {
  readonly group: readonly string[];
  readonly namespace?: string;
  readonly role?: string;
  readonly expires: string;
  readonly kubeconfigOut?: string;
  readonly server?: string;
}

/**
 * `ilk user add`: creates a kubeconfig with a client certificate, and a binding if a role is given. The server needs
 * to run only for a binding.
 *
 * @throws {Error} for a taken or reserved name, and for a refusal of the server
 */
export async function addUser(name: string, flags: AddFlags): Promise<void> {
  checkName(name);
  const lifetimeMs = lifetimeOf(flags.expires);
  const path = adminKubeconfig(flags);
  const admin = readAdminAccess(path, await readOurs(path));
  const authority = await readAuthority(flags);
  const out = resolve(flags.kubeconfigOut ?? `${name.replace(/[^A-Za-z0-9@._-]/g, '_')}.kubeconfig`);
  const grant = grantOf(name, flags);
  await changeIssuedUsers(usersFile(flags), async (users) => {
    if (users.some((user) => user.name === name && isCurrent(user)))
      throw new Error(`${name} is a user already: "ilk user remove ${name}" comes first`);
    const pair = await makeClientPair(authority, {
      name,
      groups: flags.group,
      nowMs: Date.now(),
      lifetimeMs,
    });
    const { namespace } = flags;
    const server = flags.server ?? admin.server;
    const user = { certPem: pair.certPem, keyPem: pair.keyPem };
    // First, because the server may refuse it.
    if (grant !== undefined) await createBinding(new ApiClient(adminFetch(admin)), grant);
    await writeNew(
      out,
      kubeconfigText({ server, caPem: admin.caPem, user, ...(namespace && { namespace }) }),
    );
    const bindings = grant === undefined ? [] : [bindingPath(grant)];
    return [...users, issuedUser({ name, groups: flags.group, certPem: pair.certPem, bindings })];
  });
  const expires = new Date(Date.now() + lifetimeMs).toISOString().slice(0, 10);
  process.stdout.write(`${out}\n`);
  process.stderr.write(`ilk: ${name} is a user until ${expires}\n`);
}

/** True for a user with a valid certificate. */
export function isCurrent({ removed, expires }: IssuedUser): boolean {
  return removed === undefined && Date.parse(expires) > Date.now();
}

/** Prefixes of upstream's own names: no certificate may stand for a service account. */
function checkName(name: string): void {
  if (name === '' || name.startsWith('system:'))
    throw new Error(`"${name}" can be no user: names that begin with system: are the server's own`);
}

function lifetimeOf(expires: string): number {
  const days = /^([0-9]+)d$/.exec(expires)?.[1];
  const lifetimeMs = days === undefined ? parseDuration(expires) : Number(days) * 86_400_000;
  if (lifetimeMs < 60_000 || lifetimeMs > 10 * 365 * 86_400_000)
    throw new Error(`--expires ${expires}: a certificate lasts between one minute and 3650d`);
  return lifetimeMs;
}

function grantOf(user: string, { role, namespace = '' }: AddFlags): Grant | undefined {
  if (role !== undefined) return { user, role, namespace };
  if (namespace !== '') throw new Error('--namespace says where --role holds: name a role, too');
  return undefined;
}

/** Never overwrites a file: it may be the kubeconfig of another user. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new Error(`cannot write ${path}: ${taken ? 'it is there already' : reasonOf(error)}`, {
      cause: error,
    });
  }
}

function issuedUser({
  certPem,
  ...user
}: Pick<IssuedUser, 'name' | 'groups' | 'bindings'> & { readonly certPem: string }): IssuedUser {
  const certificate = new X509Certificate(certPem);
  return {
    ...user,
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    expires: new Date(certificate.validTo).toISOString(),
  };
}
