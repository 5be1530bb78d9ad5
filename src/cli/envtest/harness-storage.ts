import type { StorageOptions } from '../../server.ts';
import { driverOf } from '../../storage/index.ts';
import { readFlagFile } from '../flags/flag-file.ts';
import { listed } from '../flags/storage-flags.ts';
import { standInVersion } from './etcd-stand-in.ts';
import type { Flags } from './read-flags.ts';

const probeMsMax = 1_000;

/**
 * The storage under a harness: memory if our stand-in or nothing listens at etcd's address; otherwise the etcd that
 * answers, for suites that start a real one and restart their API server on it.
 *
 * @throws if a file of the flags cannot be read, and for incomplete sets of flags
 */
export async function harnessStorage(flags: Flags): Promise<StorageOptions> {
  const servers = flags.all('etcd-servers').reduce<string[]>((all, text) => listed(text, all), []);
  const [first] = servers;
  if (first === undefined || !(await isRealEtcd(first, flags))) return { kind: 'memory' };
  const access = {
    etcdPrefix: 'etcd-prefix',
    etcdCafile: 'etcd-cafile',
    etcdCertfile: 'etcd-certfile',
    etcdKeyfile: 'etcd-keyfile',
  };
  return driverOf('etcd').fromFlags(servers, given(flags, access), readFlagFile);
}

function given<K extends string>(
  flags: Flags,
  names: Readonly<Record<K, string>>,
): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  for (const key in names) {
    const value = flags.last(names[key]);
    if (value !== undefined) found[key] = value;
  }
  return found;
}

/** Certificates for etcd mean a real one. */
async function isRealEtcd(url: string, flags: Flags): Promise<boolean> {
  if (flags.last('etcd-certfile') !== undefined) return true;
  try {
    const answer = await fetch(new URL('/version', url), { signal: AbortSignal.timeout(probeMsMax) });
    const text = await answer.text();
    return answer.ok && text.includes('"etcdserver"') && text !== standInVersion;
  } catch {
    return false;
  }
}
