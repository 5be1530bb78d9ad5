import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { KeyPair } from '../../auth/index.ts';
import { usersFileName } from '../../auth/index.ts';
import { reasonOf } from '../flags/flag-file.ts';

/** The files of a server that its users need. */
export interface DataFlags {
  readonly dataDir: string;
  readonly certDir?: string;
}

const pkiFolder = ({ dataDir, certDir }: DataFlags) => resolve(certDir ?? join(dataDir, 'pki'));

/** The file with the users of a server. */
export function usersFile(flags: DataFlags): string {
  return join(pkiFolder(flags), usersFileName);
}

/** The kubeconfig of the administrator. */
export function adminKubeconfig({ dataDir }: DataFlags): string {
  return resolve(dataDir, 'admin.kubeconfig');
}

/** The authority that signs the certificates of users. @throws {Error} if no server has run yet */
export async function readAuthority(flags: DataFlags): Promise<KeyPair> {
  const folder = pkiFolder(flags);
  const [certPem, keyPem] = await Promise.all(
    ['ca.crt', 'ca.key'].map((name) => readOurs(join(folder, name))),
  );
  return { certPem: certPem ?? '', keyPem: keyPem ?? '' };
}

/** Reads a file that `ilk serve` writes. @throws {Error} if it cannot be read */
export async function readOurs(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`${path}: ${reasonOf(error)}: "ilk serve" makes it; --data-dir names its folder`, {
      cause: error,
    });
  }
}
