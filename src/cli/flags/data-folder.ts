import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { reasonOf } from './flag-file.ts';

/** The folders of a server. */
interface DataFolder {
  readonly path: string;
  /** Removes temporary files, and folders that were created for nothing. */
  remove(): Promise<void>;
}

/**
 * Like `mkdir -p`: the folders that were created, the innermost first. Node's own loops forever where no folders can be
 * created, as in /proc.
 */
async function makeFolder(path: string): Promise<string[]> {
  const errorOf = async () =>
    mkdir(path).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
  const error = await errorOf();
  if (error === undefined) return [path];
  if (error.code === 'EEXIST') return [];
  if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
  const parents = await makeFolder(dirname(path));
  const again = await errorOf();
  if (again !== undefined && again.code !== 'EEXIST') throw again;
  return [path, ...parents];
}

/** Removes folders as far as they are empty. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const removed = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

/** The default data directory. */
export const usualDataDir = './ilk-data';

/**
 * The folder of `--data-dir`, created if missing. A server with in-memory storage needs none: unless one is given,
 * its certificates and kubeconfig are in a temporary folder, which is removed on exit.
 *
 * @throws {Error} for a folder that can be neither created nor written to
 */
export async function openDataFolder({
  dataDir,
  storage,
}: {
  readonly dataDir: string | undefined;
  readonly storage: string | undefined;
}): Promise<DataFolder> {
  if (dataDir === undefined && storage === 'memory') {
    const path = await mkdtemp(join(tmpdir(), 'ilk-'));
    return { path, remove: () => rm(path, { recursive: true, force: true }) };
  }
  const path = resolve(dataDir ?? usualDataDir);
  let made: readonly string[] = [];
  try {
    made = await makeFolder(path);
    if (!(await stat(path)).isDirectory()) throw new Error('it is a file, not a folder');
    await access(path, constants.W_OK);
  } catch (error) {
    throw new Error(`--data-dir ${path}: cannot be used: ${reasonOf(error)}`, { cause: error });
  }
  return { path, remove: () => removeEmpty(made) };
}
