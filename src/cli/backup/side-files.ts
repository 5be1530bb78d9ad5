import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BackupFile, StoreError } from '../../storage/index.ts';

/** The files of a data directory beside its database: certificates and keys, by which clients identify the server. */
const folder = 'pki';
const pathPattern = /^pki(?:\/[A-Za-z0-9_-][\w.-]*)+$/;

/** The files of a data directory that its backup contains. */
export async function readSideFiles(dataDir: string): Promise<BackupFile[]> {
  const names = await readdir(join(dataDir, folder), { recursive: true }).catch(() => []);
  const files: BackupFile[] = [];
  for (const name of names.sort()) {
    const path = join(dataDir, folder, name);
    if (!(await lstat(path)).isFile()) continue;
    files.push({ path: `${folder}/${name}`, bytes: await readFile(path) });
  }
  return files;
}

/**
 * Checks whether files can be written: existing files must have the same content.
 *
 * @throws {StoreError} `refused` for a path outside of the directory, and for a file that exists
 */
export async function checkSideFiles(files: readonly BackupFile[], dataDir: string): Promise<void> {
  for (const { path, bytes } of files) {
    if (!pathPattern.test(path)) {
      throw new StoreError(
        'refused',
        `the backup has a file that does not belong into it: ${JSON.stringify(path)}`,
      );
    }
    const there = await readFile(join(dataDir, path)).catch(() => undefined);
    if (there !== undefined && Buffer.compare(there, bytes) !== 0) {
      throw new StoreError(
        'refused',
        `${join(dataDir, path)} is there already, and another one: --no-certificates leaves it`,
      );
    }
  }
}

/** Only their owner may read them. */
export async function writeSideFiles(files: readonly BackupFile[], dataDir: string): Promise<void> {
  for (const { path, bytes } of files) {
    const file = join(dataDir, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, bytes, { mode: 0o600 });
  }
}
